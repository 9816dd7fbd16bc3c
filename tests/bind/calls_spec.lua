-- calls_spec.lua: evalhost.native.calls. (The rules: tests/metric/test_calls.c.)
local calls = require "evalhost.native.calls"
local null = require "cjson".null

local function f(arguments) return { { name = "f", arguments = arguments } } end

describe("calls.tool_selection", function()
  it("takes names and calls", function()
    local value, reason, detail = calls.tool_selection({ "a", { name = "b" } },
      { { name = "a" }, { name = "c" } })
    expect(value):equals(0.5)
    expect(reason):equals("1/2 expected tools called; missing b; extra c")
    expect(detail.missing[1]):equals("b")
    expect(detail.extra[1]):equals("c")
  end)

  it("is unscored when nothing says what is expected", function()
    local names = { "tool_selection", "argument_match", "tools_exact", "tool_minimality" }
    for _, metric in ipairs(names) do
      local value, code = calls[metric](nil, {})
      expect(value):equals(nil)
      expect(code):equals("no_expected_tools")
      expect((calls[metric](null, {}))):equals(nil)
      expect((calls[metric]({}, nil))):equals(1)
    end
  end)

  it("has options", function()
    expect((calls.tool_selection({ "a", "a" }, { "a" }, { as = "set" }))):equals(1)
    expect((calls.tool_selection({}, { "a" }, { none_expected = "no_calls" }))):equals(0)
    expect((calls.tools_exact({ "a", "b" }, { "b", "a" }))):equals(1)
    expect((calls.tools_exact({ "a", "b" }, { "b", "a" }, { order = true }))):equals(0)
    expect((calls.tool_minimality({ "a" }, { "b" }))):equals(1)
    expect(function() calls.tool_selection({}, {}, { as = "bag" }) end):errors("as: expected")
    expect(function() calls.tool_selection({ 1 }, {}) end):errors("expected%[1%]")
  end)
end)

