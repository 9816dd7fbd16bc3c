-- admission_spec.lua: cases in flight: how many, what is kept of them, what stops them.

local admission = require "evalhost.admission"
local cases = require "evalhost.cases"
local fiber = require "evalhost.native.fiber"
local json = require "evalhost.native.json"
local progress = require "evalhost.report.progress"
local style = require "evalhost.report.style"
local suite = require "evalhost.suite"

after_each(function() fiber.admit_at_most(1) end)

-- A run over n cases with a store and a console that only take notes.
local function run_of(target, changes)
  changes = changes or {}
  local data = changes.data or { { input = "a" }, { input = "b" }, { input = "c" } }
  local made = suite.new { name = "demo", cases = data, target = target,
    metrics = { one = function() return 1 end }, repeats = changes.repeats }
  local entries = { { name = "one", metric = made.by_name.one, fn = made.by_name.one } }
  local run = { suite = made, seed = 0, id = "r", params = {}, target_name = "default",
    target = target, case_timeout = 5, judge_timeout = 5, options = changes.options or {},
    metrics = entries, measured = entries,
    log = function() end, kept = {}, shown = {} }
  run.stored = { put = function(_, index, attempt, id, verdict, score, figures, text)
    if changes.put then
      changes.put(index)
    end
    table.insert(run.kept, { index = index, attempt = attempt, id = id, verdict = verdict,
      score = score, figures = json.decode(figures), record = json.decode(text) })
    return not changes.full, changes.full
  end }
  run.console = { started = function() end, stopping = function() end, tick = function() end,
    result = function(_, result) table.insert(run.shown, result.case.id) end }
  return run, assert(cases.plan(data, {}))
end

local function admitted(target, changes)
  local run, plan = run_of(target, changes)
  fiber.admit_at_most(changes and changes.jobs or 4)
  run.planned = admission.run(run, plan)
  table.sort(run.kept, function(a, b)
    return a.index < b.index or a.index == b.index and a.attempt < b.attempt
  end)
  return run
end

describe("admission", function()
  it("runs every case and every attempt once", function()
    local run = admitted(function() return "y" end, { repeats = { n = 2 } })
    expect(run.planned):equals(3)
    expect(#run.kept):equals(6)
    expect({ run.kept[4].index, run.kept[4].attempt }):equals { 2, 2 }
    expect(run.state.done):equals(6)
    expect(run.state.scored):equals(6)
    expect(run.state.total):equals(6)
    expect(#run.shown):equals(6)
  end)

  it("counts what is in flight, for the progress line", function()
    local most, run = 0, nil
    run = run_of(function()
      fiber.sleep(0.01)
      most = math.max(most, run.state.in_flight)
      return "y"
    end)
    fiber.admit_at_most(2)
    admission.run(run, assert(cases.plan(run.suite.cases, {})))
    expect(most):equals(2)
    expect(run.state.in_flight):equals(0)
    expect(progress.line(run.state, { elapsed = 9, idle = 9, paint = style.new(false) }, 80))
      :equals "3/3  3 scored  0.3/s"
  end)

  it("has no more in flight than there are places", function()
    local now, most, data = 0, 0, {}
    for i = 1, 20 do
      data[i] = { input = "i" .. i }
    end
    admitted(function()
      now = now + 1
      most = math.max(most, now)
      fiber.sleep(0.002)
      now = now - 1
      return "y"
    end, { data = data, jobs = 3 })
    expect(most):equals(3)
  end)

  it("shows nothing that was not kept", function()
    local run
    run = admitted(function() return "y" end, { jobs = 1, full = { code = "disk_full" } })
    expect(run.store_error.code):equals "disk_full"
    expect(run.shown):equals {}
    expect(#run.kept < 3):equals(true) -- no new cases after that
  end)

  it("stops with the first that does not pass, if it should fail fast", function()
    local run = admitted(function(case)
      return case.input ~= "b" and "y" or nil, "no"
    end, { jobs = 1, options = { fail_fast = true } })
    expect(run.stopped):equals "fail-fast"
    expect(#run.kept):equals(2)
    expect(run.kept[2].verdict):equals "error"
  end)

  it("isolates cases from each other", function()
    local run = admitted(function(case)
      if case.input == "b" then
        error "boom"
      end
      return "y"
    end)
    expect(run.kept[1].verdict .. run.kept[2].verdict .. run.kept[3].verdict)
      :equals "scorederrorscored"
    expect(run.fault):equals(nil)
  end)
end)

describe("what is kept", function()
  it("of an outcome that JSON cannot say is an error", function()
    local run = admitted(function() return { answer = "y", raw = { agent = print } } end)
    expect(run.kept[1].verdict):equals "error"
    expect(run.kept[1].record.error.code):equals "bad_outcome"
    expect(run.kept[1].record.error.message:find "outcome.raw.agent" ~= nil):equals(true)
    expect(run.kept[1].record.outcome):equals(json.null)
    expect(run.kept[1].figures):equals { m = {} }
  end)

  it("of a case that its target has spoilt is its id", function()
    local ids = {}
    local run = admitted(function(case)
      ids[#ids + 1] = case.id
      case.id, case.metadata.agent = nil, print
      return "y"
    end, { jobs = 1 })
    expect(#run.kept):equals(3)
    expect(run.kept[1].id):equals(ids[1])
    expect(run.kept[1].verdict):equals "error"
    expect(run.kept[1].record.error.message:find "^the target changed the case" ~= nil):equals(true)
    expect(run.fault):equals(nil)
  end)

  it("never makes the run wait for ever when it fails", function()
    local ok, run = fiber.timeout(5, admitted, function() return "y" end,
      { put = function() error "broken" end })
    expect(ok):equals(true)
    expect(fiber.text(run.fault):find "broken" ~= nil):equals(true)
  end)
end)

describe("test data that goes wrong under way", function()
  it("is a fault of the run, which names the row", function()
    local left = 2
    local run = admitted(function() return "y" end, { data = function()
      left = left - 1
      return left == 1 and { input = "a" } or left == 0 and { nothing = 1 } or nil
    end })
    expect(#run.kept):equals(1)
    expect(run.planned):equals(1)
    expect(run.fault.code):equals "data"
    expect(run.fault.message:find("row 2: the case has no input", 1, true) ~= nil):equals(true)
  end)
end)
