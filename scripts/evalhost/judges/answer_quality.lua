-- judges/answer_quality.lua: is an answer from retrieved sources accurate, complete and relevant?

local text = require "evalhost.native.text"
local evidence = require "evalhost.evidence"
local grounding = require "evalhost.metrics.grounding"
local json = require "evalhost.native.json"
local metric = require "evalhost.metric"
local model = require "evalhost.judges.model"

local INSTRUCTIONS = [[
You judge the quality of an answer to a question. You are given the question, the texts that were
retrieved for it, the expected answer or sources where there are any, and the response.

Score each from 0.0 to 1.0
- accuracy: every statement is supported by the retrieved texts.
- completeness: the response covers what the question asks and the expected sources say.
- relevance: it answers this question, without digressions.
- overall_score: the quality of the response as a whole.

Give "reasoning", a few sentences, and the four numbers.]]

local function data(case, outcome)
  local shown = model.data(case, outcome)
  local expected = case.expected or {}
  shown.retrieved = json.array(evidence.of { sources = outcome.sources,
    citations = outcome.citations })
  shown.sources = outcome.sources
  shown.expected_answer = expected.answer
  shown.expected_sources = expected.sources
  return shown
end

local function id_of(source)
  return type(source) == "table" and (source.id or source.title) or source
end

local function content_words(value)
  local words = {}
  for _, word in ipairs(text.words(text.normalize(value))) do
    if #word > 3 then
      words[word] = true
    end
  end
  return words
end

-- The share of the words in one set that are in the other; nil for an empty set.
local function share(wanted, present)
  local total, found = 0, 0
  for word in pairs(wanted) do
    total = total + 1
    found = found + (present[word] and 1 or 0)
  end
  return total > 0 and found / total or nil
end

local function text_of_source(outcome, id)
  for _, list in ipairs { outcome.sources or {}, outcome.citations or {} } do
    for _, source in ipairs(list) do
      if type(source) == "table" and type(source.text) == "string"
        and text.normalize(tostring(id_of(source))) == text.normalize(tostring(id)) then
        return source.text
      end
    end
  end
end

-- An expected source is used if the answer shares words with its text that the question lacks.
local function completeness(case, outcome, answer, query)
  local expected = case.expected and case.expected.sources or {}
  local used = 0
  for _, source in ipairs(expected) do
    local words = content_words(text_of_source(outcome, id_of(source)) or "")
    for word in pairs(words) do
      if answer[word] and not query[word] then
        used = used + 1
        break
      end
    end
  end
  return #expected > 0 and used / #expected or nil
end

local function builtin(case, outcome)
  local answer, query = content_words(outcome.answer), content_words(evidence.query(case))
  local _, reason, ground = grounding.judge(case, outcome)
  local parts = {
    accuracy = ground and ground.facts,
    completeness = completeness(case, outcome, answer, query),
    relevance = share(query, answer),
  }
  local sum, n = 0, 0
  for _, value in pairs(parts) do
    sum, n = sum + value, n + 1
  end
  if n == 0 then
    return metric.unscored("nothing_to_check", "there is nothing that could be checked")
  end
  return { value = sum / n, reason = ground and reason or nil, detail = parts }
end

local kind = {
  name = "answer_quality",
  label = "Answer quality",
  help = "accurate, complete, relevant",
  model = "gpt-4o-mini",
  temperature = 0.1,
  instructions = INSTRUCTIONS,
  form = {
    value = "overall_score",
    numbers = {
      overall_score = { 0, 1 }, accuracy = { 0, 1 }, completeness = { 0, 1 }, relevance = { 0, 1 },
    },
    texts = { "reasoning" },
  },
  order = { "accuracy", "completeness", "relevance", "overall_score" },
  data = data,
  builtin = builtin,
}

--- answer_quality in [0, 1]: a model (gpt-4o-mini, temperature 0.1) gives overall_score, which is
--- the value, and accuracy, completeness, relevance, which are details. Rules as for faithfulness.
--- The built-in replacement: accuracy = share of supported facts, completeness = share of the
--- expected sources whose text is used, relevance = share of the question's content words in the
--- answer; the value is the mean of those that apply.
---@async
---@param options evalhost.judges.Options|nil
---@return evalhost.Metric
return function(options)
  local made = model.judge(kind, options) -- no tail call: the level of errors counts frames
  return made
end