describe("calls.argument_match", function()
  it("says what differs", function()
    local value, reason, detail = calls.argument_match(
      { { name = "get_stock_price", arguments = { ticker = "MSFT", period = "1mo" } } },
      { { name = "get_stock_price", arguments = { ticker = "msft" } } })
    expect(value):equals(0.5)
    expect(reason):equals('get_stock_price: 1/2 fields; missing period (expected "1mo")')
    local call = detail.calls[1]
    expect(call.actual):equals(1)
    expect(call.fields):equals(2)
    expect(call.matched):equals(1)
    expect(call.missing[1]):equals("period")
    expect(detail.flags):equals(nil)
  end)

  it("reads arguments that are text", function()
    expect((calls.argument_match(f { a = 1 }, f '{"a": 1}'))):equals(1)
    local near = '{"big": 9007199254740992}'
    expect((calls.argument_match(f { big = 9007199254740993 }, f(near)))):equals(0)
    local value, reason, detail = calls.argument_match(f { a = 1 }, f "{a: 1}")
    expect(value):equals(0)
    expect(reason):equals("f: args_unparseable")
    expect(detail.flags[1]):equals("args_unparseable")
    expect((calls.argument_match(f { a = 1 }, f { a = print }))):equals(0)
    expect(function() calls.argument_match(f "{a: 1}", {}) end):errors("expected%[1%].arguments")
    expect((calls.argument_match(f {}, f {}))):equals(1)
    expect((calls.argument_match(f { a = null }, f {}))):equals(1)
  end)

  it("has options for all, for tools, for fields", function()
    local function match(expected, actual, options)
      return (calls.argument_match(f(expected), f(actual), options))
    end
    expect(match({ a = "X" }, { a = "x" }, { case = true })):equals(0)
    local loose = { case = false }
    expect(match({ a = "X" }, { a = "x" }, { case = true, tools = { f = loose } })):equals(1)
    expect(match({ a = "X" }, { a = "x" }, { case = true, fields = { a = loose } })):equals(1)
    expect(match({ a = 1 }, { a = "1" }, { coerce = true })):equals(1)
    expect(match({ a = 1 }, { a = 1.4 }, { tolerance = 0.5 })):equals(1)
    expect(match({ a = 100 }, { a = 104 }, { relative = 0.05 })):equals(1)
    expect(match({ a = { 1, 2 } }, { a = { 2, 1 } }, { arrays = "any_order" })):equals(1)
    expect(match({ a = 1 }, { a = 1, b = 2 }, { extra = "forbidden" })):equals(0.5)
    expect(match({ a = 1 }, { a = 3 }, { accept = { a = { 2, 3 } } })):equals(1)
    expect(match({ a = 1, b = 1 }, { b = 1 }, { ignore = { "a*" } })):equals(1)
    expect(match({ a = { b = 1 } }, {}, { defaults = { ["a.b"] = 1 } })):equals(1)
    local date = { pattern = { a = [[^\d{4}-\d\d-\d\d$]] } }
    expect(match({ a = "?" }, { a = "2024-12-17" }, date)):equals(1)
    expect(match({ a = "?" }, { a = "soon" }, date)):equals(0)
    expect(match({ a = 5 }, { a = 7 }, { pattern = { a = "^[5-8]$" } })):equals(1)
  end)

  it("asks functions, and passes on what they raise", function()
    local seen
    local options = { test = { ["a.*"] = function(actual, expected)
      seen = { actual, expected }
      if actual == "boom" then error({ code = "x" }) end
      return actual > expected
    end } }
    expect((calls.argument_match(f { a = { b = 1 } }, f { a = { b = 2 } }, options))):equals(1)
    expect(seen[1]):equals(2)
    expect(seen[2]):equals(1)
    expect((calls.argument_match(f { a = { b = 3 } }, f { a = { b = 2 } }, options))):equals(0)
    local boom = f { a = { b = "boom" } }
    local ok, err = pcall(calls.argument_match, f { a = { b = 3 } }, boom, options)
    expect(ok):equals(false)
    expect(err.code):equals("x")
    options = { test = { a = function() coroutine.yield() end } }
    ok, err = pcall(calls.argument_match, f { a = 1 }, f { a = 1 }, options)
    expect(ok):equals(false)
    expect(tostring(err):find("yield") ~= nil):equals(true)
  end)

  it("is unscored when a pattern takes too long", function()
    local value, code = calls.argument_match(f { a = "" }, f { a = ("a"):rep(60) .. "!" },
      { pattern = { a = "^(a+)+$" } })
    expect(value):equals(nil)
    expect(code):equals("match_limit")
  end)

  it("pairs as asked", function()
    local want = { f({ t = "A" })[1], f({ t = "B" })[1] }
    local got = { want[2], want[1] }
    expect((calls.argument_match(want, got))):equals(0)
    expect((calls.argument_match(want, got, { pairing = "best" }))):equals(1)
    expect((calls.argument_match(want, want, { pairing = "position" }))):equals(1)
  end)

  it("takes compiled rules", function()
    local rules = calls.rules { case = true, test = { b = function(v) return v == 2 end } }
    collectgarbage()
    for _ = 1, 3 do
      expect((calls.argument_match(f { a = "x", b = 0 }, f { a = "X", b = 2 }, rules))):equals(0.5)
    end
    expect((calls.argument_match(f { a = "x" }, f { a = "X" }, calls.rules(nil)))):equals(1)
  end)

  it("refuses wrong options", function()
    local function wrong(options, pattern)
      expect(function() calls.rules(options) end):errors(pattern)
    end
    wrong({ cases = true }, "unknown option 'cases'")
    wrong({ case = 1 }, "case: expected a boolean")
    wrong({ tolerance = -1 }, "tolerance: expected a number")
    wrong({ tolerance = 0 / 0 }, "tolerance")
    wrong({ arrays = "sorted" }, "arrays")
    wrong({ accept = { a = "x" } }, "accept: expected a list")
    wrong({ accept = { "x" } }, "accept: expected names")
    wrong({ ignore = { 1 } }, "ignore: expected paths")
    wrong({ pattern = { a = "(" } }, "pattern: ")
    wrong({ test = { a = "x" } }, "test: expected a function")
    wrong({ fields = { a = { cas = true } } }, "unknown option 'cas' of a")
    wrong({ tools = { f = { tools = {} } } }, "unknown option 'tools'")
    wrong({ tools = { f = true } }, "f: expected a table")
    wrong(7, "table expected")
  end)
end)
