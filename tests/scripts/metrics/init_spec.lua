-- metrics/init_spec.lua: metrics by name.
local metric = require "evalhost.metric"
local metrics = require "evalhost.metrics"

describe("eval.metrics", function()
  it("has every metric under its name", function()
    local count = 0
    for name, make in pairs(metrics) do
      count = count + 1
      expect(type(make)):equals("function")
      if name ~= "regex" then
        local made = make()
        expect(metric.is(made)):equals(true)
        expect(type(made.label)):equals("string")
        expect(type(made.help)):equals("string")
      end
    end
    expect(count):equals(18)
  end)

  it("raises for others, with the nearest", function()
    expect(function() return metrics.tool_selecton end)
      :errors "init_spec.lua.*no metric 'tool_selecton'.*did you mean tool_selection"
  end)

  it("refuses options that a metric does not have", function()
    for name, make in pairs(metrics) do
      expect(function() make { nonsense = 1 } end):errors("eval.metrics." .. name)
      expect(function() make { nonsense = 1 } end):errors "init_spec.lua"
    end
  end)
end)
