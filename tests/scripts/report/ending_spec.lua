-- ending_spec.lua: the end of a run as a whole: order, verdict, facts.

local ending = require "evalhost.report.ending"
local fake_run = require "fake_run"
local style = require "evalhost.report.style"

local look = { width = 80, paint = style.new(false) }

local function last_line(run, doc)
  return ending.text(run, doc, look):match "([^\n]*)\n$"
end

describe("ending.text", function()
  it("goes from the failing cases to the verdict", function()
    local run, doc = fake_run.new({ { score = 1 }, { verdict = "fail", score = 0, reason = "no" } },
      { thresholds = { { "minimum", "pass_rate", 0.5 } }, notes = { "a\27[1m note" } })
    local text, from = ending.text(run, doc, look), 1
    for _, part in ipairs { "Not passed (1 of 2)", "Pass Rate: 50%", "Metric", "met  minimum",
      "Note  a note", "Run   20260101T000000-abcdef", "PASSED" } do
      local _, last = text:find(part, from, true)
      expect(last):truthy()
      from = last or from
    end
    expect(text:find "%f[\n]\n\n\n"):equals(nil)
  end)

  it("says why a run has its status", function()
    local run, doc = fake_run.new({ { score = 1 } }, { thresholds = { { "minimum", "score", 1 } } })
    expect(last_line(run, doc)):equals
      "PASSED  demo, target reference, 1 case, in 1.0 s: every threshold met"
    run, doc = fake_run.new({ { score = 0.5, verdict = "fail" } },
      { thresholds = { { "minimum", "score", 1 } }, status = "failed" })
    expect(last_line(run, doc):match ": (.*)$"):equals "minimum not met: score >= 1"
    run, doc = fake_run.new({ { verdict = "error" } }, { status = "error" })
    expect(last_line(run, doc):match ": (.*)$")
      :equals "1 case without a usable reply"
    run, doc = fake_run.new({ { verdict = "unscored" } }, { status = "error" })
    expect(last_line(run, doc):match ": (.*)$"):equals "1 case unscored"
    run, doc = fake_run.new({ { verdict = "error" }, { verdict = "unscored" } },
      { status = "error" })
    expect(last_line(run, doc):match ": (.*)$"):equals "1 case without a usable reply, 1 unscored"
    run, doc = fake_run.new({}, { status = "interrupted" })
    run.stopped = "SIGINT"
    expect(last_line(run, doc):match ": (.*)$"):equals "stopped by SIGINT"
  end)

  it("names the target first where there are several", function()
    local run, doc = fake_run.new({}, { options = { slots = 2 } })
    expect(ending.text(run, doc, look):match "^\nTarget reference\n"):truthy()
  end)
end)
