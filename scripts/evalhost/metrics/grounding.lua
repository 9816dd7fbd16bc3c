-- metrics/grounding.lua: does the answer rest on what the tools and sources said?

local native = require "evalhost.native.ground"
local check = require "evalhost.check"
local evidence = require "evalhost.evidence"
local metric = require "evalhost.metric"

local grounding = {}

--- keywords in [0, 1]: the share of case.expected.keywords that occur in the answer, as whole
--- phrases, after case folding. `any = true`: the list holds synonyms, 1 if any occurs. Unscored
--- `no_expected_keywords` without keywords.
---@param options { any: boolean|nil, of: string|nil }|nil `of`: another field than the answer
---@return evalhost.Metric
function grounding.keywords(options)
  local o = check.options(options, { any = { "boolean", false }, of = { "string", "answer" } },
    "eval.metrics.keywords")
  return metric.describe {
    label = "Keywords",
    help = "share of the expected keywords in the answer",
    range = { 0, 1 },
    fn = function(case, outcome)
      local text = outcome[o.of]
      local value, absent = native.keywords(type(text) == "string" and text or "",
        evidence.keywords(case), o.any)
      if value == nil then
        return metric.unscored("no_expected_keywords", "the case expects no keywords")
      end
      return {
        value = value,
        reason = value < 1 and "not in the answer: " .. table.concat(absent, ", ") or nil,
      }
    end,
  }
end

--- The built-in, model-free judgement of an answer. Value, reason and detail { keywords, facts,
--- coverage, absent, claims }; or nil and a code.
---@param case table
---@param outcome table
---@param weights { keywords: number|nil, facts: number|nil, coverage: number|nil }|nil
---@return number|nil value
---@return string reason
---@return table|nil detail
function grounding.judge(case, outcome, weights)
  return native.grounded {
    answer = type(outcome.answer) == "string" and outcome.answer or "",
    query = evidence.query(case),
    keywords = evidence.keywords(case),
    evidence = evidence.of(outcome),
    weights = weights,
  }
end

--- grounded in [0, 1], the model-free judge: 0.4 keywords + 0.4 facts + 0.2 coverage; the weights
--- are the options, those of parts that do not apply are shared out. keywords: share of the
--- expected keywords all of whose words stand in one sentence; facts: share of the answer's
--- numbers, dates and names that follow from tool outputs and sources; coverage: share of its
--- content words that occur there. A blank answer is 0; unscored `nothing_to_check` where no part
--- applies.
---@param options { keywords: number|nil, facts: number|nil, coverage: number|nil }|nil
---@return evalhost.Metric
function grounding.grounded(options)
  local weights = check.options(options, {
    keywords = { "number", 0.4 }, facts = { "number", 0.4 }, coverage = { "number", 0.2 },
  }, "eval.metrics.grounded")
  local sum = 0
  for name, weight in pairs(weights) do
    if not (weight >= 0 and weight < math.huge) then
      error(("eval.metrics.grounded: %s must not be negative"):format(name), 2)
    end
    sum = sum + weight
  end
  if sum <= 0 then
    error("eval.metrics.grounded: the weights must not all be 0", 2)
  end
  return metric.describe {
    label = "Grounded",
    help = ("model-free: %g keywords + %g facts + %g coverage"):format(weights.keywords,
      weights.facts, weights.coverage),
    range = { 0, 1 },
    fn = function(case, outcome)
      local value, reason, detail = grounding.judge(case, outcome, weights)
      if value == nil then
        return metric.unscored(reason, "there is nothing that could be checked")
      end
      return { value = value, reason = reason, detail = detail }
    end,
  }
end

local function id_of(item)
  if type(item) == "table" then
    item = item.id
  end
  return (type(item) == "string" or type(item) == "number") and tostring(item) or nil
end

--- citations_grounded {0, 1}: every cited id is the id of one of the outcome's sources. An answer
--- that cites nothing is 1; with `require = true`, 0. The detail `citing` has the value of those
--- that cite, so that the figure METRIC.citing is the rate among them.
---@param options { require: boolean|nil }|nil
---@return evalhost.Metric
function grounding.citations_grounded(options)
  local o = check.options(options, { require = { "boolean", false } },
    "eval.metrics.citations_grounded")
  return metric.describe {
    label = "Citations grounded",
    help = "every cited id is among the sources",
    range = { 0, 1 },
    fn = function(_, outcome)
      local citations = outcome.citations or {}
      if #citations == 0 then
        return { value = o.require and 0 or 1, reason = o.require and "nothing is cited" or nil }
      end
      local known, foreign = {}, {}
      for _, source in ipairs(outcome.sources or {}) do
        known[id_of(source) or false] = true
      end
      for _, citation in ipairs(citations) do
        local id = id_of(citation)
        if not id or not known[id] then
          foreign[#foreign + 1] = id or "(a citation without id)"
        end
      end
      local value = #foreign == 0 and 1 or 0
      return {
        value = value,
        reason = #foreign > 0 and "cited but not among the sources: "
          .. table.concat(foreign, ", ") or nil,
        detail = { citing = value },
      }
    end,
  }
end

return grounding
