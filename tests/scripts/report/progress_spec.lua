-- progress_spec.lua: the progress line, and what it leaves out where there is no room.

local fake_run = require "fake_run"
local native = require "evalhost.native.text"
local progress = require "evalhost.report.progress"
local style = require "evalhost.report.style"

local function state(more)
  local counts = { total = 100, done = 37, in_flight = 8, pass = 32, fail = 4, error = 1,
    unscored = 0, scored = 0, cancelled = 0, cost = 0.12 }
  for key, value in pairs(more or {}) do
    counts[key] = value
  end
  return counts
end

local function view(more)
  local result = { elapsed = 3, idle = 12.4, paint = style.new(false) }
  for key, value in pairs(more or {}) do
    result[key] = value
  end
  return result
end

describe("progress.line", function()
  it("shows all where there is room", function()
    expect(progress.line(state(), view(), 120, true)):equals("[#######             ]  37/100  "
      .. "32 pass  4 fail  1 error  12.3/s  ETA 0:05  $0.1200  waiting, 12 s idle")
  end)

  it("fits any width, and leaves the counts for the last", function()
    for width = 12, 120 do
      expect(native.width(progress.line(state(), view { prefix = "東京" }, width, true)) <= width)
        :truthy()
    end
    expect(progress.line(state(), view(), 52))
      :equals "37/100  32 pass  4 fail  1 error  waiting, 12 s idle"
    expect(progress.line(state(), view(), 51)):equals "37/100  32 pass  4 fail  1 error"
    expect(progress.line(state(), view(), 10)):equals "37/100"
  end)

  it("leaves out what is not there", function()
    expect(progress.line(state { total = false, done = 5, pass = 5, fail = 0, error = 0, cost = 0 },
      view { idle = 0, elapsed = 0.1 }, 80, true)):equals "5 done  5 pass"
    expect(progress.line(state { done = 0, pass = 0, fail = 0, error = 0, cost = 0 },
      view { idle = 0 }, 80)):equals "0/100"
  end)

  it("says that it waits only while something is in flight", function()
    expect(progress.line(state { in_flight = 0 }, view(), 120):find("idle", 1, true)):equals(nil)
    expect(progress.line(state(), view { idle = 4.9 }, 120):find("idle", 1, true)):equals(nil)
  end)

  it("colors verdicts, and does not count the colors", function()
    local line = progress.line(state(), view { paint = fake_run.paint }, 40)
    expect(line):equals("37/100  <green>32 pass</green>  <red>4 fail</red>  "
      .. "<yellow>1 error</yellow>")
  end)

  it("fills the bar at the end, and no more than that", function()
    local line = progress.line(state { done = 100, pass = 95 }, view { idle = 0 }, 120, true)
    expect(line:sub(1, 22)):equals("[" .. ("#"):rep(20) .. "]")
    expect(line:find("ETA", 1, true)):equals(nil)
  end)
end)
