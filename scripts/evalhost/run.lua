-- run.lua: the command `evalhost run`: prepare, begin in the store, admit the cases, end.

local admission = require "evalhost.admission"
local console = require "evalhost.report.console"
local ending = require "evalhost.ending"
local exit = require "evalhost.exit"
local fiber = require "evalhost.native.fiber"
local fs = require "evalhost.native.fs"
local git = require "evalhost.git"
local host = require "evalhost.native.host"
local json = require "evalhost.native.json"
local os_ = require "evalhost.native.os"
local prepare = require "evalhost.prepare"
local record = require "evalhost.record"
local report = require "evalhost.report"
local store = require "evalhost.native.store"

local run_suite = {}

local DEFAULT_STORE = ".evalhost/store.db"

local function open_store(run)
  local path = run.options.store or DEFAULT_STORE
  local ok, err = fs.mkdir(fs.dirname(fs.absolute(path)))
  if not ok then
    return nil, err
  end
  return store.open(path)
end

---@class evalhost.Run everything about one run; prepare.lua fills in what is settled before it
local Run = {}
Run.__index = Run

--- What is known of a run when it starts: kept with it, and completed at its end.
function Run:header()
  return record.run {
    id = self.id, suite = self.suite.name, status = "running",
    started_at = os_.iso(self.started_at), version = host.version, seed = self.seed,
    params = self.params, target = self.target_name, judges = self.judges,
    fingerprint = self.fingerprint, suite_sha256 = self.suite.sha256,
    git = self.git and self.git:known(), notes = self.notes,
  }
end

local function begin(run)
  local handle, err = open_store(run)
  if not handle then
    return nil, err
  end
  run.store, run.started_at, run.started = handle, os_.wall(), os_.mono()
  run.stored, err = handle:begin {
    suite = run.suite.name, target = run.target_name, started_at = run.started_at,
    header = assert(json.encode(run:header(), { repair = true })),
  }
  if not run.stored then
    return nil, err
  end
  run.id = run.stored.id
  return true
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
    return (err.code == "corrupt" or err.code == "version") and exit.store or exit.usage
  end
  local problem
  ok, problem = hook(run, "setup")
  if not ok then
    console.problem(problem)
    run.stored:finish { status = "error", exit_code = exit.usage }
    return exit.usage
  end
  local planned = admission.run(run, plan)
  ok, problem = hook(run, "teardown")
  if not ok then
    run.notes[#run.notes + 1] = problem
  end
  if planned == 0 and not run.stopped and not run.fault then -- an iterator without cases
    console.problem "the test data holds no cases"
    run.stored:finish { status = "error", exit_code = exit.usage }
    return exit.usage
  end
  return ending.finish(run, planned)
end

local function go(run, plan)
  run.notes = json.array(run.warnings)
  run.console = console.new(run)
  run.log = function(id, level, text) run.console:log(id, level, text) end
  fiber.admit_at_most(run.options.jobs or run.suite.limits.concurrency)
  run.git = git.start()
  local ok, problem = preflight(run)
  if ok then
    return start(run, plan)
  end
  console.problem(problem)
  problem = report.preflight_failed(run, problem)
  if problem then
    console.problem(problem)
  end
  return exit.usage
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
    return exit.usage
  end
  local run, plan = prepare.run(options)
  if not run then
    console.problems(plan)
    return exit.usage
  end
  setmetatable(run, Run)
  local code = go(run, plan)
  if run.spooled then
    fs.remove(run.spooled)
  end
  return code
end

return run_suite
