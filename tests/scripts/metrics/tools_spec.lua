-- metrics/tools_spec.lua: expected against actual calls, and all options through to the kernels.
local metric = require "evalhost.metric"
local metrics = require "evalhost.metrics"

local function case(tools)
  return { expected = { tools = tools } }
end

local function names(...)
  local list = {}
  for i, name in ipairs { ... } do list[i] = { name = name } end
  return list
end

local function value(made, expected, actual)
  local got = made(case(expected), { tool_calls = actual }, {})
  return got.value or got.code, got.reason, got.detail
end

-- One expected call against one actual call, by their arguments.
local function match(options, expected, actual)
  return value(metrics.argument_match(options), { { name = "t", arguments = expected } },
    { { name = "t", arguments = actual } })
end

describe("tool_selection", function()
  it("is the share of the expected tools, each as often as expected", function()
    local m = metrics.tool_selection()
    expect(value(m, names("a"), names("a"))):equals(1)
    expect(value(m, names("a", "b"), names("a"))):equals(0.5)
    expect(value(m, names("a", "a"), names("a"))):equals(0.5)
    expect(value(m, names("a"), names("x", "a", "a"))):equals(1)
    expect(value(m, names("a"), {})):equals(0)
  end)

  it("names what is missing and extra", function()
    local _, reason, detail = value(metrics.tool_selection(), names("a", "b"), names("a", "x"))
    expect(detail.missing):equals { "b" }
    expect(detail.extra):equals { "x" }
    expect(reason:find("b", 1, true)):truthy()
  end)

  it("has its options", function()
    expect(value(metrics.tool_selection { as = "set" }, names("a", "a"), names("a"))):equals(1)
    expect(value(metrics.tool_selection(), {}, names("a"))):equals(1)
    local none = metrics.tool_selection { none_expected = "no_calls" }
    expect(value(none, {}, names("a"))):equals(0)
    expect(value(none, {}, {})):equals(1)
    expect(function() metrics.tool_selection { as = "bag" } end)
      :errors "tools_spec.lua.*as must be \"multiset\" or \"set\""
    expect(function() metrics.tool_selection { none_expected = "x" } end):errors "none_expected"
  end)

  it("carries the label and the meanings of the guide", function()
    local m = metrics.tool_selection()
    expect(m.label):equals("Tool Selection")
    expect(m.meanings):equals {
      good = "Agent reliably chooses correct tools",
      acceptable = "Mostly correct, occasional mistakes",
      needs_work = "Frequently selects wrong tools",
    }
  end)
end)

describe("all of them", function()
  it("are unscored where the case says nothing about tools", function()
    for _, name in ipairs {
      "tool_selection", "argument_match", "tools_exact", "tool_minimality",
    } do
      local made = metrics[name]()
      for _, empty in ipairs { {}, { expected = {} } } do
        local got = made(empty, { tool_calls = {} }, {})
        expect(metric.is_unscored(got)):equals(true)
        expect(got.code):equals("no_expected_tools")
      end
    end
  end)
end)

