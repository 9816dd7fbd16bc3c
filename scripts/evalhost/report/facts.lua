-- report/facts.lua: which suite, target and judges a run is about, in words.

local format = require "evalhost.report.format"
local metric = require "evalhost.metric"

local facts = {}

-- Why the built-in judge is there, if nobody asked for it.
local function stand_in(run, entry)
  local judge = metric.is(entry.metric) and entry.metric.judge
  if entry.judge ~= "builtin" or run.options.judge == "builtin" or type(judge) ~= "table" then
    return nil
  end
  return ("stands in for %s: %s is not set; --judge builtin chooses it"):format(
    judge.model or "the model", judge.api_key_env or "OPENAI_API_KEY")
end

--- One line for each judge: which metrics it gives, and whether it stands in for a model.
---@param run table
---@return string[]
function facts.judges(run)
  local order, names, why = {}, {}, {}
  for _, entry in ipairs(run.metrics) do
    if entry.judge then
      if not names[entry.judge] then
        names[entry.judge] = {}
        order[#order + 1] = entry.judge
      end
      table.insert(names[entry.judge], entry.name)
      why[entry.judge] = why[entry.judge] or stand_in(run, entry)
    end
  end
  local lines = {}
  for i, judge in ipairs(order) do
    lines[i] = ("%s judged by %s%s"):format(table.concat(names[judge], ", "), judge,
      why[judge] and " (" .. why[judge] .. ")" or "")
  end
  return lines
end

--- "13 cases x 3", or "cases of an iterator".
---@param run table
---@param total integer|nil
---@return string
function facts.cases(run, total)
  local repeats = run.suite.repeats.n
  local text = total and format.plural(total, "case") or "cases from an iterator"
  return repeats > 1 and ("%s, %d times each"):format(text, repeats) or text
end

return facts
