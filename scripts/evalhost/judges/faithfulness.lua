-- judges/faithfulness.lua: is the answer grounded in the tools' outputs, and does it say what was
-- expected? The rubric is that of the FinAgent evaluation guide.

local evidence = require "evalhost.evidence"
local grounding = require "evalhost.metrics.grounding"
local json = require "evalhost.native.json"
local metric = require "evalhost.metric"
local model = require "evalhost.judges.model"

local INSTRUCTIONS = [[
You judge how faithful an assistant's response is. You are given the user's query, the expected
keywords, the outputs of all tools that were called, and the response.

Criteria
- The response addresses the query.
- It is grounded in the tool outputs: no invented facts or figures.
- It contains the expected keywords or content; other words for the same are fine.
- It is accurate and complete.

Score, from 0.0 to 1.0
- 1.0: fully addresses the query, with all expected content, accurately grounded.
- 0.7 to 0.9: mostly correct, expected content present, minor details missing.
- 0.4 to 0.6: partially addresses the query, some inaccuracies.
- 0.0 to 0.3: lacks the expected content or contains hallucinations.

Give "reasoning", a few sentences, and "score", a number from 0 to 1.]]

local function data(case, outcome)
  local shown = model.data(case, outcome)
  shown.expected_keywords = json.array(evidence.keywords(case))
  return shown
end

local function builtin(case, outcome)
  local value, reason, detail = grounding.judge(case, outcome)
  if value == nil then
    return metric.unscored(reason, "there is nothing that could be checked")
  end
  return { value = value, reason = reason, detail = detail }
end

local kind = {
  name = "faithfulness",
  label = "Faithfulness",
  help = "grounded in the tools' outputs, with the expected content",
  model = "gpt-4o",
  temperature = 0,
  instructions = INSTRUCTIONS,
  form = { value = "score", numbers = { score = { 0, 1 } }, texts = { "reasoning" } },
  order = { "score" },
  data = data,
  builtin = builtin,
  meanings = {
    good = "Responses grounded and accurate",
    acceptable = "Generally good, minor deviations",
    needs_work = "Hallucinations or missing information",
  },
}

--- faithfulness in [0, 1]: a model (gpt-4o, temperature 0) sees query, expected keywords, all tool
--- outputs and the answer. A blank answer is 0 and not sent. A verdict that cannot be used is asked
--- for once more, then unscored judge_value, judge_range, judge_ambiguous, judge_refused,
--- judge_truncated or judge_forged; a judge that cannot be reached, judge_CODE. Its built-in
--- replacement is `grounded` with default weights.
---@async
---@param options evalhost.judges.Options|nil
---@return evalhost.Metric
return function(options)
  local made = model.judge(kind, options) -- no tail call: the level of errors counts frames
  return made
end