describe("argument_match", function()
  it("is the share of the expected fields", function()
    expect(match(nil, { ticker = "AAPL" }, { ticker = "aapl", more = 1 })):equals(1)
    expect(match(nil, { ticker = "MSFT", period = "1mo" }, { ticker = "MSFT" })):equals(0.5)
    expect(match(nil, { n = 7 }, { n = 7.0 })):equals(1)
    expect(match(nil, {}, { anything = 1 })):equals(1)
    expect(match(nil, nil, { anything = 1 })):equals(1)
  end)

  it("counts an expected call without a partner as 0", function()
    local m = metrics.argument_match()
    expect(value(m, names("a", "b"), names("a"))):equals(0.5)
    expect(value(m, {}, names("a"))):equals(1)
  end)

  it("says what is missing, and types where they differ", function()
    local _, reason = match(nil, { years = 7, ticker = "A" }, { years = "7" })
    expect(reason:find('years: expected number 7, got string "7"', 1, true)):truthy()
    expect(reason:find("ticker", 1, true)):truthy()
  end)

  it("scores arguments that cannot be parsed as 0, and says so", function()
    local got, reason, detail = match(nil, { a = 1 }, '{"a": ')
    expect(got):equals(0)
    expect(reason:find("args_unparseable", 1, true) or reason:find("parse", 1, true)):truthy()
    expect(detail.flags):equals { "args_unparseable" }
    expect(match(nil, { a = 1 }, '{"a":1}')):equals(1)
  end)

  it("passes every option on", function()
    expect(match({ case = true }, { a = "X" }, { a = "x" })):equals(0)
    expect(match({ tolerance = 0.5 }, { a = 1 }, { a = 1.4 })):equals(1)
    expect(match({ relative = 0.1 }, { a = 100 }, { a = 109 })):equals(1)
    expect(match({ arrays = "any_order" }, { a = { 1, 2 } }, { a = { 2, 1 } })):equals(1)
    expect(match({ coerce = true }, { a = 7 }, { a = "7" })):equals(1)
    expect(match({ extra = "forbidden" }, { a = 1 }, { a = 1, b = 2 })):equals(0.5)
    expect(match({ accept = { a = { 2, 3 } } }, { a = 1 }, { a = 3 })):equals(1)
    expect(match({ ignore = { "meta*" } }, { a = 1, meta_x = 1 }, { a = 1 })):equals(1)
    expect(match({ defaults = { a = 1 } }, { a = 1 }, {})):equals(1)
    expect(match({ pattern = { a = "^x" } }, { a = "y" }, { a = "xyz" })):equals(1)
    expect(match({ test = { a = function(actual, expected) return actual > expected end } },
      { a = 1 }, { a = 9 })):equals(1)
    expect(match({ fields = { a = { case = true } } }, { a = "X", b = "X" },
      { a = "x", b = "x" })):equals(0.5)
    expect(match({ tools = { t = { case = true } } }, { a = "X" }, { a = "x" })):equals(0)
  end)

  it("pairs calls as asked", function()
    local function call(a) return { name = "t", arguments = { a = a } } end
    local expected, actual = { call(1), call(2) }, { call(2), call(1) }
    expect(value(metrics.argument_match(), expected, actual)):equals(0)
    expect(value(metrics.argument_match { pairing = "best" }, expected, actual)):equals(1)
    expect(value(metrics.argument_match { pairing = "position" }, expected, actual)):equals(0)
  end)

  it("raises for bad options when it is made", function()
    for _, bad in ipairs {
      { paring = "best" }, { pairing = "worst" }, { tolerance = -1 }, { arrays = "any" },
      { pattern = { a = "(" } }, { test = { a = 7 } }, { fields = { a = { cas = true } } },
      { tools = { t = { cas = true } } }, { ignore = { 7 } },
    } do
      expect(function() metrics.argument_match(bad) end)
        :errors "tools_spec.lua.*eval.metrics.argument_match"
    end
    expect(function() metrics.argument_match { paring = "best" } end):errors "did you mean pairing"
  end)
end)

describe("tools_exact", function()
  it("compares multisets, or sequences", function()
    local m, ordered = metrics.tools_exact(), metrics.tools_exact { order = true }
    expect(value(m, names("a", "b"), names("b", "a"))):equals(1)
    expect(value(ordered, names("a", "b"), names("b", "a"))):equals(0)
    expect(value(ordered, names("a", "b"), names("a", "b"))):equals(1)
    expect(value(m, names("a"), names("a", "a"))):equals(0)
    expect(value(m, {}, {})):equals(1)
  end)
end)

describe("tool_minimality", function()
  it("compares counts, and names extra calls", function()
    local m = metrics.tool_minimality()
    expect(value(m, names("a"), names("x"))):equals(1)
    local got, reason = value(m, names("a"), names("a", "extra_one"))
    expect(got):equals(0)
    expect(reason:find("extra_one", 1, true)):truthy()
  end)
end)
