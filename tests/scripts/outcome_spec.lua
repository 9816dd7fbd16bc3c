-- outcome_spec.lua: what targets return, normalised.
local json = require "evalhost.native.json"
local outcome = require "evalhost.outcome"

describe("outcome.new", function()
  it("refuses a list, and says what is wanted", function()
    local result, problem = outcome.new { "yes", "no" }
    expect(result):equals(nil)
    expect(problem):equals
      "a target returns an outcome table such as { answer = \"...\" }, got a list"
  end)

  it("takes a text as the answer", function()
    local result = outcome.new "hello"
    expect(result.answer):equals "hello"
    expect(#result.tool_calls):equals(0)
    expect(json.is_array(result.sources)):equals(true)
  end)
  it("parses arguments that arrive as JSON text, once or twice encoded", function()
    local result = outcome.new { tool_calls = {
      { name = "a", arguments = '{"x": 1}' },
      { name = "b", arguments = '"{\\"y\\": 2}"' },
      { name = "c", arguments = "{oops" },
      "d",
    } }
    expect(result.tool_calls[1].arguments):equals { x = 1 }
    expect(result.tool_calls[2].arguments):equals { y = 2 }
    expect(result.tool_calls[3].args_unparseable):equals(true)
    expect(result.tool_calls[3].arguments):equals "{oops"
    expect(result.tool_calls[4].name):equals "d"
    expect(table.concat(result.flags, " ")):equals "double_encoded args_unparseable"
  end)
  it("keeps the first 256 calls and says so", function()
    local calls = {}
    for i = 1, 10000 do
      calls[i] = { name = "t" .. i }
    end
    local result = outcome.new { tool_calls = calls }
    expect(#result.tool_calls):equals(256)
    expect(result.tool_calls[256].name):equals "t256"
    expect(result.flags[1]):equals "tool_calls_truncated"
  end)
  it("says what is wrong with anything else", function()
    for _, value in ipairs { 42, true, { answer = 1 }, { tool_calls = "x" }, { sources = "x" },
      { tool_calls = { {} } } } do
      local result, problem = outcome.new(value)
      expect(result):equals(nil)
      expect(type(problem)):equals "string"
    end
  end)
  it("does not change the table that the target owns", function()
    local given = { answer = "x", tool_calls = { { name = "a", arguments = "{}" } } }
    outcome.new(given)
    expect(given.tool_calls[1].arguments):equals "{}"
    expect(given.flags):equals(nil)
  end)
end)

describe("outcome.expected_tools", function()
  it("takes names and tables", function()
    local list = outcome.expected_tools { "a", { name = "b", arguments = { x = 1 } } }
    expect(list[1].name):equals "a"
    expect(list[2].arguments):equals { x = 1 }
  end)
  it("refuses the rest", function()
    for _, value in ipairs { { 1 }, { {} }, { { name = "" } }, { { name = "a", arguments = 1 } },
      { x = 1 } } do
      expect(outcome.expected_tools(value)):equals(nil)
    end
  end)
end)
