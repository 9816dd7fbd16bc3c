-- cases_spec.lua: test data: problems, filter and limit, streaming.

local cases = require "evalhost.cases"
local columns = require "evalhost.columns"
local dataset = require "dataset"
local digest = require "evalhost.native.digest"
local fiber = require "evalhost.native.fiber"
local scratch = require "scratch"
local text = require "evalhost.native.text"

local file, ids = dataset.file, dataset.ids
local planned, problems_of = dataset.planned, dataset.problems

before_each(scratch.open)
after_each(scratch.close)

describe("eval.cases", function()
  it("checks its arguments", function()
    expect(function() cases.new() end):errors "expected a path, got a nil"
    expect(function() cases.new("a.csv", { colums = {} }) end):errors "did you mean columns"
    expect(function() cases.new("a.csv", { format = "xml" }) end):errors "known: csv, json, jsonl"
    expect(function() cases.new("a.csv", { map = 5 }) end):errors "map must be a function"
  end)

  it("checks its columns", function()
    local function with(mapping)
      return function() cases.new("a.csv", { columns = mapping }) end
    end
    expect(with { q = "input" }):errors "columns.q must be a table"
    expect(with { q = {} }):errors "columns.q: to = is missing"
    expect(with { q = { to = "input", as = "lst" } }):errors "columns.q: as = \"lst\""
    expect(with { q = { to = "input", requird = true } }):errors "did you mean required"
    for _, to in ipairs { "inptu", "expected.", ".x", "expected.a.b", "id.x", "meta.x" } do
      expect(with { q = { to = to } }):errors "no field of a case"
    end
    cases.new("a.csv", { columns = columns.finagent })
    cases.new("a.csv", { columns = columns.wikiagent })
    cases.new("a.csv", { columns = { e = { to = "expected", as = "table" },
      m = { to = "metadata.x", as = "text" } } })
  end)

  it("knows its own", function()
    expect(cases.is(cases.new "a.csv")):equals(true)
    expect(cases.is {}):equals(false)
  end)

  it("is relative to the suite's folder; the data of --cases is not", function()
    local given = cases.new("data/a.csv", { id = function() return "x" end })
    expect(given.path):equals(scratch.folder .. "/data/a.csv")
    local other = cases.replace(given, "b.jsonl")
    expect(other.path):equals "b.jsonl"
    expect(other.id):equals(given.id)
    expect(other.format):equals(nil)
    expect(cases.is(cases.replace({}, "b.csv"))):equals(true)
  end)
end)

