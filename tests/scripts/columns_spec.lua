-- columns_spec.lua: conversions of cells, and what a column means by default.

local columns = require "evalhost.columns"
local json = require "evalhost.native.json"

local convert = columns.convert

local function problem(name, value, case)
  local result, err = convert[name](value, case)
  expect(result):equals(nil)
  return err.message
end

describe("columns.default", function()
  it("knows inputs, ids, expectations; the rest is metadata", function()
    for _, name in ipairs { "input", "question", "query", "utterance", "prompt" } do
      expect(columns.default(name).to):equals "input"
    end
    for _, name in ipairs { "id", "test_id" } do
      expect(columns.default(name).to):equals "id"
    end
    expect(columns.default "expected_answer"):equals { to = "expected.answer" }
    expect(columns.default "expected_tools"):equals { to = "expected.tools", as = "tools" }
    expect(columns.default "expected_sources".as):equals "list"
    expect(columns.default "expected"):equals { to = "expected", as = "table" }
    expect(columns.default "note"):equals { to = "metadata.note" }
    expect(columns.default "expected_"):equals { to = "metadata.expected_" }
  end)
end)

describe("keywords", function()
  it("are split on commas and trimmed; empties are dropped", function()
    local list = convert.keywords " a, b c ,,d,\t"
    expect(list):equals { "a", "b c", "d" }
    expect(json.is_array(convert.keywords "")):equals(true)
    expect(convert.keywords "[x]"):equals { "[x]" }
    expect(convert.keywords { "a", "b" }):equals { "a", "b" }
  end)
end)

describe("lists", function()
  it("are a JSON array or a text split on commas", function()
    expect(convert.list ' ["a, b", "c"]'):equals { "a, b", "c" }
    expect(convert.list "a, b"):equals { "a", "b" }
    expect(convert.list {}):equals {}
  end)
  it("are nothing else", function()
    expect(problem("list", "[1, ")):truthy()
    expect(problem("list", 5)):equals "expected a list, got a number"
    expect(problem("list", { a = 1 })):equals "expected a list, got a table"
  end)
end)

describe("tables", function()
  it("may come as JSON text", function()
    expect(convert.table '{"a": 1}'):equals { a = 1 }
    expect(convert.table ""):equals {}
    expect(convert.table { a = 1 }):equals { a = 1 }
    expect(problem("table", "5")):equals "expected an object, got a number"
    expect(problem("table", "{")):truthy()
    expect(problem("table", true)):equals "expected an object, got a boolean"
  end)
end)

describe("expected tools", function()
  it("are a name, a JSON array of names, or nothing", function()
    expect(convert.tools " get_price "):equals { { name = "get_price" } }
    expect(convert.tools '["a", "b"]'):equals { { name = "a" }, { name = "b" } }
    expect(convert.tools '"a"'):equals { { name = "a" } }
    for _, none in ipairs { "", "  ", "[]" } do
      expect(convert.tools(none)):equals {}
    end
  end)
  it("may bring arguments in JSON rows", function()
    expect(convert.tools { "a", { name = "b", arguments = { x = 1 } } }):equals
      { { name = "a" }, { name = "b", arguments = { x = 1 } } }
  end)
  it("begin with the seed's words when they are malformed", function()
    expect(problem("tools", '["a"'):find "^expected_tool must be valid JSON: " ~= nil):equals(true)
    expect(problem("tools", "[1]")):equals "expected tool 1 must be a name or { name, arguments }"
    expect(problem("tools", 5)):truthy()
  end)
end)

describe("expected arguments", function()
  local function paired(tools, value)
    local case = { expected = { tools = convert.tools(tools) } }
    local result, err = convert.arguments(value, case)
    return result, err and err.message
  end

  it("pair one tool with an object or an array of one", function()
    expect(paired("a", '{"x": 1}')):equals { { name = "a", arguments = { x = 1 } } }
    expect(paired("a", '[{"x": 1}]')):equals { { name = "a", arguments = { x = 1 } } }
    expect(paired("a", "{}")):equals { { name = "a", arguments = {} } }
  end)

  it("are parallel to several tools", function()
    expect(paired('["a", "b"]', '[{"x": 1}, {}]')):equals
      { { name = "a", arguments = { x = 1 } }, { name = "b", arguments = {} } }
  end)

  it("may be empty: no fields are expected", function()
    expect(paired('["a", "b"]', " ")):equals { { name = "a" }, { name = "b" } }
    for _, none in ipairs { "", "{}", "[]" } do
      expect(paired("", none)):equals {}
    end
  end)

  it("say what is wrong", function()
    local function wrong(tools, value)
      local result, message = paired(tools, value)
      expect(result):equals(nil)
      return message
    end
    expect(wrong("a", "{x: 1}"):find "^expected_args must be valid JSON: " ~= nil):equals(true)
    expect(wrong('["a", "b"]', '{"x": 1}')):equals("expected_args: one object of arguments, "
      .. "but 2 expected tools; write an array with one object for each tool")
    expect(wrong("", '{"x": 1}')):equals("expected_args: one object of arguments, but 0 "
      .. "expected tools; write an array with one object for each tool")
    expect(wrong('["a", "b"]', '[{"x": 1}]')):equals
      "expected_args: 1 argument objects for 2 expected tools; the two lists are parallel"
    expect(wrong("a", "[5]")):equals "expected_args: element 1 must be an object"
    expect(wrong("a", "[[]]")):equals "expected_args: element 1 must be an object"
    expect(wrong("a", "7")):equals
      "expected_args: expected an object or an array of objects, got a number"
  end)
end)
