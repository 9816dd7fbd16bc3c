-- metric_spec.lua: what a metric is, and what comes of what it returns.

local metric = require "evalhost.metric"

local function returns(...)
  return metric.result(function() end, ...)
end

describe("metric.describe", function()
  it("makes a callable with a description", function()
    local m = metric.describe { fn = function(case, outcome, ctx)
      return case + outcome + ctx, "why", { n = 1 }
    end, range = { 0, 10 }, label = "Sum", unit = "ms" }
    expect(metric.is(m)):equals(true)
    expect({ m(1, 2, 3) }):equals { 6, "why", { n = 1 } }
    expect(m.better):equals "higher"
    expect(m.label):equals "Sum"
  end)

  it("takes the function as the first element", function()
    local m = metric.describe { function() return 7 end, better = "lower" }
    expect(m()):equals(7)
    expect(m.better):equals "lower"
  end)

  it("numbers them in the order in which they are made", function()
    local a = metric.describe { function() end }
    local b = metric.describe { function() end }
    expect(a.serial < b.serial):equals(true)
  end)

  it("refuses what it cannot be", function()
    expect(function() metric.describe {} end):errors "the function is missing"
    expect(function() metric.describe { 5 } end):errors "must be a function, got integer"
    expect(function() metric.describe { print, better = "more" } end):errors "better must be"
    expect(function() metric.describe { print, lable = "x" } end):errors "did you mean label"
    for _, range in ipairs { { 1 }, { "a", "b" }, { 1, 0 }, { 0, 0 / 0 } } do
      expect(function() metric.describe { print, range = range } end):errors "range must be"
    end
    expect(function() metric.describe "x" end):errors "expected a table of options"
  end)

  it("names the line that is wrong", function()
    for _, make in ipairs { metric.describe, metric.new } do
      for _, options in ipairs { {}, { print, range = {} }, { print, lable = "x" } } do
        local _, err = pcall(function()
          local made = make(options)
          return made
        end)
        local line = debug.getinfo(1, "l").currentline - 3
        expect(err:match "metric_spec%.lua:(%d+): eval.metric"):equals(tostring(line))
      end
    end
  end)

  it("has a label for tables only from the suite", function()
    expect(metric.new { print, label = "Mine" }.suite_label):equals "Mine"
    expect(metric.describe { print, label = "Kind" }.suite_label):equals(nil)
  end)

  it("is not fooled by other tables", function()
    expect(metric.is { fn = print, serial = 1 }):equals(false)
    expect(metric.is(print)):equals(false)
    expect(metric.is(nil)):equals(false)
  end)
end)

describe("metric.unscored", function()
  it("has a reason, and a code if it is given", function()
    local short, long = metric.unscored "no key", metric.unscored("judge_http", "HTTP 500")
    expect(short.code):equals "unscored"
    expect(tostring(short)):equals "no key"
    expect(long.code):equals "judge_http"
    expect(tostring(long)):equals "HTTP 500"
    expect(metric.is_unscored(long)):equals(true)
    expect(metric.is_unscored { code = "x", message = "y" }):equals(false)
  end)
  it("wants a text", function()
    expect(function() metric.unscored() end):errors "the reason must be a string"
    expect(function() metric.unscored(5) end):errors "the reason must be a string"
  end)
end)

describe("metric.result", function()
  it("keeps numbers, and booleans as 1 and 0", function()
    expect(returns(0.5)):equals { value = 0.5 }
    expect(returns(true)):equals { value = 1 }
    expect(returns(false)):equals { value = 0 }
    expect(returns(0.5, "why", { part = 1 })):equals
      { value = 0.5, reason = "why", detail = { part = 1 } }
  end)

  it("takes a table with value, reason and detail", function()
    expect(returns { value = 1, reason = "r", detail = { a = 2 } }):equals
      { value = 1, reason = "r", detail = { a = 2 } }
    expect(returns({ value = 0 }, "from outside")):equals { value = 0, reason = "from outside" }
    expect(returns({ value = false }).value):equals(0)
  end)

  it("leaves nil, other types and NaN unscored, each under its code", function()
    expect(returns(nil).unscored):equals "scorer_nil"
    expect(returns(nil, "no text")):equals { unscored = "scorer_nil", reason = "no text" }
    expect(returns({}).unscored):equals "scorer_nil"
    expect(returns("0.5").unscored):equals "scorer_type"
    expect(returns(print).unscored):equals "scorer_type"
    expect(returns({ value = {} }).unscored):equals "scorer_type"
    expect(returns(0 / 0).unscored):equals "scorer_nan"
    expect(returns(math.huge).unscored):equals "scorer_nan"
    expect(returns(-math.huge).unscored):equals "scorer_nan"
  end)

  it("passes eval.unscored on, also inside of a table", function()
    expect(returns(metric.unscored("a", "b"))):equals { unscored = "a", reason = "b" }
    expect(returns { value = metric.unscored("a", "b") }):equals { unscored = "a", reason = "b" }
  end)

  it("never clamps to the range", function()
    local m = metric.describe { function() end, range = { 0, 1 } }
    expect(metric.result(m, 0).value):equals(0)
    expect(metric.result(m, 1).value):equals(1)
    local result = metric.result(m, 1.5)
    expect(result.value):equals(nil)
    expect(result.unscored):equals "scorer_range"
    expect(result.reason):equals "the metric returned 1.5, outside of its range 0 to 1"
    expect(metric.result(m, -1).unscored):equals "scorer_range"
    expect(returns(1e300).value):equals(1e300)
  end)

  it("makes a text of any reason, and drops a detail that is no table", function()
    expect(returns(1, 42).reason):equals "42"
    local bad = setmetatable({}, { __tostring = function() error "no" end })
    expect(returns(1, bad).reason):truthy()
    expect(returns(1, "x", 5).detail):equals(nil)
  end)
end)
