-- run.lua: one run of a suite: plan, admission, commit, end. Mechanisms are native; the policy of a
-- run is all here.

local console = require "evalhost.report.console"
local fiber = require "evalhost.native.fiber"
local fs = require "evalhost.native.fs"
local git = require "evalhost.git"
local host = require "evalhost.native.host"
local json = require "evalhost.native.json"
local life = require "evalhost.life"
local os_ = require "evalhost.native.os"
local prepare = require "evalhost.prepare"
local record = require "evalhost.record"
local report = require "evalhost.report"
local store = require "evalhost.native.store"
local summary = require "evalhost.summary"

local run_suite = {}

-- After a signal, cases in flight have this long to end by themselves.
local GRACE = 10
local DEFAULT_STORE = ".evalhost/store.db"
local EXIT = { passed = 0, failed = 1, usage = 2, error = 3, store = 4, internal = 5 }
local GOOD = { pass = true, scored = true }
local SIGNALS = { SIGHUP = 129, SIGINT = 130, SIGTERM = 143 }

-- The store --------------------------------------------------------------

local function open_store(run)
  local path = run.options.store or DEFAULT_STORE
  local ok, err = fs.mkdir(fs.dirname(fs.absolute(path)))
  if not ok then
    return nil, err
  end
  return store.open(path)
end

-- What is known of a run when it starts: kept with it, and completed at its end.
local function header(run)
  return record.run {
    id = run.id, suite = run.suite.name, status = "running", started_at = os_.iso(run.started_at),
    version = host.version, seed = run.seed, params = run.params, target = run.target_name,
    judges = run.judges, fingerprint = run.fingerprint, suite_sha256 = run.suite.sha256,
    git = run.git and run.git:known(), notes = run.notes,
  }
end

local function begin(run)
  local handle, err = open_store(run)
  if not handle then
    return nil, err
  end
  run.store, run.started_at = handle, os_.wall()
  run.stored, err = handle:begin {
    suite = run.suite.name, target = run.target_name, started_at = run.started_at,
    header = assert(json.encode(header(run))),
  }
  if not run.stored then
    return nil, err
  end
  run.id = run.stored.id
  return true
end

-- Cases ------------------------------------------------------------------

local function cancelled_result(case, index, attempt)
  return { case = case, index = index, attempt = attempt, verdict = "cancelled", metrics = {},
    error = { code = "cancelled", message = "cancelled before it had a result" },
    timings = { target_ms = 0, judge_ms = 0, wait_ms = 0 } }
end

-- Commits a result; only then is it shown.
local function commit(run, result)
  local text, err = record.encode(result)
  if not text then
    result.verdict, result.score, result.reason = "error", nil, nil
    result.error = { code = "bad_outcome", message = ("the outcome cannot be kept as JSON: %s")
      :format(err.message) }
    result.outcome, result.metrics = nil, {}
    text = assert(record.encode(result))
  end
  local ok
  ok, err = run.stored:put(result.index, result.attempt, result.case.id, result.verdict,
    result.score, record.figures(result), text)
  if not ok then
    run.store_error = run.store_error or err
    return
  end
  run.state:count(result)
  run.console:result(result)
end

local function live(run, case, index, attempt)
  local ok, result = fiber.timeout(math.huge, life.run, run, case, index, attempt)
  if not ok then
    if result.code ~= "cancelled" then
      run.fault = run.fault or result
    end
    result = cancelled_result(case, index, attempt)
  end
  if run.options.fail_fast and not GOOD[result.verdict] then
    run.stopped = run.stopped or "fail-fast" -- before there is a place for the next
  end
  -- The result must be kept even in a fiber that was asked to stop; the place is free for the
  -- next case meanwhile.
  fiber.settle()
  fiber.release()
  commit(run, result)
  fiber.left()
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
  return setmetatable({ total = total, done = 0, in_flight = 0, pass = 0, fail = 0, error = 0,
    unscored = 0, scored = 0, cancelled = 0, cost = 0, started = os_.mono() }, State)
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
  local state = run.state
  state.in_flight = state.in_flight + 1
  run.fibers[fiber.spawn(function()
    live(run, case, index, attempt)
    state.in_flight = state.in_flight - 1
    run.changed:wake()
  end)] = true
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

-- Signals ------------------------------------------------------------------

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

-- Runs work with helpers beside it that end when it does.
local function with_helpers(run, work)
  local helpers = { fiber.spawn(watch_signals, run) }
  if run.console.interval then
    helpers[2] = fiber.spawn(tick, run)
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

local function run_cases(run, plan)
  return with_helpers(run, function()
    local planned = admit_all(run, plan)
    while run.state.in_flight > 0 do
      run.changed:wait()
    end
    return plan.total or planned
  end)
