-- rows_spec.lua: how a row becomes a case with an id.

local columns = require "evalhost.columns"
local dataset = require "dataset"
local digest = require "evalhost.native.digest"
local scratch = require "scratch"

local file, ids = dataset.file, dataset.ids
local planned, problems_of = dataset.planned, dataset.problems

before_each(scratch.open)
after_each(scratch.close)

local function hash_of(input)
  return digest.sha256(input):sub(1, 12)
end

describe("rows", function()
  it("become cases by the names of their columns", function()
    local list = planned(file("a.csv", "question,test_id,expected_answer,expected_sources,level\n"
      .. "Why?,t1,Because,\"a, b\",hard\n"))
    expect(list):equals { { id = "t1", input = "Why?", metadata = { level = "hard" },
      expected = { answer = "Because", sources = { "a", "b" } } } }
  end)

  it("of JSON bring values of their own", function()
    local list = planned(file("a.json", [[
      [{"prompt": "p", "id": 7, "expected": {"tools": ["a", {"name": "b", "arguments": {"x": 1}}]},
        "note": null, "tags": [1, 2]},
       {"input": [{"role": "user", "content": "hi"}], "metadata": {"k": "v"}}] ]]))
    expect(list[1].id):equals "7"
    expect(list[1].expected.tools):equals
      { { name = "a" }, { name = "b", arguments = { x = 1 } } }
    expect(list[1].metadata):equals { tags = { 1, 2 } }
    expect(list[2].input[1].content):equals "hi"
    expect(list[2].metadata):equals { k = "v" }
  end)

  it("of a list and of an iterator are the same", function()
    local given = { { query = "a" }, { query = "b", extra = 1 } }
    local from_list = planned(given)
    local i = 0
    local from_iterator = planned(function()
      i = i + 1
      return given[i]
    end)
    expect(from_iterator):equals(from_list)
    expect(from_list[2].metadata.extra):equals(1)
  end)

  it("may come from a callable table", function()
    local left = 2
    local list = planned(setmetatable({}, { __call = function()
      left = left - 1
      return left >= 0 and { input = "x" .. left } or nil
    end }))
    expect(#list):equals(2)
  end)

  it("follow a mapping; what it does not name is metadata", function()
    local list = planned(file("a.csv", "q,input,tool\nx,y,t\n", { columns = {
      q = { to = "input" }, tool = { to = "expected.tools", as = "tools" } } }))
    expect(list[1].input):equals "x"
    expect(list[1].metadata):equals { input = "y" }
    expect(list[1].expected.tools):equals { { name = "t" } }
  end)

  it("of the first seed pair arguments with tools, whatever the order of columns", function()
    local content = "expected_args,expected_tool,test_id,query,expected_response_contains\n"
      .. '"{""symbol"": ""AAPL""}",get_price,T1,price?,"apple, 1"\n'
      .. '"[{""a"": 1}, {}]","[""x"", ""y""]",T2,both?,\n'
      .. ",,T3,none?,\n"
    local list = planned(file("a.csv", content, { columns = columns.finagent }))
    expect(list[1]):equals { id = "T1", input = "price?", metadata = {}, expected = {
      tools = { { name = "get_price", arguments = { symbol = "AAPL" } } },
      keywords = { "apple", "1" } } }
    expect(list[2].expected.tools):equals
      { { name = "x", arguments = { a = 1 } }, { name = "y", arguments = {} } }
    expect(list[3].expected):equals { tools = {}, keywords = {} }
  end)

  it("of the second seed have sources", function()
    local list = planned(file("a.jsonl",
      '{"id": "q1", "question": "Who?", "expected_sources": ["A, Inc", "B"], "kind": "x"}\n',
      { columns = columns.wikiagent }))
    expect(list[1]):equals { id = "q1", input = "Who?", metadata = { kind = "x" },
      expected = { sources = { "A, Inc", "B" } } }
  end)
end)

describe("map", function()
  it("makes cases of rows; nil leaves one out", function()
    local list = planned(file("a.csv", "a\n1\n2\n3\n", { map = function(row, n)
      if row.a == "2" then
        return nil
      end
      return { id = "r" .. n, input = row.a .. "!", expected = { answer = row.a } }
    end }))
    expect(ids(list)):equals { "r1", "r3" }
    expect(list[2].input):equals "3!"
    expect(list[2].expected.answer):equals "3"
  end)

  it("may fail, or give what is no case", function()
    local function first(map)
      return problems_of(file("a.csv", "a\n1\n2\n", { map = map }))[1]
    end
    local problem = first(function(row) return row.a == "2" and error "boom" or { input = "x" } end)
    expect(problem.message:find "^map: .*boom" ~= nil):equals(true)
    expect(problem.row):equals(2)
    expect(problem.line):equals(3)
    expect(first(function() return "x" end).message):equals "a case must be a table, got a string"
    expect(first(function() return {} end).message):equals "the case has no input"
    expect(first(function() return { input = "x", fn = print } end).message:find(
      "^the case cannot be kept as JSON: metadata.fn: ") ~= nil):equals(true)
  end)
end)

describe("ids", function()
  it("are given, or made of the input; repeats are numbered", function()
    local list = planned { { input = "same" }, { input = "other" }, { input = "same" },
      { id = "mine", input = "same" }, { input = "same" } }
    local same = hash_of "same"
    expect(#same):equals(12)
    expect(ids(list)):equals { same, hash_of "other", same .. "-2", "mine", same .. "-3" }
  end)

  it("of messages do not depend on the order of keys", function()
    local list = planned(file("a.jsonl",
      '{"input": [{"role": "user", "content": "x"}]}\n'
      .. '{"input": [{"content": "x", "role": "user"}]}\n'))
    expect(list[2].id):equals(list[1].id .. "-2")
  end)

  it("may come from a function", function()
    local list = planned(file("a.csv", "input,k\na,1\nb,2\n",
      { id = function(case) return "k" .. case.metadata.k end }))
    expect(ids(list)):equals { "k1", "k2" }
  end)

  it("of a function must be texts", function()
    local function first(id)
      return problems_of(file("a.csv", "input\na\n", { id = id }))[1].message
    end
    expect(first(function() return {} end)):equals "id: expected a text, got a table"
    expect(first(function() return "" end)):equals "id: expected a text, got an empty one"
    expect(first(function() error "boom" end):find "^id: .*boom" ~= nil):equals(true)
    local list = planned(file("b.csv", "input\na\n", { id = function() return 12 end }))
    expect(list[1].id):equals "12"
    list = planned(file("c.csv", "input\na\n", { id = function() return nil end }))
    expect(list[1].id):equals(hash_of "a")
  end)

  it("that are used twice name both rows, each of them", function()
    local list = problems_of(file("a.csv", "id,input\na,1\nb,2\na,3\nb,4\na,5\n"))
    expect(#list):equals(3)
    expect(list[1].message):equals "the id 'a' is used twice: in row 1 and in row 3"
    expect(list[2].message):equals "the id 'b' is used twice: in row 2 and in row 4"
    expect(list[3].message):equals "the id 'a' is used twice: in row 1 and in row 5"
    expect(list[1].line):equals(4)
  end)

  it("that are blank are a problem in JSON; an empty cell of CSV is no id", function()
    expect(problems_of({ { input = "x", id = "" } })[1].message):equals "the id is empty or no text"
    expect(problems_of({ { input = "x", id = {} } })[1].message):equals "the id is empty or no text"
  end)
end)

