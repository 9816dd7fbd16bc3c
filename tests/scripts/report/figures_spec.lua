-- figures_spec.lua: the tables of a run's end.

local fake_run = require "fake_run"
local figures = require "evalhost.report.figures"
local metric = require "evalhost.metric"
local style = require "evalhost.report.style"

local look = { width = 80, paint = style.new(false) }

describe("figures.metrics", function()
  it("has a row for each metric, with its unit, and one for the score", function()
    local run, doc = fake_run.new({
      { score = 1, metrics = { tools = { value = 1 }, ms = { value = 1200 } } },
      { score = 1, metrics = { tools = { value = 1 }, ms = { unscored = "x" } } },
    }, { metrics = { { name = "tools", metric = fake_run.share "Tools" },
      { name = "ms", metric = metric.new { function() end, label = "Time", unit = "ms" } } } })
    expect(figures.metrics(run, doc.summary, look)):equals {
      "Metric      mean   95 % interval    min    max  n  unscored",
      "Tools      1.000  1.000 to 1.000  1.000  1.000  2",
      "Time (ms)  1,200             n/a  1,200  1,200  1         1",
      "Score      1.000  1.000 to 1.000  1.000  1.000  2",
    }
  end)
end)

describe("figures.thresholds", function()
  it("says what was met, what was not, and which level decides", function()
    local run, doc = fake_run.new({ { score = 1 }, { verdict = "fail", score = 0.2 } },
      { thresholds = { { "minimum", "pass_rate", 0.5 }, { "target", "score", "> 0.9" },
        { "target", "cost_usd", "< 1" } } })
    expect(figures.thresholds(run, doc.thresholds, look)):equals {
      "  met      minimum  pass_rate >= 0.5  is 0.500  decides",
      "  not met  target   score > 0.9       is 0.600",
      "  not met  target   cost_usd < 1      is n/a",
    }
  end)
end)

describe("figures.costs", function()
  it("lists latency, tokens and cost where they are known", function()
    local _, doc = fake_run.new { { cost = 0.5, outcome = { latency_ms = 20,
      usage = { input_tokens = 1000, output_tokens = 200, total_tokens = 1200 } } } }
    expect(figures.costs(doc)):equals {
      { "Latency", "p50 20 ms, p95 20 ms, p99 20 ms, max 20 ms" },
      { "Tokens", "1,000 in, 200 out, 1,200 in all" }, { "Cost", "$0.5000" } }
    local _, empty = fake_run.new { { verdict = "error" } }
    expect(figures.costs(empty)):equals {}
  end)
end)
