-- life.lua: what happens to one case: target -> outcome -> metrics and judges -> score -> verdict.
-- The rule above all: a broken network, judge or script is never reported as a wrong answer.

local bounds = require "evalhost.bounds"
local digest = require "evalhost.native.digest"
local fiber = require "evalhost.native.fiber"
local metric = require "evalhost.metric"
local os_ = require "evalhost.native.os"
local outcome = require "evalhost.outcome"
local values = require "evalhost.values"

local life = {}

---@class evalhost.Context what targets and metrics get beside the case
---@field params table<string, any>
---@field target string
---@field run_id string
---@field case_index integer
---@field repeat_index integer
---@field seed integer
---@field random fun(m?: integer, n?: integer): number
---@field time_left fun(): number seconds of active work left
---@field log fun(level: string, text: string)

-- ctx.log is made when it is first asked for: most targets log nothing.
local Context = {}

function Context.__index(ctx, key)
  if key ~= "log" then
    return nil
  end
  local run, id = ctx[Context].run, ctx[Context].id
  local function log(level, text)
    run.log(id, level, text)
  end
  rawset(ctx, "log", log)
  return log
end

---@param run table
---@param case table
---@param index integer
---@param attempt integer
---@return evalhost.Context
local function context(run, case, index, attempt)
  local a, b = digest.mix(run.seed .. "|" .. case.id .. "|" .. attempt)
  fiber.seed(a, b)
  return setmetatable({
    params = run.params, target = run.target_name, run_id = run.id,
    case_index = index, repeat_index = attempt, seed = a,
    random = math.random, time_left = fiber.time_left, [Context] = { run = run, id = case.id },
  }, Context)
end

-- Seconds of the current case that were spent waiting (backoff, rate limits).
local function waited()
  return fiber.locals().waited or 0
end

-- Milliseconds, to the microsecond: more digits than that are noise.
local function milliseconds(seconds)
  return math.floor(math.max(0, seconds) * 1e6 + 0.5) / 1e3
end

-- A failure of the target, as the record keeps it.
local function failure(err)
  if type(err) ~= "table" then
    return { code = "target_error", message = fiber.text(err) }
  end
  local code, message = err.code, err.message
  return {
    code = type(code) == "string" and code or "target_error",
    message = type(message) == "string" and message or fiber.text(err),
    phase = type(err.phase) == "string" and err.phase or nil,
    status = math.type(err.status) == "integer" and err.status or nil,
    traceback = code == "lua_error" and type(err.traceback) == "string" and err.traceback or nil,
  }
end

-- Was the case asked to stop? A target or a metric may use the word as well.
local function is_cancelled(run, code)
  return code == "cancelled" and run.stopped ~= nil
end

-- Asks the target. Gives the outcome, or nil and why there is none (and what there was of one).
local function ask(run, case, ctx)
  local before = waited()
  local started = os_.mono()
  local ok, reply, err = fiber.timeout(run.case_timeout, run.target, case, ctx)
  local wait = waited() - before
  local timing = { target_ms = milliseconds(os_.mono() - started - wait),
    wait_ms = milliseconds(wait) }
  if not ok then
    local failed = failure(reply)
    failed.phase = failed.phase and fiber.locals().phase or failed.phase -- a tool's, if in one
    return nil, timing, failed, type(reply) == "table" and reply.partial or nil
  elseif reply == nil then
    return nil, timing, failure(err == nil and "the target returned nil" or err),
      type(err) == "table" and err.partial or nil
  end
  local readable, result, problem = pcall(outcome.new, reply)
  if not readable then -- a table with metamethods that raise
    return nil, timing, { code = "bad_outcome", message = failure(result).message }
  elseif not result then
    return nil, timing, { code = "bad_outcome", message = problem }
  end
  result.latency_ms = timing.target_ms
  return result, timing
end

-- One metric; its failure is its own.
local function measure(entry, case, result, ctx)
  local ok, value, reason, detail = fiber.timeout(math.huge, entry.fn, case, result, ctx)
  if ok then
    return metric.result(entry.metric, value, reason, detail)
  end
  local err = failure(value)
  local code = err.code == "lua_error" and "scorer_error" or err.code
  return { unscored = code, reason = err.message }