end

-- The end ------------------------------------------------------------------

local function over(count, tolerance, planned)
  if tolerance > 0 and tolerance < 1 then
    return count > tolerance * planned
  end
  return count > tolerance
end

-- Exit code and status (DESIGN section 3).
local function conclude(run, all, met)
  local tolerance = run.suite.tolerance
  if run.store_error then
    return EXIT.store, "error"
  elseif run.fault then
    return EXIT.internal, "error"
  elseif SIGNALS[run.stopped] then
    return SIGNALS[run.stopped], "interrupted"
  elseif over(all.errors, tolerance.errors, all.cases)
    or over(all.unscored, tolerance.unscored, all.cases) then
    return EXIT.error, "error"
  elseif not met or run.stopped then
    return EXIT.failed, "failed"
  end
  return EXIT.passed, "passed"
end

local function document(run, planned)
  local all = summary.of(run, planned)
  local thresholds, met = summary.thresholds(run.suite, all)
  local code, status = conclude(run, all, met)
  local finished = os_.wall()
  local head = header(run)
  head.git = run.git and run.git:result()
  head.status, head.exit_code = status, code
  head.finished_at = os_.iso(finished)
  head.duration_ms = (finished - run.started_at) / 1000
  return { run = head, summary = all, thresholds = thresholds }, code
end

local function finish(run, planned)
  local doc, code = document(run, planned)
  local ok, err = run.stored:finish {
    status = doc.run.status, exit_code = code,
    summary = assert(json.encode { run = doc.run, summary = doc.summary,
      thresholds = doc.thresholds }),
  }
  if not ok then
    run.store_error = run.store_error or err
  end
  local problems = report.write(run, doc)
  run.console:finished(run, doc)
  for _, problem in ipairs(problems) do
    console.problem(problem)
  end
  if run.store_error then
    console.problem("results could not be made durable: " .. fiber.text(run.store_error))
    return EXIT.store
  elseif run.fault then
    console.problem("the run was stopped: " .. fiber.text(run.fault))
  end
  return #problems > 0 and code < EXIT.store and EXIT.store or code
end

-- The suite's own checks before any case.
local function preflight(run)
  if not run.suite.preflight then
    return true
  end
  local ok, passed, reason = fiber.timeout(run.case_timeout, run.suite.preflight)
  if not ok then
    return nil, "preflight failed: " .. fiber.text(passed)
  elseif not passed then
    return nil, reason and fiber.text(reason) or "the suite's preflight said no, without a reason"
  end
  return true
end

local function hook(run, name)
  local fn = run.suite[name]
  if not fn then
    return true
  end
  local ok, err = fiber.timeout(run.case_timeout, fn, { params = run.params,
    target = run.target_name, run_id = run.id })
  return ok, not ok and ("%s failed: %s"):format(name, fiber.text(err)) or nil
end

local function start(run, plan)
  local ok, err = begin(run)
  if not ok then
    console.problem(("the store: %s"):format(fiber.text(err)))
    return (err.code == "corrupt" or err.code == "version") and EXIT.store or EXIT.usage
  end
  local problem
  ok, problem = hook(run, "setup")
  if not ok then
    console.problem(problem)
    run.stored:finish { status = "error", exit_code = EXIT.usage }
    return EXIT.usage
  end
  run.state, run.changed = new_state(plan, run), fiber.event()
  run.fibers = setmetatable({}, { __mode = "k" })
  run.console:started(run, plan)
  local planned = run_cases(run, plan)
  ok, problem = hook(run, "teardown")
  if not ok then
    run.notes[#run.notes + 1] = problem
  end
  return finish(run, planned)
end

--- The command `evalhost run`. Returns the exit code.
---@param options table the command line
---@return integer
function run_suite.main(options)
  local ok, problem = report.check(options)
  if not ok then
    if options.slot == 1 then -- the same for every target
      console.problem(problem)
    end
    return EXIT.usage
  end
  local run, plan = prepare.run(options)
  if not run then
    console.problems(plan)
    return EXIT.usage
  end
  run.notes = json.array(run.warnings)
  run.console = console.new(run)
  run.log = function(id, level, text) run.console:log(id, level, text) end
  fiber.admit_at_most(options.jobs or run.suite.limits.concurrency)
  run.git = git.start()
  ok, problem = preflight(run)
  if not ok then
    console.problem(problem)
    report.preflight_failed(run, problem)
    return EXIT.usage
  end
  local code = start(run, plan)
  if run.spooled then
    fs.remove(run.spooled)
  end
  return code
end

return run_suite
