-- console_spec.lua: what goes where while a run goes on, and when.

local fake_run = require "fake_run"
local os_ = require "evalhost.native.os"

local world -- stdout, stderr, status lines, clock, terminals

package.loaded["evalhost.native.os"] = setmetatable({
  write_out = function(text)
    world.out = world.out .. text
    return not world.closed or nil
  end,
  mono = function() return world.now end,
  isatty = function(fd) return world.tty[fd] == true end,
  columns = function() return world.columns end,
  env = function() end,
}, { __index = os_ })
package.loaded["evalhost.native.term"] = {
  live = function() return world.live end,
  status = function(slot, text) world.status[slot] = text or false end,
  print = function(text) world.err = world.err .. text end,
}
for _, module in ipairs { "style", "console" } do
  package.loaded["evalhost.report." .. module] = nil
end
local console = require "evalhost.report.console"

before_each(function()
  world = { out = "", err = "", status = {}, now = 100, tty = {}, live = false }
end)

local function new(options, results)
  local run, doc = fake_run.new(results or { { score = 1 } }, { options = options or {} })
  run.state = { total = 100, done = 0, in_flight = 1, pass = 0, fail = 0, error = 0, unscored = 0,
    scored = 0, cancelled = 0, cost = 0, started = 100 }
  return console.new(run), run, doc
end

local function step(shown, run, done, now)
  run.state.done, run.state.pass, world.now = done, done, now
  shown:tick(run.state)
end

local function result(more)
  local one = { case = { id = "a" }, verdict = "pass", score = 0.5, attempt = 1,
    timings = { target_ms = 12 } }
  for key, value in pairs(more or {}) do
    one[key] = value
  end
  return one
end

describe("a console", function()
  it("opens with suite, cases, target and run on stderr", function()
    local shown, run = new()
    shown:started(run, { total = 2 })
    expect(world.err):equals "demo: 2 cases, target reference, run 20260101T000000-abcdef\n"
    expect(world.out):equals ""
  end)

  it("has a live line on a terminal, and takes it away at the end", function()
    world.live, world.tty, world.columns = true, { true, true }, 40
    local shown, run, doc = new()
    expect(shown.interval):equals(0.1)
    step(shown, run, 10, 101)
    expect(world.status[1]:find("10/100", 1, true)):truthy()
    expect(world.err):equals ""
    shown:finished(run, doc)
    expect(world.status[1]):equals(false)
    expect(world.err:find("Pass Rate: ", 1, true)):truthy()
  end)

  it("has plain lines elsewhere: at each tenth, or after ten seconds", function()
    local shown, run = new()
    expect(shown.live):equals(false)
    step(shown, run, 5, 102)
    expect(world.err):equals ""
    step(shown, run, 10, 103)
    expect(world.err):equals "10/100  10 pass  3.3/s  ETA 0:27\n"
    step(shown, run, 11, 104)
    step(shown, run, 11, 113)
    expect(select(2, world.err:gsub("\n", ""))):equals(2)
    expect(world.err:find("waiting, 9 s idle", 1, true)):truthy()
    expect(world.err:find "\27"):equals(nil)
  end)

  it("writes results to stdout, and lives on when it is closed", function()
    local shown, run, doc = new()
    world.closed = true
    shown:finished(run, doc)
    expect(world.out:find("PASSED", 1, true)):truthy()
    local before = world.out
    shown:finished(run, doc)
    expect(world.out):equals(before)
  end)

  it("leaves stdout to the JSON where that goes there", function()
    local shown, run, doc = new { output = { "-" } }
    shown:finished(run, doc)
    expect(world.out):equals ""
    expect(world.err:find("PASSED", 1, true)):truthy()
  end)

  it("is quiet but for the result", function()
    local shown, run, doc = new { quiet = true, verbose = true }
    shown:started(run, { total = 1 })
    step(shown, run, 50, 150)
    shown:result(result())
    shown:log("a", "error", "x")
    expect(world.err):equals ""
    expect(shown.interval):equals(nil)
    shown:finished(run, doc)
    expect(world.out:find("PASSED", 1, true)):truthy()
  end)

  it("names the target on each line where there are several", function()
    local shown, run = new { slots = 2, slot = 2 }
    shown:started(run, { total = 2 })
    step(shown, run, 50, 110)
    expect(world.err):equals("reference  demo: 2 cases, run 20260101T000000-abcdef\n"
      .. "reference  50/100  50 pass  5.0/s  ETA 0:10\n")
  end)

  it("has a line per case when verbose", function()
    local shown = new { verbose = true }
    shown:result(result())
    shown:result(result { verdict = "error", score = false,
      error = { code = "connect", message = "refused\27[31m" } })
    expect(world.err):equals("pass      a  score 0.50  12 ms\n"
      .. "ERROR     a  12 ms  connect: refused\n")
  end)

  it("shows warnings of a suite always, the rest when verbose", function()
    local shown = new()
    shown:log("a", "info", "fine")
    shown:log("a", "warn", "od\27[2Jd")
    expect(world.err):equals "warn a: odd\n"
    new { verbose = true }:log("a", "info", "fine")
    expect(world.err):equals "warn a: odd\ninfo a: fine\n"
  end)

  it("says what a signal means", function()
    local shown, run = new()
    shown:stopping("SIGINT", run.state, 10)
    expect(world.err):equals("SIGINT: no new cases; 1 case in flight has 10 s to end (once more "
      .. "to stop at once)\n")
  end)
end)

describe("console.problem and problems", function()
  it("go to stderr, clean", function()
    console.problem "bad\27[31m thing"
    console.problems { message = "worse" }
    expect(world.err):equals "evalhost: bad thing\nevalhost: worse\n"
  end)
end)
