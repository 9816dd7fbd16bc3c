-- judges/init.lua: eval.judges: metrics whose value a model gives, and which judge is asked.

local check = require "evalhost.check"
local system = require "evalhost.native.os"

local judges = {}

local names = { "answer_quality", "faithfulness", "rubric" }

local function is_set(name)
  local value = system.env(name)
  return value ~= nil and value ~= ""
end

--- Who judges in this run. Mode "auto": the model where its key, OPENAI_BASE_URL or the judge's own
--- base URL is set, else the built-in judge; "builtin"; "openai": the model, and an error where it
--- cannot be asked.
---@param metric evalhost.Metric one with a `judge`
---@param mode "auto"|"builtin"|"openai"
---@return function|nil fn
---@return string name "builtin" or "openai:MODEL"; without fn, the problem
function judges.resolve(metric, mode)
  local judge = metric.judge
  local reachable = judge.base_url ~= nil or is_set "OPENAI_BASE_URL" or is_set(judge.api_key_env)
  if mode == "builtin" or mode ~= "openai" and not reachable then
    return judge.builtin, "builtin"
  elseif not reachable then
    return nil, judge.api_key_env .. " is not set"
  end
  return metric.fn, ("%s:%s"):format(judge.provider or "openai", judge.model)
end

return setmetatable(judges, {
  __index = function(t, name)
    for _, known in ipairs(names) do
      if known == name then
        local made = require("evalhost.judges." .. name)
        rawset(t, name, made)
        return made
      end
    end
    error(("eval.judges: no judge '%s'%s"):format(tostring(name), check.hint(name, names)), 2)
  end,
})
