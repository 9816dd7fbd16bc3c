-- judges/rubric.lua: a judge by a suite's own words.

local json = require "evalhost.native.json"
local metric = require "evalhost.metric"
local model = require "evalhost.judges.model"

local FRAME = [[
You judge a response by the rubric below. You are given the user's query, what was expected, the
outputs of all tools that were called, and the response.

Rubric
%s

Give "reasoning", a few sentences, and "score", a number from 0.0 (does not meet the rubric at all)
to 1.0 (meets it fully).]]

local function data(case, outcome)
  local shown = model.data(case, outcome)
  shown.expected = case.expected and next(case.expected) and case.expected or json.null
  return shown
end

local function kind_of(words)
  return {
    name = "rubric",
    label = "Rubric",
    help = "by the suite's own rubric",
    model = "gpt-4o",
    temperature = 0,
    instructions = FRAME:format(words),
    form = { value = "score", numbers = { score = { 0, 1 } }, texts = { "reasoning" } },
    order = { "score" },
    data = data,
    builtin = function()
      return metric.unscored("judge_needs_model",
        "a rubric in free text needs a model; the built-in judge cannot read it")
    end,
  }
end

--- rubric in [0, 1]: a model judges by `prompt`, the rubric in the suite's own words. Rules as for
--- faithfulness. There is no built-in replacement: without a model it is unscored
--- (judge_needs_model).
---@async
---@param options evalhost.judges.Options with `prompt`
---@return evalhost.Metric
return function(options)
  local words = type(options) == "table" and options.prompt
  if type(words) ~= "string" or not words:find "%S" then
    error("eval.judges.rubric: prompt (the rubric, in words) is missing", 2)
  end
  local rest = {}
  for key, value in pairs(options) do
    rest[key] = key ~= "prompt" and value or nil
  end
  local made = model.judge(kind_of(words), rest) -- no tail call: the level of errors counts frames
  return made
end
