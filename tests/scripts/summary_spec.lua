-- summary_spec.lua: the figures of a run, and its thresholds.

local json = require "evalhost.native.json"
local metric = require "evalhost.metric"
local suite = require "evalhost.suite"
local summary = require "evalhost.summary"

-- A run whose store holds these rows: { verdict, score, figures } or { ..., index = i }.
local function run_of(rows, given)
  given = given or {}
  given.name, given.cases, given.target = "demo", { { input = "x" } }, print
  given.metrics = given.metrics or { one = function() end }
  local made = suite.new(given)
  local run = { suite = made, fingerprint = "f", metrics = {} }
  for i, entry in ipairs(made.metrics) do
    run.metrics[i] = { name = entry.name, metric = entry.metric }
  end
  run.stored = { results = function()
    local i = 0
    return function()
      i = i + 1
      local row = rows[i]
      if row then
        return row.index or i, 1, "c" .. (row.index or i), row[1], row[2],
          json.encode(row[3] or { m = {} }), nil
      end
    end
  end }
  return run
end

local function of(rows, given, planned)
  return summary.of(run_of(rows, given), planned or #rows)
end

local function one(value)
  return { m = { one = value } }
end

describe("summary.of", function()
  it("counts verdicts; what did not run is cancelled", function()
    local all = of({ { "pass" }, { "pass" }, { "fail" }, { "error" }, { "unscored" },
      { "cancelled" } }, { pass = { one = 1 } }, 10)
    expect({ all.cases, all.passed, all.failed, all.errors, all.unscored, all.cancelled }):equals
      { 10, 2, 1, 1, 1, 5 }
    expect(all.pass_rate):equals(0.2)
    expect(all.pass_rate_scored):near(2 / 3, 1e-12)
    expect(all.pass_rate_ci_method):equals "wilson"
    expect(all.pass_rate_ci[1] > 0 and all.pass_rate_ci[2] < 0.6):equals(true)
  end)

  it("has no pass rate without a rule", function()
    local all = of { { "scored", nil, one(1) } }
    expect(all.pass_rate):equals(nil)
    expect(all.pass_rate_ci):equals(nil)
    expect(all.pass_rate_scored):equals(nil)
    expect(all.score):equals(nil)
  end)

  it("has means, extremes and intervals of metrics over what was scored", function()
    local rows = {}
    for i = 1, 10 do
      rows[i] = { "scored", nil, one(i / 10) }
    end
    rows[11] = { "unscored", nil, one(json.null) }
    rows[12] = { "error", nil, { m = {} } }
    local m = of(rows).metrics.one
    expect(m.mean):near(0.55, 1e-12)
    expect({ m.min, m.max, m.n, m.unscored }):equals { 0.1, 1, 10, 1 }
    expect(m.ci_method):equals "bootstrap"
    expect(m.ci[1] < 0.55 and m.ci[2] > 0.55):equals(true)
    expect(of(rows).metrics.one.ci):equals(m.ci) -- the same bytes every time
    expect(m.better):equals "higher"
  end)

  it("leaves out what a single value cannot say", function()
    local m = of({ { "scored", nil, one(0.5) } }).metrics.one
    expect(m.ci):equals(nil)
    expect(m.ci_method):equals(nil)
    m = of({ { "error" } }).metrics.one
    expect(m.n):equals(0)
    expect(m.mean):equals(nil)
  end)

  it("knows labels and directions", function()
    local lower = metric.new { print, better = "lower", label = "Errors!" }
    local all = of({ { "scored", nil, { m = { some_name = 1, e = 2 } } } },
      { metrics = { some_name = print, e = lower } })
    expect(all.metrics.some_name.label):equals "Some Name"
    expect(all.metrics.e.label):equals "Errors!"
    local kind = { name = "judge", metric = metric.describe { print, label = "The kind" } }
    expect(summary.label(kind)):equals "Judge"
    expect(all.metrics.e.better):equals "lower"
  end)

  it("has means of the numbers in details", function()
    local all = of { { "scored", nil, { m = { one = 1 }, d = { ["one.part"] = 0.5 } } },
      { "scored", nil, { m = { one = 1 }, d = { ["one.part"] = 1, ["one.a.b"] = 3 } } },
      { "scored", nil, one(1) } }
    expect(all.metrics.one.details.part):equals { mean = 0.75, n = 2 }
    expect(all.metrics.one.details["a.b"]):equals { mean = 3, n = 1 }
  end)

  it("has the score", function()
    local all = of({ { "scored", 0.25 }, { "scored", 0.75 }, { "unscored" } },
      { score = function() end })
    expect({ all.score.mean, all.score.best, all.score.min, all.score.max, all.score.n }):equals
      { 0.5, 0.75, 0.25, 0.75, 2 }
  end)

  it("adds tokens up, each kind by itself; null where nobody told", function()
    local all = of { { "scored", nil, { m = {}, i = 3, o = 4, t = 7 } },
      { "scored", nil, { m = {}, i = 1 } } }
    expect(all.tokens):equals { input = 4, output = 4, total = 7 }
    all = of { { "scored" } }
    expect(all.tokens.total):equals(nil)
    expect(json.encode(all.tokens)):equals '{"input":null,"output":null,"total":null}'
  end)

  it("has the cost only when it is known of all who used tokens", function()
    expect(of({ { "scored", nil, { m = {}, i = 1, c = 0.5 } },
      { "scored", nil, { m = {}, i = 1, c = 0.25 } }, { "error" } }).cost_usd):equals(0.75)
    expect(of({ { "scored", nil, { m = {}, i = 1, c = 0.5 } },
      { "scored", nil, { m = {}, i = 1 } } }).cost_usd):equals(nil)
    expect(of({ { "scored" } }).cost_usd):equals(nil)
  end)

  it("has quantiles of latency", function()
    local rows = {}
    for i = 1, 101 do
      rows[i] = { "scored", nil, { m = {}, l = i - 1 } }
    end
    local latency = of(rows).latency_ms
    expect({ latency.p50, latency.p95, latency.p99, latency.max, latency.mean }):equals
      { 50, 95, 99, 100, 50 }
    expect(of({ { "error" } }).latency_ms.p50):equals(nil)
  end)

  it("counts attempts for tokens and latency, cases for the rest", function()
    local all = of({ { "pass", 1, { m = { one = 1 }, t = 5, l = 10 }, index = 1 },
      { "fail", 0, { m = { one = 0 }, t = 5, l = 20 }, index = 1 },
      { "pass", 1, { m = { one = 1 }, t = 5, l = 30 }, index = 1 } },
      { pass = { one = 1 }, score = function() end, repeats = { n = 3 } }, 1)
    expect({ all.cases, all.passed, all.failed }):equals { 1, 1, 0 }
    expect(all.tokens.total):equals(15)
    expect(all.latency_ms.mean):equals(20)
    expect(all.score.mean):near(2 / 3, 1e-12)
    expect(all.metrics.one.n):equals(1)
  end)
end)

describe("summary.thresholds", function()
  local rows = { { "pass", 0.5, { m = { one = 0.5 }, d = { ["one.part"] = 0.25 }, t = 5, i = 2,
    c = 0.125, l = 10 } }, { "fail", 1, { m = { one = 1 }, t = 7, l = 20 } } }

  local function check(thresholds, gate)
    local run = run_of(rows, { thresholds = thresholds, gate = gate, pass = { one = 1 },
      score = function() end })
    return summary.thresholds(run.suite, summary.of(run, #rows))
  end

  it("look every figure up", function()
    for figure, actual in pairs { one = 0.75, ["one.part"] = 0.25, score = 0.75, pass_rate = 0.5,
      ["score.best"] = 1, ["score.min"] = 0.5, ["tokens.total"] = 12, cost_usd = 0.125,
      ["latency_ms.mean"] = 15, ["latency_ms.p50"] = 15 } do
      local list, met = check { only = { [figure] = actual } }
      expect({ figure, list[1].actual, met }):equals { figure, actual, true }
      list, met = check { only = { [figure] = ("> %.17g"):format(actual) } }
      expect({ list[1].op, list[1].limit, list[1].met, met }):equals { ">", actual, false, false }
    end
  end)

  it("decide by one level and report all", function()
    local list, met = check { minimum = { one = 0.5 }, target = { one = 0.9 } }
    expect(#list):equals(2)
    expect({ list[1].level, list[1].met, list[2].level, list[2].met }):equals
      { "minimum", true, "target", false }
    expect(met):equals(true)
    list, met = check({ minimum = { one = 0.5 }, target = { one = 0.9 } }, "target")
    expect(list[1].met):equals(true)
    expect(met):equals(false)
  end)

  it("of what was not measured are not met", function()
    local list, met = check { only = { ["one.nothing"] = "<= 5" } }
    expect(list[1].actual):equals(nil)
    expect(list[1].met):equals(false)
    expect(met):equals(false)
    expect(json.encode(list)):equals('[{"level":"only","figure":"one.nothing","op":"<=","limit":5,'
      .. '"actual":null,"met":false}]')
    local run = run_of({ { "error" } }, { thresholds = { only = { cost_usd = "< 100", one = 0,
      ["latency_ms.p95"] = "< 100" } } })
    for _, threshold in ipairs((summary.thresholds(run.suite, summary.of(run, 1)))) do
      expect({ threshold.figure, threshold.met }):equals { threshold.figure, false }
    end
  end)

  it("that there are none of are met", function()
    local run = run_of { { "scored", nil, one(1) } }
    local list, met = summary.thresholds(run.suite, summary.of(run, 1))
    expect(json.encode(list)):equals "[]"
    expect(met):equals(true)
  end)
end)