end

-- All metrics under one deadline. Those that it cuts off are unscored. The second result says that
-- the case was asked to stop meanwhile.
local function measure_all(run, case, result, ctx)
  local results, stopped = {}, false
  local ok, err = fiber.timeout(run.judge_timeout, function()
    for _, entry in ipairs(run.measured) do
      results[entry.name] = measure(entry, case, result, ctx)
      stopped = stopped or is_cancelled(run, results[entry.name].unscored)
    end
  end)
  stopped = stopped or not ok and is_cancelled(run, err.code)
  for _, entry in ipairs(run.metrics) do
    if not results[entry.name] then
      results[entry.name] = { unscored = stopped and "cancelled" or "judge_timeout",
        reason = tostring(err) }
    end
    results[entry.name].judge = entry.judge
  end
  return results, stopped
end

-- A formula of the suite: its value and its reason; or nil, nil and a record of why it has none.
local function formula(name, fn, m, run, case)
  local ok, value, reason = fiber.timeout(run.judge_timeout, fn, m, run.params, case)
  local read = values.unscored_read(m)
  if read then
    return nil, nil, { code = "unscored", metric = read }
  elseif not ok then
    return nil, nil, { code = "scorer_error", message = ("%s: %s"):format(name, fiber.text(value)) }
  end
  return value, reason ~= nil and fiber.text(reason) or nil
end

