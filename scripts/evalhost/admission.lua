-- admission.lua: the cases of a run in flight: who may start, what happens to a result, and how a
-- signal ends it all. Announced = durable: a result is committed before it is shown.

local fiber = require "evalhost.native.fiber"
local host = require "evalhost.native.host"
local life = require "evalhost.life"
local os_ = require "evalhost.native.os"
local record = require "evalhost.record"

local admission = {}

-- After a signal, cases in flight have this long to end by themselves.
local GRACE = 10
local GOOD = { pass = true, scored = true }

local function cancelled_result(case, index, attempt)
  return { case = case, index = index, attempt = attempt, verdict = "cancelled", metrics = {},
    error = { code = "cancelled", message = "cancelled before it had a result" },
    timings = { target_ms = 0, judge_ms = 0, wait_ms = 0 } }
end

-- A result as JSON. What JSON cannot say makes it an error: without the outcome, and without the
-- rest of the case where the target has changed that.
local function kept(result)
  local text, err = record.encode(result)
  if text then
    return text
  end
  result.verdict, result.score, result.reason, result.cost = "error", nil, nil, nil
  result.error = { code = "bad_outcome", message = ("the outcome cannot be kept as JSON: %s")
    :format(err.message) }
  result.outcome, result.metrics = nil, {}
  text, err = record.encode(result)
  if text then
    return text
  end
  result.error.message = "the target changed the case to what JSON cannot keep: " .. err.message
  result.case = { id = result.case.id }
  return assert(record.encode(result))
end

-- What the store keeps of a result. Of the result itself only what is still to be shown stays: many
-- wait for one commit, and what they hold would be most of the memory.
local function row(run, result)
  local text = kept(result)
  local figures, id = record.figures(result), result.case.id
  result.outcome = nil
  if not run.options.verbose then
    result.metrics, result.case = nil, { id = id }
  end
  return result.index, result.attempt, id, result.verdict, result.score, figures, text
end

-- Commits a result; only then is it shown.
local function commit(run, result)
  local ok, err = run.stored:put(row(run, result))
  if not ok then
    run.store_error = run.store_error or err
    return
  end
  run.state:count(result)
  run.console:result(result)
end

local function live(run, case, index, attempt)
  local id = case.id
  local ok, result = fiber.timeout(math.huge, life.run, run, case, index, attempt)
  if not ok then
    if result.code ~= "cancelled" then
      run.fault = run.fault or result
    end
    result = cancelled_result(case, index, attempt)
  end
  case.id = id -- whatever the target made of it
  if run.options.fail_fast and not GOOD[result.verdict] then
    run.stopped = run.stopped or "fail-fast" -- before there is a place for the next
  end
  -- The result must be kept even in a fiber that was asked to stop; the place is free for the
  -- next case meanwhile.
  fiber.settle()
  fiber.release()
  local _ <close> = setmetatable({}, { __close = fiber.left })
  commit(run, result)
end

-- The counts that progress shows.
local State = {}
State.__index = State

function State:count(result)
  self.done = self.done + 1
  self[result.verdict] = self[result.verdict] + 1
  self.cost = self.cost + (result.cost or 0)
end

local function new_state(plan, run)
  local total = plan.total and plan.total * run.suite.repeats.n
  return setmetatable({ total = total, done = 0, pass = 0, fail = 0, error = 0,
    unscored = 0, scored = 0, cancelled = 0, cost = 0, in_flight = 0,
    started = os_.mono() }, State)
end

-- No new cases from here on.
local function stopping(run)
  return run.stopped or run.store_error or run.fault
end

-- Starts one attempt when there is a place for it; false when the run is stopping.
local function admit(run, case, index, attempt)
  fiber.admit()
  if stopping(run) then
    fiber.release()
    fiber.left()
    return false
  end
  local handle
  handle = fiber.spawn(function()
    local _ <close> = setmetatable({}, { __close = function(_, err)
      run.fault = run.fault or err -- our own; it must not leave the run waiting
      run.fibers[handle] = nil
      run.state.in_flight = run.state.in_flight - 1
      run.changed:wake()
    end })
    live(run, case, index, attempt)
  end)
  run.fibers[handle] = true
  run.state.in_flight = run.state.in_flight + 1
  return true
end

local function admit_all(run, plan)
  local planned = 0
  local ok, problems = plan.visit(function(case, index)
    planned = index
    for attempt = 1, run.suite.repeats.n do
      if not admit(run, case, index, attempt) then
        return true
      end
    end
  end, function(problem)
    run.fault = run.fault or { code = "data", message = ("the test data changed or is wrong: row "
      .. "%d: %s"):format(problem.row or 0, problem.message) }
    return true
  end)
  if not ok then
    run.fault = run.fault or problems
  end
  return planned
end


-- The first signal stops admission; what is in flight gets a grace, then is cancelled.
local function watch_signals(run)
  host.wait_signal()
  run.stopped = host.signal()
  run.changed:wake()
  run.console:stopping(run.stopped, run.state, GRACE)
  fiber.sleep(GRACE)
  for handle in pairs(run.fibers) do
    handle:cancel()
  end
end

local function tick(run)
  while true do
    run.console:tick(run.state)
    fiber.sleep(run.console.interval)
  end
end

-- Runs something beside the cases until it is cancelled. If it fails, the run has a fault: nobody
-- would hear of a signal, or of progress, and not know why.
local function beside(run, fn)
  return fiber.spawn(function()
    local ok, err = fiber.timeout(math.huge, fn, run)
    if not ok and err.code ~= "cancelled" then
      run.fault = run.fault or err
      run.changed:wake()
    end
  end)
end

-- Runs work with helpers beside it that end when it does.
local function with_helpers(run, work)
  local helpers = { beside(run, watch_signals) }
  if run.console.interval then
    helpers[2] = beside(run, tick)
  end
  local ok, result = fiber.timeout(math.huge, work)
  for _, helper in ipairs(helpers) do
    helper:cancel()
  end
  if not ok then
    error(result, 0)
  end
  return result
end

--- Runs the cases of a plan, as many at once as there are places, until none is left or the run
--- stops. Sets run.state, run.stopped (a signal, or "fail-fast"), run.store_error and run.fault.
---@async
---@param run table
---@param plan evalhost.Plan
---@return integer planned how many cases there were to run
function admission.run(run, plan)
  run.state, run.changed, run.fibers = new_state(plan, run), fiber.event(), {}
  run.console:started(run, plan)
  return with_helpers(run, function()
    local planned = admit_all(run, plan)
    while next(run.fibers) do
      run.changed:wait()
    end
    return plan.total or planned
  end)
end

return admission
