-- record.lua: the canonical JSON (schema evalhost.run/1): which keys, in which order. A record's
-- keys are always all written; what is absent is null.

local json = require "evalhost.native.json"
local secrets = require "evalhost.secrets"

local record = {}

local REPAIR = { repair = true } -- of invalid UTF-8

record.SCHEMA = "evalhost.run/1"

record.document = json.record { "schema", "run", "summary", "thresholds", "cases" }

record.run = json.record {
  "id", "suite", "status", "exit_code", "started_at", "finished_at", "duration_ms", "version",
  "seed", "params", "target", "judges", "fingerprint", "suite_sha256", "git", "notes",
}

record.summary = json.record {
  "cases", "passed", "failed", "errors", "unscored", "cancelled", "pass_rate",
  "pass_rate_scored", "pass_rate_ci", "pass_rate_ci_method", "metrics", "score", "tokens",
  "latency_ms", "cost_usd",
}

record.metric_summary = json.record {
  "label", "mean", "ci", "ci_method", "min", "max", "n", "unscored", "better", "details",
}

record.score_summary = json.record { "mean", "ci", "ci_method", "best", "min", "max", "n" }

record.tokens = json.record { "input", "output", "total" }

record.latency = json.record { "mean", "p50", "p95", "p99", "max" }

record.threshold = json.record { "level", "figure", "op", "limit", "actual", "met" }

local Case = json.record {
  "id", "repeat", "verdict", "score", "metrics", "input", "expected", "metadata", "outcome",
  "error", "reason", "flags", "timings", "cost_usd", "attempts", "cached",
}
record.case = Case

local Attempt = json.record {
  "repeat", "verdict", "score", "metrics", "outcome", "error", "reason", "flags", "timings",
  "cost_usd", "cached",
}

local Metric = json.record { "value", "reason", "detail", "unscored", "judge" }

local Outcome = json.record {
  "answer", "tool_calls", "sources", "citations", "usage", "latency_ms",
}

local Call = json.record { "name", "arguments", "result", "error" }

local Failure = json.record { "code", "message" }

local Timings = json.record { "target_ms", "judge_ms", "wait_ms" }

local Expected = json.record { "name", "arguments" }

local function mark_list(list, mark)
  for _, item in pairs(type(list) == "table" and list or {}) do
    mark(item)
  end
end

local function mark_parts(case)
  mark_list(case.metrics, Metric)
  if type(case.outcome) == "table" then
    Outcome(case.outcome)
    mark_list(case.outcome.tool_calls, Call)
  end
  if type(case.error) == "table" then
    Failure(case.error)
  end
  if type(case.timings) == "table" then
    Timings(case.timings)
  end
end

--- Gives a case, built or decoded, the order of its keys.
---@param case table
---@return table the same
function record.mark(case)
  mark_parts(case)
  if type(case.expected) == "table" then
    mark_list(case.expected.tools, Expected)
  end
  return Case(case)
end

--- The same for one of a case's attempts, which leave out what stands at the case.
---@param attempt table
---@return table the same
function record.mark_attempt(attempt)
  mark_parts(attempt)
  return Attempt(attempt)
end

--- The canonical case of one attempt, as JSON text without secrets. What a target put into an
--- outcome that JSON cannot say (a function, say) is an error, which the runner turns into the
--- case's own.
---@param result evalhost.Result
---@return string|nil
---@return table|nil err
function record.encode(result)
  local case = result.case
  local flags = result.outcome and result.outcome.flags or json.array()
  if result.outcome then
    result.outcome.flags = nil -- they stand beside the outcome
  end
  local text, err = json.encode(record.mark {
    id = case.id, ["repeat"] = result.attempt, verdict = result.verdict, score = result.score,
    metrics = result.metrics, input = case.input, expected = case.expected,
    metadata = case.metadata, outcome = result.outcome, error = result.error,
    reason = result.reason, flags = flags, timings = result.timings, cost_usd = result.cost,
    attempts = json.array(), cached = false,
  }, REPAIR)
  return text and secrets.without_values(text), err
end

local function finite(value)
  return type(value) == "number" and value == value and math.abs(value) < math.huge and value or nil
end

--- The numbers of one attempt, as compact JSON, for statistics without reading whole records.
---@param result evalhost.Result
---@return string
function record.figures(result)
  local values, details = {}, nil
  for name, metric in pairs(result.metrics) do
    values[name] = metric.value or json.null
    for key, value in pairs(metric.value and metric.detail or {}) do
      if type(key) == "string" and finite(value) then
        details = details or {}
        details[name .. "." .. key] = value
      end
    end
  end
  local reply = result.outcome or {}
  local usage = reply.usage or {}
  return assert(json.encode({
    m = values, d = details, l = finite(reply.latency_ms), c = finite(result.cost),
    i = finite(usage.input_tokens), o = finite(usage.output_tokens),
    t = finite(usage.total_tokens),
  }, REPAIR))
end

return record