local function list_values(run, results)
  local parts = {}
  for _, entry in ipairs(run.metrics) do
    local value = results[entry.name].value
    local shown = value and ("%.14g"):format(value) or "unscored"
    parts[#parts + 1] = ("%s = %s"):format(entry.name, shown)
  end
  return table.concat(parts, ", ")
end

local function score(run, case, results)
  local value, _, problem = formula("score", run.suite.score, values.new(results), run, case)
  if problem then
    return nil, problem
  elseif type(value) ~= "number" then
    return nil, { code = "scorer_type", message = ("score: the formula returned a %s"):format(
      type(value)) }
  elseif value ~= value or value == math.huge or value == -math.huge then
    return nil, { code = "scorer_nan", message = ("score is %s with %s"):format(value,
      list_values(run, results)) }
  end
  return value
end

-- pass = { intent_ok = 1, latency_ms = "<= 5000" }
local function pass_by_bounds(list, m)
  local reasons = {}
  for _, item in ipairs(list) do
    local value = m[item.name]
    if not bounds.met(item.bound, value) then
      reasons[#reasons + 1] = ("%s is %.6g, wanted %s"):format(item.name, value,
        bounds.text(item.bound))
    end
  end
  return #reasons == 0, table.concat(reasons, "; ")
end

-- The score as `pass` reads it.
local function score_result(value, problem)
  return value and { value = value }
    or { unscored = problem and problem.code or "no_score", reason = problem and problem.message }
end

-- "pass" or "fail" with a reason, or "unscored" and its cause.
local function judge(run, case, results, value, problem)
  local pass = run.suite.pass
  if not pass then
    if problem then
      return "unscored", nil, problem
    end
    for _, entry in ipairs(run.metrics) do
      if results[entry.name].value == nil then
        return "unscored", nil, { code = "unscored", metric = entry.name }
      end
    end
    return "scored"
  end
  local m = values.new(results, score_result(value, problem))
  local fn, name = pass.fn, "pass"
  if pass.kind == "score" then
    if not value then
      return "unscored", nil, problem
    end
    local met = bounds.met(pass.bound, value)
    return met and "pass" or "fail",
      not met and ("score is %.6g, wanted %s"):format(value, bounds.text(pass.bound)) or nil
  elseif pass.kind == "bounds" then
    fn = function(all) return pass_by_bounds(pass.bounds, all) end
  end
  local passed, reason, cause = formula(name, fn, m, run, case)
  if cause then
    return "unscored", nil, cause
  elseif type(passed) ~= "boolean" then
    return "unscored", nil, { code = "scorer_type", message =
      ("pass: the rule returned a %s, not a boolean"):format(type(passed)) }
  end
  return passed and "pass" or "fail", reason ~= "" and reason or nil
end

-- Why a verdict is unscored, in words.
local function unscored_error(results, problem)
  if not problem then
    return nil
  end
  local result = problem.metric and results[problem.metric]
  if result then
    return { code = result.unscored, message = ("%s: %s"):format(problem.metric,
      result.reason or result.unscored) }
  elseif problem.metric == "score" then
    return { code = "unscored", message = "score is unscored" }
  end
  return { code = problem.code, message = problem.message }
end

local function tokens(usage, key)
  local count = usage[key]
  return type(count) == "number" and count >= 0 and count < math.huge and count or nil
end

local function cost(run, result)
  local price, usage = run.suite.prices[result.model or false], result.usage
  local input = price and usage and tokens(usage, "input_tokens")
  local output = price and usage and tokens(usage, "output_tokens")
  if not input or not output then
    return nil
  end
  local cached = tokens(usage, "cached_input_tokens") or 0
  local input_price = price.input or price[1] or 0
  return ((input - cached) * input_price
    + cached * (price.cached_input or price[2] or input_price)
    + output * (price.output or price[3] or 0)) / 1e6
end

local function no_answer(result)
  local blank = result.answer == nil or not result.answer:find "%S"
  if blank and #result.tool_calls == 0 then
    for _, flag in ipairs(result.flags) do
      if flag == "truncated_output" then
        return true
      end
    end
  end
  return false
end

---@class evalhost.Result one attempt at one case
---@field case table
---@field index integer
---@field attempt integer
---@field verdict "pass"|"fail"|"scored"|"error"|"unscored"|"cancelled"
---@field score number|nil
---@field metrics table<string, table>
---@field outcome table|nil
---@field error table|nil { code, message }
---@field reason string|nil why it failed
---@field cost number|nil USD
---@field timings table

--- Lives one case through. Never raises but when the run itself is cancelled.
---@param run table
---@param case table
---@param index integer
---@param attempt integer
---@return evalhost.Result
function life.run(run, case, index, attempt)
  -- Targets get a case of their own: what they change in it stays out of the record.
  local ctx, original = context(run, case, index, attempt), case
  case = { id = case.id, input = case.input, expected = case.expected, metadata = case.metadata }
  fiber.name(("case %s, target %s"):format(case.id, run.target_name))
  local result = { case = original, index = index, attempt = attempt, metrics = {} }
  local reply, timing, err, partial = ask(run, case, ctx)
  result.timings = { target_ms = timing.target_ms, wait_ms = timing.wait_ms, judge_ms = 0 }
  if not reply then
    result.verdict = is_cancelled(run, err.code) and "cancelled" or "error"
    result.error = err
    result.outcome = partial and outcome.new(partial) or nil
    return result
  end
  result.outcome, result.cost = reply, cost(run, reply)
  if no_answer(reply) and run.suite.pass then
    result.verdict, result.reason = "fail", "no_answer"
    for _, entry in ipairs(run.metrics) do
      result.metrics[entry.name] = { unscored = "no_answer", reason = "the reply was cut at its "
        .. "length limit with nothing in it", judge = entry.judge }
    end
    return result
  end
  local before, started = waited(), os_.mono()
  local stopped
  result.metrics, stopped = measure_all(run, case, reply, ctx)
  local wait = waited() - before
  result.timings.wait_ms = result.timings.wait_ms + milliseconds(wait)
  result.timings.judge_ms = milliseconds(os_.mono() - started - wait)
  if stopped then
    result.verdict = "cancelled"
    result.error = { code = "cancelled", message = "cancelled before it had a verdict" }
    return result
  end
  local problem
  if run.suite.score then
    result.score, problem = score(run, case, result.metrics)
  end
  local cause
  result.verdict, result.reason, cause = judge(run, case, result.metrics, result.score, problem)
  if result.verdict == "unscored" then
    if cause and cause.metric == "score" then
      cause = problem or cause
    end
    result.error = unscored_error(result.metrics, cause)
      or { code = "unscored", message = "a value that the rule needs is unscored" }
  end
  return result
end

return life