describe("problems", function()
  it("are listed, all of them up to 20, each with its row", function()
    local rows = {}
    for i = 1, 30 do
      rows[i] = i % 3 == 0 and { input = "fine" .. i } or { nothing = i }
    end
    local list = problems_of(rows)
    expect(#list):equals(20)
    expect(list[1].row):equals(1)
    expect(list[3].row):equals(4)
    expect(#problems_of { { x = 1 }, { input = "a" }, { x = 1 } }):equals(2)
  end)

  it("of one row are all there", function()
    local list = problems_of { { input = 5, id = {}, expected = { tools = "x" } } }
    expect(#list):equals(3)
    expect(list[3].message:find "expected tools must be a list" ~= nil):equals(true)
  end)

  it("of inputs", function()
    local function first(input)
      return problems_of({ { input = input } })[1].message
    end
    expect(first(nil)):equals "the case has no input"
    expect(first ""):equals "the input is empty"
    for _, input in ipairs { 5, true, { 1 }, { "a" }, { { content = "no role" } }, {} } do
      expect(first(input)):equals "input must be a text or a list of messages { role, content }"
    end
  end)

  it("of a cell name row, line and column", function()
    local content = "test_id,query,expected_tool,expected_args,expected_response_contains\n"
      .. "t1,q,a,{},\nt2,\"two\nlines\",a,{oops},\n"
    local list = problems_of(file("a.csv", content, { columns = columns.finagent }))
    expect(#list):equals(1)
    expect(list[1].row):equals(2)
    expect(list[1].line):equals(3)
    expect(list[1].column):equals "expected_args"
    expect(list[1].message:find "^expected_args must be valid JSON" ~= nil):equals(true)
  end)

  it("of a row of CSV come with those of others", function()
    local list = problems_of(file("a.csv", "id,input\n1\n2,x\n3,\n"))
    expect(#list):equals(2)
    expect(list[1].message:find "^Invalid CSV format: " ~= nil):equals(true)
    expect(list[2].message):equals "the input is empty"
  end)

  it("of files as a whole", function()
    expect(problems_of(cases.new "data.txt")[1].message:find("cannot tell the format", 1, true)
      ~= nil):equals(true)
    expect(problems_of(cases.new "none.csv")[1].code):equals "not_found"
    expect(problems_of(file("a.csv", ""))[1].message):equals "Invalid CSV format: the file is empty"
    expect(problems_of(5)[1].message:find("cases must be", 1, true) ~= nil):equals(true)
    expect(problems_of({ a = 1 })[1].message:find("cases must be", 1, true) ~= nil):equals(true)
  end)

  it("of a list are what JSON cannot keep, too", function()
    expect(problems_of({ { input = "x", callback = print } })[1].message:find(
      "^the case cannot be kept as JSON: metadata.callback: ") ~= nil):equals(true)
  end)

  it("missing in rows of JSON", function()
    local given = file("a.jsonl", '{"question": "x"}\n', { columns = columns.wikiagent })
    local list = problems_of(given)
    expect(list[1].message):equals "the expected_sources is missing"
  end)

  it("of an iterator come as they are met", function()
    local n = 0
    local plan = assert(cases.plan(function()
      n = n + 1
      return n == 1 and { input = "a" } or n == 2 and { nothing = 1 } or nil
    end, {}))
    expect(plan.total):equals(nil)
    local seen, problems = 0, {}
    plan.visit(function() seen = seen + 1 end, function(one) table.insert(problems, one) end)
    expect(seen):equals(1)
    expect(problems[1].row):equals(2)
  end)

  it("of an iterator that raises end it", function()
    local n, problems = 0, {}
    local plan = assert(cases.plan(function()
      n = n + 1
      return n == 1 and { input = "a" } or error "boom"
    end, {}))
    plan.visit(function() end, function(problem) table.insert(problems, problem) end)
    expect(#problems):equals(1)
    expect(problems[1].message:find "^the iterator: .*boom" ~= nil):equals(true)
    expect(n):equals(2)
  end)
end)

describe("filter and limit", function()
  local function four()
    return file("a.csv", "id,input\na1,x\nb1,x\na2,x\na3,x\n")
  end

  it("choose by id, then count", function()
    local regex = assert(text.regex "^a")
    local list, plan = planned(four(), { filter = regex })
    expect(ids(list)):equals { "a1", "a2", "a3" }
    expect(plan.total):equals(3)
    expect(plan.rows):equals(4)
    list, plan = planned(four(), { filter = regex, limit = 2 })
    expect(ids(list)):equals { "a1", "a2" }
    expect(plan.total):equals(2)
    list, plan = planned(four(), { limit = 9 })
    expect(#list):equals(4)
    expect(math.type(plan.total)):equals "integer"
    list, plan = planned(four(), { filter = assert(text.regex "z") })
    expect(list):equals {}
    expect(plan.total):equals(0)
  end)

  it("do not hide problems of other rows", function()
    local list = problems_of(file("b.csv", "id,input\na,x\nb,\n"), { limit = 1 })
    expect(list[1].row):equals(2)
  end)

  it("leave ids as they are without them", function()
    local rows = { { input = "s", k = 1 }, { input = "s", k = 2 } }
    local list = planned(rows, { filter = assert(text.regex "-2$") })
    expect(#list):equals(1)
    expect(list[1].metadata.k):equals(2)
  end)

  it("hold for iterators", function()
    local n = 0
    local list = planned(function()
      n = n + 1
      return { input = "i" .. n, id = n }
    end, { limit = 3 })
    expect(ids(list)):equals { "1", "2", "3" }
    expect(n):equals(3)
  end)
end)

describe("a plan", function()
  it("stops when the visitor says so", function()
    local _, plan = planned { { input = "a" }, { input = "b" }, { input = "c" } }
    local count = 0
    plan.visit(function()
      count = count + 1
      return count == 2
    end, error)
    expect(count):equals(2)
  end)

  it("has the fingerprint of its data", function()
    local function fingerprint(value)
      return cases.plan(value, {}).fingerprint
    end
    local one = fingerprint { { input = "a", x = 1, y = 2 } }
    expect(fingerprint { { y = 2, input = "a", x = 1 } }):equals(one)
    expect(fingerprint { { input = "a", x = 1, y = 3 } } ~= one):equals(true)
    expect(fingerprint { { input = "a" }, { input = "b" } }
      ~= fingerprint { { input = "b" }, { input = "a" } }):equals(true)
    local content = "input\na\n"
    expect(fingerprint(file("a.csv", content))):equals(digest.sha256(content))
    expect(fingerprint(function() end)):equals "iterator"
    expect(fingerprint {}):equals "none"
  end)

  it("streams: memory does not grow with the rows, and others get their turns", function()
    local function content()
      local lines = { "id,input" }
      for i = 1, 2000 do
        lines[#lines + 1] = ("c%d,%s"):format(i, ("x"):rep(1000))
      end
      return table.concat(lines, "\n")
    end
    local given = file("a.csv", content())
    local turns, done = 0, false
    local other = fiber.spawn(function()
      while not done do
        turns = turns + 1
        fiber.sleep(0)
      end
    end)
    local plan = assert(cases.plan(given, {}))
    expect(plan.total):equals(2000)
    collectgarbage()
    local before, most, count = collectgarbage "count", 0, 0
    plan.visit(function()
      count = count + 1
      if count % 250 == 0 then
        collectgarbage()
        most = math.max(most, collectgarbage "count")
      end
    end, error)
    done = true
    other:join()
    expect(count):equals(2000)
    expect(most - before < 500):equals(true) -- KiB; the file has 2,000
    expect(turns >= 3):equals(true)
  end)
end)
