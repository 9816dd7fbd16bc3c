-- ending.lua: how a run ends: its document, its exit code, what it leaves behind.

local console = require "evalhost.report.console"
local exit = require "evalhost.exit"
local fiber = require "evalhost.native.fiber"
local json = require "evalhost.native.json"
local os_ = require "evalhost.native.os"
local report = require "evalhost.report"
local summary = require "evalhost.summary"

local ending = {}

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
    return exit.store, "error"
  elseif run.fault and run.fault.code == "data" then
    return exit.error, "error" -- the cases that ran are good; the data ended it
  elseif run.fault then
    return exit.internal, "error"
  elseif exit.signals[run.stopped] then
    return exit.signals[run.stopped], "interrupted"
  elseif over(all.errors, tolerance.errors, all.cases)
    or over(all.unscored, tolerance.unscored, all.cases) then
    return exit.error, "error"
  elseif not met or run.stopped then
    return exit.failed, "failed"
  end
  return exit.passed, "passed"
end

local function document(run, planned)
  local all = summary.of(run, planned)
  local thresholds, met = summary.thresholds(run.suite, all)
  local code, status = conclude(run, all, met)
  local finished = os_.wall()
  local head = run:header()
  head.git = run.git and run.git:result()
  head.status, head.exit_code = status, code
  head.finished_at = os_.iso(finished)
  head.duration_ms = math.floor((os_.mono() - run.started) * 1e6) / 1e3
  return { run = head, summary = all, thresholds = thresholds }, code
end

--- Ends a run: statistics from the store, thresholds, files, the last page on the console.
---@async
---@param run table
---@param planned integer
---@return integer exit code
function ending.finish(run, planned)
  local doc, code = document(run, planned)
  local ok, err = run.stored:finish {
    status = doc.run.status, exit_code = code,
    summary = assert(json.encode({ run = doc.run, summary = doc.summary,
      thresholds = doc.thresholds }, { repair = true })),
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
    return exit.store
  elseif run.fault then
    local message = type(run.fault) == "table" and rawget(run.fault, "message")
    console.problem("the run was stopped: " .. fiber.text(message or run.fault))
  end
  return #problems > 0 and exit.store or code
end

return ending
