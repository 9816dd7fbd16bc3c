-- report/json.lua: the canonical document: a readable head, then one case per line.

local json = require "evalhost.native.json"
local record = require "evalhost.record"
local view = require "evalhost.report.view"

local HEAD = [[
{
  "schema": "%s",
  "run": %s,
  "summary": %s,
  "thresholds": %s,
  "cases": ]]

local function pretty(value)
  return (assert(json.encode(value, { pretty = true, repair = true })):gsub("\n", "\n  "))
end

--- Writes a run as schema evalhost.run/1.
---@param out { write: fun(self, text: string) }
---@param run table
---@param doc { run: table, summary: table, thresholds: table[] }
return function(out, run, doc)
  out:write(HEAD:format(record.SCHEMA, pretty(doc.run), pretty(doc.summary),
    pretty(doc.thresholds)))
  local before = "[\n    "
  for text in view.texts(run) do
    out:write(before .. text)
    before = ",\n    "
  end
  out:write(before == "[\n    " and "[]\n}\n" or "\n  ]\n}\n")
end
