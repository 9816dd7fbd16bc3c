-- report/jsonl.lua: one canonical case per line.

local view = require "evalhost.report.view"

---@param out { write: fun(self, text: string) }
---@param run table
return function(out, run)
  for text in view.texts(run) do
    out:write(text .. "\n")
  end
end
