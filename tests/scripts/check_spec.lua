-- check_spec.lua: option tables: types, defaults, the nearest key, the place of the mistake.

local check = require "evalhost.check"

local FIELDS = { url = "string", timeout = { "number", 30 }, tools = "list",
  body = "function|table", retries = "integer", anything = "any" }

local function options(given)
  return check.options(given, FIELDS, "eval.thing")
end

describe("check.options", function()
  it("copies what was given and fills in the defaults", function()
    local given = { url = "x" }
    local result = options(given)
    expect(result):equals { url = "x", timeout = 30 }
    result.url = "y"
    expect(given):equals { url = "x" }
    expect(options { timeout = 0 }.timeout):equals(0)
    expect(options(nil)):equals { timeout = 30 }
  end)

  it("keeps false apart from absent", function()
    local result = check.options({ on = false }, { on = { "boolean", true } }, "f")
    expect(result.on):equals(false)
  end)

  it("names the nearest key, or all of them", function()
    expect(function() options { timout = 1 } end)
      :errors "eval.thing: unknown key 'timout'; did you mean timeout?"
    expect(function() options { zzzzzzzz = 1 } end):errors "known: anything, body, retries"
    expect(function() options { "x" } end):errors "unknown key '1'"
  end)

  it("checks types", function()
    expect(function() options { url = 1 } end):errors "url must be a string, got integer"
    expect(function() options { timeout = "1" } end):errors "timeout must be a number, got string"
    expect(function() options { body = 1.5 } end):errors "body must be a function or table"
    expect(function() options { retries = 1.0 } end):errors "retries must be a integer, got number"
    expect(function() options { tools = { name = "x" } } end):errors "tools must be a list"
    expect(options({ tools = {} }).tools):equals {}
    expect(options({ anything = false }).anything):equals(false)
    expect(function() options "x" end):errors "expected a table of options, got string"
  end)

  it("takes a callable table for a function", function()
    local callable = setmetatable({}, { __call = function() end })
    expect(check.is(callable, "function")):equals(true)
    expect(check.is({}, "function")):equals(false)
    expect(check.is_callable(setmetatable({}, {}))):equals(false)
    expect(check.is_callable "x"):equals(false)
  end)

  it("raises at the place that called the caller", function()
    local function api(given)
      check.options(given, FIELDS, "eval.thing")
    end
    local _, err = pcall(function() api { timout = 1 } end)
    local line = debug.getinfo(1, "l").currentline - 1
    expect(err:match "check_spec%.lua:(%d+):"):equals(tostring(line))
  end)

  it("raises a table at level 0, for a caller that knows a better place", function()
    local _, err = pcall(check.options, { timout = 1 }, FIELDS, "eval.thing", 0)
    expect(err.code):equals "options"
    expect(err.key):equals "timout"
    expect(err.message:find("did you mean", 1, true) ~= nil):equals(true)
    _, err = pcall(check.options, { url = 5 }, FIELDS, "eval.thing", 0)
    expect(err.key):equals "url"
  end)
end)

describe("check.hint", function()
  it("lists what is known where nothing is near, and nothing where nothing is", function()
    expect(check.hint("nme", { "name", "size" })):equals "; did you mean name?"
    expect(check.hint("qqqqqq", { "a", "b" })):equals "; known: a, b"
    expect(check.hint("x", {})):equals ""
  end)
  it("takes names that are no strings", function()
    expect(check.hint(nil, { "a" }):sub(1, 1)):equals ";"
    expect(check.hint(true, {})):equals ""
  end)
end)

describe("check.type_name", function()
  it("tells integers from other numbers", function()
    expect(check.type_name(1)):equals "integer"
    expect(check.type_name(1.0)):equals "number"
    expect(check.type_name(nil)):equals "nil"
  end)
end)
