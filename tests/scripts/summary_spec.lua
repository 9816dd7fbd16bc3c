-- summary_spec.lua: thresholds over a summary, and names in tables. (The figures themselves come
-- from a run's store: tests/cases/run_spec.lua.)
local bounds = require "evalhost.bounds"
local metric = require "evalhost.metric"
local summary = require "evalhost.summary"

local ALL = {
  pass_rate = 0.75, cost_usd = nil,
  metrics = {
    judge = { mean = 0.5, details = { accuracy = { mean = 0.25, n = 4 } } },
    broken = { mean = nil },
  },
  score = { mean = 1.5, best = 2, min = 0.5 },
  latency_ms = { mean = 10, p50 = 8, p95 = 30, p99 = 40 },
  tokens = { total = 1200 },
}

-- Thresholds from { FIGURE = BOUND }, all of one level.
local function thresholds(figures, level)
  local list = {}
  for figure, bound in pairs(figures) do
    list[#list + 1] = { level = level or "minimum", figure = figure, bound = assert(bounds.parse(bound)) }
  end
  return list
end

local function check(figures)
  local list, met = summary.thresholds({ thresholds = thresholds(figures), gate = "minimum" }, ALL)
  return list[1] and list[1].actual, met
end

describe("summary.thresholds", function()
  it("looks up every kind of figure", function()
    for figure, value in pairs {
      pass_rate = 0.75, judge = 0.5, ["judge.accuracy"] = 0.25, score = 1.5, ["score.best"] = 2,
      ["score.min"] = 0.5, ["latency_ms.p95"] = 30, ["latency_ms.mean"] = 10,
      ["tokens.total"] = 1200,
    } do
      expect(table.pack(check { [figure] = value })):equals { value, true, n = 2 }
      expect(select(2, check { [figure] = "> " .. value })):equals(false)
    end
  end)

  it("does not take what was not measured for met", function()
    expect(select(2, check { cost_usd = "< 100" })):equals(false)
    expect(select(2, check { broken = 0 })):equals(false)
    expect(select(2, check { ["judge.style"] = "<= 1" })):equals(false)
  end)

  it("reports all levels, and decides by the gate", function()
    local list = thresholds { pass_rate = 0.5 }
    list[2] = thresholds({ pass_rate = 0.9 }, "target")[1]
    local records, met = summary.thresholds({ thresholds = list, gate = "minimum" }, ALL)
    expect({ records[1].met, records[2].met, met }):equals { true, false, true }
    expect(select(2, summary.thresholds({ thresholds = list, gate = "target" }, ALL))):equals(false)
  end)
end)

describe("summary.label", function()
  it("is the suite's, else the name in words", function()
    local function zero() return 0 end
    expect(summary.label { name = "tool_selection", metric = zero }):equals("Tool Selection")
    local own = metric.describe { fn = zero, label = "The kind" }
    expect(summary.label { name = "judge", metric = own }):equals("Judge")
    own.suite_label = "Our Judge"
    expect(summary.label { name = "judge", metric = own }):equals("Our Judge")
  end)
end)
