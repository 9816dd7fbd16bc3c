-- suite_spec.lua: eval.suite checks everything before anything runs.
local suite = require "evalhost.suite"

local function base(changes)
  local given = {
    name = "demo", cases = { { input = "x" } }, target = function() return "y" end,
    metrics = { one = function() return 1 end, two = function() return 1 end },
  }
  for key, value in pairs(changes or {}) do
    given[key] = value ~= "none" and value or nil
  end
  return given
end

local function problem(changes)
  local ok, err = pcall(suite.new, base(changes))
  expect(ok):equals(false)
  return err
end

describe("eval.suite", function()
  it("fills in the defaults", function()
    local result = suite.new(base())
    expect(result.limits):equals { concurrency = 16, case_timeout = 60, judge_timeout = 60 }
    expect(result.repeats):equals { n = 1, reduce = "mean" }
    expect(result.target):equals "default"
  end)
  it("names the nearest key", function()
    expect(problem({ treshold = {} }).message):equals
      "eval.suite: unknown key 'treshold'; did you mean thresholds?"
    expect(problem({ limits = { concurency = 1 } }).message):equals
      "eval.suite: limits: unknown key 'concurency'; did you mean concurrency?"
  end)
  it("knows what is missing", function()
    for _, key in ipairs { "name", "cases", "target", "metrics" } do
      expect(problem({ [key] = "none" }).message:find("is missing") ~= nil):equals(true)
    end
  end)
  it("refuses impossible values", function()
    expect(problem({ name = "No Spaces" }).key):equals "name"
    expect(problem({ metrics = { score = print } }).message:find "reserved" ~= nil):equals(true)
    expect(problem({ metrics = { ["1x"] = print } }).key):equals "1x"
    expect(problem({ metrics = {} }).message:find "empty" ~= nil):equals(true)
    expect(problem({ limits = { concurrency = 0 } }).key):equals "concurrency"
    expect(problem({ limits = { case_timeout = -1 } }).key):equals "case_timeout"
    expect(problem({ repeats = { reduce = "avg" } }).key):equals "reduce"
    expect(problem({ params = { x = {} } }).key):equals "x"
    expect(problem({ params = { x = 0 / 0 } }).message:find "finite" ~= nil):equals(true)
    expect(problem({ params = { x = -math.huge } }).key):equals "x"
    expect(problem({ pass = 0.7 }).message:find "no score function" ~= nil):equals(true)
    expect(problem({ pass = { three = 1 } }).message:find "no metric" ~= nil):equals(true)
    expect(problem({ pass = { one = "about 1" } }).message:find "no bound" ~= nil):equals(true)
  end)
  it("checks prices", function()
    local ok = suite.new(base { prices = { a = { 1, 0.5, 2 }, b = { input = 1, output = 0 } } })
    expect(ok.prices.b.output):equals(0)
    expect(problem({ prices = { m = 5 } }).message):equals(
      'eval.suite: prices["m"] must be { input, cached_input, output }, USD per million tokens')
    expect(problem({ prices = { m = { "1" } } }).message:find "1 must be a number"
      ~= nil):equals(true)
    expect(problem({ prices = { m = { inptu = 1 } } }).message:find "did you mean input"
      ~= nil):equals(true)
    expect(problem({ prices = { m = { -1 } } }).message:find "below 0" ~= nil):equals(true)
  end)
  it("checks figures of thresholds", function()
    expect(problem({ thresholds = { a = { onne = 1 } } }).message:find "did you mean one"
      ~= nil):equals(true)
    expect(problem({ thresholds = { a = { pass_rate = 1 } } }).message:find "no pass rule"
      ~= nil):equals(true)
    local ok = suite.new(base { thresholds = { a = { ["one.detail"] = "> 0.5" } } })
    expect(ok.gate):equals "a"
  end)
  it("decides which level decides", function()
    local levels = { minimum = { one = 1 }, target = { one = 1 } }
    expect(suite.new(base { thresholds = levels }).gate):equals "minimum"
    expect(suite.new(base { thresholds = levels, gate = "target" }).gate):equals "target"
    expect(problem({ thresholds = { a = { one = 1 }, b = { one = 1 } } }).message
      :find "which decides" ~= nil):equals(true)
    expect(problem({ thresholds = levels, gate = "targt" }).key):equals "gate"
  end)
  it("asks for everything to pass where there is a rule and no threshold", function()
    local result = suite.new(base { pass = { one = 1 } })
    expect(result.thresholds[1].figure):equals "pass_rate"
    expect(result.thresholds[1].bound):equals { op = ">=", limit = 1 }
  end)
  it("shows metrics in source order, plain functions last", function()
    local metric = require "evalhost.metric"
    local z = metric.describe { fn = function() return 1 end }
    local a = metric.describe { fn = function() return 1 end }
    local result = suite.new(base { metrics = { a = a, z = z, f = print, e = print } })
    local names = {}
    for i, entry in ipairs(result.metrics) do
      names[i] = entry.name
    end
    expect(table.concat(names, " ")):equals "z a e f"
  end)
end)
