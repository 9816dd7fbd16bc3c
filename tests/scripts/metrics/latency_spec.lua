-- metrics/latency_spec.lua
local metric = require "evalhost.metric"
local metrics = require "evalhost.metrics"

describe("latency", function()
  it("is the target's time, the lower the better", function()
    local latency = metrics.latency()
    expect(latency.better):equals("lower")
    expect(latency.unit):equals("ms")
    expect(latency({}, { latency_ms = 12.5 })):equals(12.5)
    expect(metric.result(latency, latency({}, { latency_ms = 12.5 })).value):equals(12.5)
  end)

  it("is unscored without one", function()
    expect(metrics.latency()({}, {}).code):equals("no_latency")
  end)
end)
