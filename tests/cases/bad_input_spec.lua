-- bad_input_spec.lua: what is wrong with a suite, its data, its target or its metrics is said by
-- the binary as FAULTS.md wants it, and never taken for a wrong or a right answer.

local fs = require "evalhost.native.fs"
local json = require "evalhost.native.json"
local os_ = require "evalhost.native.os"
local support = require "support"

after_each(support.cleanup)

local HEADER = "test_id,query,expected_tool,expected_args,expected_response_contains\n"

-- A suite over data.csv in the seed's columns. Its target leaves a mark when it is called.
local SEED_SUITE = support.suite {
  cases = 'eval.cases("data.csv", { columns = eval.columns.finagent })',
  target = [[function(case)
    local mark = io.open("called", "a")
    mark:write(case.id, "\n")
    mark:close()
    return { answer = case.input, seen = case.metadata }
  end]],
}

local PLAIN_SUITE = SEED_SUITE:gsub(", { columns = eval.columns.finagent }", "")

local function seed(rows, header)
  return support.run(SEED_SUITE, {}, { ["data.csv"] = (header or HEADER) .. rows })
end

local function plain(text)
  return support.run(PLAIN_SUITE, {}, { ["data.csv"] = text })
end

local function holds(text, ...)
  for _, part in ipairs { ... } do
    if not text:find(part, 1, true) then
      error(("%q is not in\n%s"):format(part, text), 2)
    end
  end
end

-- Exit 2, nothing was called, nothing written, and all these words on stderr.
local function rejected(result, ...)
  holds(result.stderr, ...)
  expect(result.code):equals(2)
  expect(result.stdout):equals ""
  expect(result.json):equals(nil)
  expect(fs.exists(fs.join(result.folder, "called"))):equals(false)
  expect(result.stderr:find("traceback", 1, true)):equals(nil)
end

local function accepted(result)
  expect(result.stderr:match "Invalid[^\n]*"):equals(nil)
  expect(result.code):equals(0)
  return result.json.cases
end

local function inputs(result)
  local list = {}
  for i, case in ipairs(accepted(result)) do
    list[i] = case.input
  end
  return list
end

describe("CSV that is accepted", function()
  it("may begin with a BOM", function()
    expect(inputs(plain "\239\187\191id,input\n1,one\n")):equals { "one" }
  end)

  it("may end its lines with CRLF, lone CR, or nothing at the end", function()
    expect(inputs(plain "id,input\r\n1,one\r\n2,two\r\n")):equals { "one", "two" }
    expect(inputs(plain "id,input\r1,one\r2,two\r")):equals { "one", "two" }
    expect(inputs(plain "id,input\n1,one\n2,two")):equals { "one", "two" }
  end)

  it("may have line ends, commas and doubled quotes in quoted cells", function()
    expect(inputs(plain 'id,input\n1,"one\nmore, and ""quoted"""\n2,"a\r\nb"\n3,""""\n'))
      :equals { 'one\nmore, and "quoted"', "a\r\nb", '"' }
  end)

  it("keeps unknown columns as metadata, and spaces in cells", function()
    local case = accepted(plain "id,input,colour,X Y\n1, one ,red,z\n")[1]
    expect(case.input):equals " one "
    expect(case.metadata):equals { colour = "red", ["X Y"] = "z" }
  end)

  it("trims padded column names and says so", function()
    local result = plain "id , input\n1,one\n"
    expect(inputs(result)):equals { "one" }
    holds(result.stderr, "warning: ", "column")
  end)

  it("gets ids from the content where it has none", function()
    local cases = accepted(plain "input\none\ntwo\none\n")
    expect(#cases[1].id):equals(12)
    expect(cases[3].id):equals(cases[1].id .. "-2")
    expect(cases[2].id == cases[1].id):equals(false)
  end)
end)

describe("CSV that is rejected", function()
  it("for a quote that never ends, with the line where it began", function()
    rejected(plain 'id,input\n1,one\n2,"two\n3,three\n', "Invalid CSV format", "data.csv:3",
      "row 2", "quote")
  end)

  it("for text after a closing quote", function()
    rejected(plain 'id,input\n1,"one"x\n2,two\n', "Invalid CSV format", "data.csv:2", "row 1")
  end)

  it("for rows that are too short or too long, naming physical lines", function()
    rejected(plain 'id,input\n1,"one\nmore"\n2\n3,three,3\n', "Invalid CSV format",
      "data.csv:4", "row 2", "data.csv:5", "row 3")
  end)

  it("for missing columns", function()
    rejected(seed("1,q\n", "test_id,query\n"), "Invalid CSV format", "missing columns",
      "expected_tool", "expected_args", "expected_response_contains")
  end)

  it("for a missing column that is only misspelt, with its name", function()
    rejected(seed("1,q,,,\n", HEADER:gsub("query", "qeury")), "missing column query",
      "is 'qeury' meant to be query?")
  end)

  it("for duplicate columns, also when only spaces set them apart", function()
    rejected(plain "id,input,input\n1,a,b\n", "Invalid CSV format", "'input'", "twice")
    rejected(plain "id,input,input \n1,a,b\n", "Invalid CSV format", "'input'", "twice")
  end)

  it("for an id that is there twice, naming both rows", function()
    rejected(plain "id,input\na,1\nb,2\na,3\n", "data.csv:4", "'a'", "row 1", "row 3")
  end)

  it("for an empty id", function()
    rejected(plain "id,input\n,1\nb,2\n", "data.csv:2", "row 1", "id")
  end)

  it("for NUL bytes, saying where", function()
    rejected(plain "id,input\n1,o\0e\n", "Invalid CSV format", "data.csv:2", "NUL", "offset 12")
  end)

  it("for latin-1, with byte offset and hint, never guessing", function()
    rejected(plain "id,input\n1,caf\233\n", "Invalid CSV format", "data.csv:2", "UTF-8", "hint:",
      "offset 14")
  end)

  it("for UTF-16 in both orders", function()
    local little = ("id,input\n1,a\n"):gsub(".", "%0\0")
    local big = ("id,input\n1,a\n"):gsub(".", "\0%0")
    rejected(plain("\255\254" .. little), "Invalid CSV format", "UTF-16")
    rejected(plain("\254\255" .. big), "Invalid CSV format", "UTF-16")
  end)

  it("with all its problems at once", function()
    rejected(seed('1,q,t,{bad},\n2,"a" b,t,{},\n3,q,t,{},,,\n4,,t,{},\n'), "data.csv:2",
      "expected_args must be valid JSON", "data.csv:3", "data.csv:4", "data.csv:5", "input")
  end)

  it("with no more than 20 problems", function()
    local rows = {}
    for i = 1, 30 do
      rows[i] = ("%d,q,t,{bad},\n"):format(i)
    end
    local result = seed(table.concat(rows))
    rejected(result, "row 20", "only the first 20")
    expect(support.count(result.stderr, "expected_args must be valid JSON")):equals(20)
  end)
end)

describe("expected_args", function()
  local function args(cell, tools)
    return seed(("ok,q,,,\nbad,q,%s,\"%s\",\n"):format(tools or "t", (cell:gsub('"', '""'))))
  end

  it("must be JSON: the message has row, line, column, offset", function()
    rejected(args '{"ticker": AAPL}', "data.csv:3", "row 2", "column expected_args", "offset 1",
      "expected_args must be valid JSON")
  end)

  it("hints at single quotes", function()
    rejected(args "{'ticker':'AAPL'}", "expected_args must be valid JSON", "hint:", "quote")
  end)

  it("hints at quotes that the CSV swallowed", function()
    rejected(seed 'x,q,t,"{ticker:""AAPL""}",\n', "expected_args must be valid JSON", "hint:")
    rejected(seed 'x,q,t,{"ticker":"AAPL"},\ny,q,t,"{"ticker":"AAPL"}",\n', "data.csv:3")
  end)

  it("may not have the same key twice", function()
    rejected(args '{"a":1,"a":2}', "expected_args must be valid JSON", "offset 7", '"a"')
  end)

  it("may not be deeper than 64", function()
    local function nested(n)
      return '{"a":' .. ("["):rep(n - 1) .. ("]"):rep(n - 1) .. "}"
    end
    expect(args(nested(64)).code):equals(0)
    rejected(args(nested(65)), "expected_args must be valid JSON", "64")
  end)

  it("may not overflow a number", function()
    rejected(args '{"a":1e999}', "expected_args must be valid JSON", "offset 5")
  end)

  it("must be as many as the tools", function()
    rejected(args('[{"a":1}]', '"[""t"",""u""]"'), "column expected_args", "1 argument object",
      "2 expected tools")
    rejected(args('{"a":1}', '"[""t"",""u""]"'), "column expected_args", "2 expected tools")
    rejected(args('{"a":1}', ""), "column expected_args", "0 expected tools")
    rejected(args("[1]"), "column expected_args", "object")
    rejected(args('"text"'), "column expected_args", "string")
  end)

  it("keeps integers exact to 64 bits", function()
    local result = seed 'x,q,t,"{""n"":9007199254740993,""m"":9223372036854775807}",\n'
    expect(result.code):equals(0)
    local arguments = result.cases.x.expected.tools[1].arguments
    expect(math.type(arguments.n)):equals "integer"
    expect(arguments):equals { n = 9007199254740993, m = math.maxinteger }
    holds(assert(fs.read(fs.join(result.folder, "out.json"))), "9007199254740993")
  end)

  it("may be empty, or one object in a list for one tool", function()
    local result = seed 'x,q,t,,\ny,q,t,"[{""a"":1}]",\nz,q,[],,\nw,q,,{},\n'
    expect(result.code):equals(0)
    expect(result.cases.x.expected.tools[1].arguments):equals(json.null)
    expect(result.cases.y.expected.tools[1].arguments):equals { a = 1 }
    expect(#result.cases.z.expected.tools):equals(0)
    expect(#result.cases.w.expected.tools):equals(0)
  end)
end)

describe("data", function()
  local function over(name, text)
    return support.run(PLAIN_SUITE:gsub("data%.csv", name), {}, { [name] = text })
  end

  it("that is not there, is named", function()
    rejected(support.run(PLAIN_SUITE), "data.csv", "No such file")
    rejected(support.run(PLAIN_SUITE, { "--cases", "other.csv" }), "other.csv", "no such file")
  end)

  it("that is empty is no run", function()
    rejected(plain "", "Invalid CSV format", "empty")
    rejected(plain "id,input\n", "no cases")
    rejected(over("data.json", "[]"), "no cases")
    rejected(over("data.jsonl", ""), "no cases")
    rejected(support.run(support.suite { cases = "{}" }), "no cases")
  end)

  it("from an iterator is checked as it comes, and may not be empty", function()
    rejected(support.run(support.suite { cases = "function() return nil end" }), "no cases")
    local result = support.run(support.suite { cases = "(function() local n = 0 return function() "
      .. "n = n + 1 return ({ { id = 'a', input = 'x' }, { id = 'b' } })[n] end end)()" })
    expect(result.code == 0):equals(false)
    expect(result.cases.a.verdict):equals "scored"
    holds(result.stderr, "row 2", "no input")
  end)

  it("that no filter matches is no run", function()
    rejected(support.run(support.suite(), { "--filter", "^zzz" }), "^zzz", "none of the 2 cases")
    rejected(support.run(support.suite(), { "--filter", "(" }), "--filter")
  end)

  it("in JSON and JSONL has lines and offsets too", function()
    rejected(over("data.jsonl", '{"input":"a"}\n{"input":}\n[1]\n7\n{"id":"x"}\n'),
      "data.jsonl:2", "data.jsonl:3", "data.jsonl:4", "data.jsonl:5", "no input")
    rejected(over("data.json", '[{"input":"a"},\n{"input":"b",}]'), "data.json:2")
    rejected(over("data.json", '{"input":"a"}'), "array of cases")
  end)

  it("of an unknown kind needs a format", function()
    rejected(over("data.txt", "input\na\n"), "data.txt", "format")
  end)

  it("in a suite's own list is checked as well", function()
    rejected(support.run(support.suite { cases = '{ { input = "a" }, { id = "x" }, 7 }' }),
      "row 2", "no input", "row 3")
  end)
end)

describe("a suite", function()
  it("with a syntax error is named with its line", function()
    rejected(support.run 'local eval = require "evalhost"\nreturn eval.suite {\n  name = = 1 }\n',
      "suite.lua:3:")
  end)

  it("that is not there, or a folder, is named", function()
    local folder = support.folder()
    local missing = support.evalhost(folder, { "nothing.lua" })
    expect(missing.code):equals(2)
    holds(missing.stderr, "nothing.lua", "No such file")
    local at_folder = support.evalhost(folder, { "." })
    expect(at_folder.code):equals(2)
    holds(at_folder.stderr, "folder")
  end)

  it("with an unknown key gets the nearest one, and the line", function()
    rejected(support.run(support.suite { treshold = "{}" }), "suite.lua:8:",
      "unknown key 'treshold'", "did you mean thresholds?")
    rejected(support.run(support.suite { limits = "{ concurency = 2 }" }),
      "unknown key 'concurency'", "did you mean concurrency?")
    rejected(support.run(support.suite { metrics = "{ t = eval.metrics.equals { off = 'x' } }" }),
      "suite.lua:5:", "unknown key 'off'", "did you mean of?")
  end)

  it("with wrong types and impossible values is refused", function()
    rejected(support.run(support.suite { name = '"No Name"' }), "suite.lua:", "No Name")
    rejected(support.run(support.suite { pass = "0.7" }), "suite.lua:", "no score function")
    rejected(support.run(support.suite { metrics = "{}" }), "suite.lua:", "metrics")
    rejected(support.run(support.suite { metrics = "{ score = function() end }" }), "reserved")
    rejected(support.run(support.suite { limits = "{ concurrency = 0 }" }), "limits.concurrency")
    rejected(support.run(support.suite { pass = "{ okk = 1 }" }), "pass.okk", "did you mean ok?")
    rejected(support.run(support.suite { thresholds = "{ minimum = { okk = 1 } }" }),
      "thresholds.minimum.okk", "did you mean ok?")
    rejected(support.run(support.suite { thresholds = "{ minimum = { ok = '>> 1' } }" }),
      "thresholds.minimum.ok")
    rejected(support.run(support.suite { thresholds = "{ x = { ok = 1 }, y = { ok = 1 } }" }),
      "several levels (x, y)")
  end)

  it("must return a suite", function()
    rejected(support.run "return 1\n", "suite.lua", "must return eval.suite", "integer")
    rejected(support.run "", "must return eval.suite", "returned nothing")
  end)

  it("that raises while loading says so in its own words", function()
    local result = support.run "local t = nil\nlocal x = t.field\n"
    expect(result.code):equals(2)
    holds(result.stderr, "suite.lua:2:", "'t'")
    result = support.run "error(setmetatable({}, { __tostring = function() error 'no' end }))\n"
    expect(result.code):equals(2)
    result = support.run "error(nil)\n"
    expect(result.code):equals(2)
  end)

  it("has one target or says which", function()
    local two = support.suite { targets = "{ one = function() end, two = function() end }" }
    rejected(support.run(two), "one, two", "--target")
    rejected(support.run(two, { "--target", "onne" }), "onne", "did you mean one?")
  end)
end)

describe("the command line", function()
  local function usage(args, ...)
    rejected(support.run(support.suite { params = "{ alpha = 1, on = true }" }, args), ...)
  end

  it("refuses what it does not know", function()
    usage({ "--limt", "1" }, "--limt")
    usage({ "-j", "0" }, "jobs")
    usage({ "--timeout", "soon" }, "--timeout")
    usage({ "--param", "alpha" }, "--param", "NAME=VALUE")
    usage({ "--param", "alhpa=2" }, "did you mean alpha?")
    usage({ "--param", "alpha=two" }, "number")
    usage({ "--param", "on=maybe" }, "boolean")
    usage({ "--seed", "x" }, "--seed")
    usage({ "--judge", "nobody" }, "--judge", "nobody")
    usage({ "-o", "x.xls" }, "x.xls", ".junit.xml")
    usage({ "second.lua" }, "second.lua")
  end)

  it("without a suite explains itself", function()
    local result = support.evalhost(support.folder(), { "run" })
    expect(result.code):equals(2)
    holds(result.stderr, "needs a path", "--help")
  end)

  it("says that a judge's key is not set before any case", function()
    local suite = support.suite { metrics = "{ j = eval.judges.faithfulness { model = 'm' } }",
      targets = "{ openai = eval.targets.chat { model = 'm' }, own = function() return 'x' end }",
      target = '"own"' }
    rejected(support.run(suite, { "--judge", "openai" }), "OPENAI_API_KEY is not set")
    rejected(support.run(suite, { "--target", "openai" }), "OPENAI_API_KEY is not set")
  end)
end)

describe("a metric", function()
  local function measured(metric, extra)
    local fields = { metrics = "{ bad = " .. metric .. ", good = function() return 1 end }" }
    for key, value in pairs(extra or {}) do
      fields[key] = value
    end
    local result = support.run(support.suite(fields))
    expect(result.code):equals(3)
    expect(result.json.run.status):equals "error"
    expect(result.json.summary.unscored):equals(2)
    expect(result.json.summary.errors):equals(0)
    expect(result.json.summary.metrics.good.mean):equals(1)
    expect(result.json.summary.metrics.bad.n):equals(0)
    expect(result.cases.a.verdict):equals "unscored"
    expect(result.cases.a.metrics.good.value):equals(1)
    return result.cases.a.metrics.bad, result
  end

  local function code(metric, extra)
    return measured(metric, extra).unscored
  end

  it("that throws is unscored, whatever it throws", function()
    expect(code "function() error 'boom' end"):equals "scorer_error"
    expect(code "function() error(nil) end"):equals "scorer_error"
    expect(code "function() error({}) end"):equals "scorer_error"
    local thrower = "setmetatable({}, { __tostring = function() error 'again' end })"
    expect(code("function() error(" .. thrower .. ") end")):equals "scorer_error"
    local result = measured "function() error 'boom' end"
    holds(result.reason, "suite.lua:", "boom")
  end)

  it("that yields by itself is unscored", function()
    expect(code "function() coroutine.yield(1) return 1 end"):equals "scorer_error"
  end)

  it("that gives no usable value is unscored", function()
    expect(code "function() return 0/0 end"):equals "scorer_nan"
    expect(code "function() return 1/0 end"):equals "scorer_nan"
    expect(code "function() return nil end"):equals "scorer_nil"
    expect(code "function() end"):equals "scorer_nil"
    expect(code "function() return 'high' end"):equals "scorer_type"
    expect(code "function() return {} end"):equals "scorer_nil"
    expect(code "eval.metric { fn = function() return 1.01 end, range = { 0, 1 } }")
      :equals "scorer_range"
    expect(code "eval.metric { fn = function() return -1 end, range = { 0, 1 } }")
      :equals "scorer_range"
    expect(measured("function() return eval.unscored 'no instrument' end").reason)
      :equals "no instrument"
  end)

  it("that never ends is unscored: judge_timeout", function()
    for _, body in ipairs { "while true do end", "while true do pcall(error) end",
      "eval.sleep(100)" } do
      local result = support.run(support.suite { limits = "{ judge_timeout = 0.5 }",
        metrics = ("{ good = function() return 1 end, hangs = function() %s end }"):format(body) })
      expect(result.code):equals(3)
      expect(result.cases.a.metrics.hangs.unscored):equals "judge_timeout"
      expect(result.cases.b.metrics.good.value):equals(1)
      expect(result.cases.b.timings.judge_ms < 3000):truthy()
    end
  end)

  it("is not taken along by a judge that hangs, wherever it stands", function()
    if not os_.env "EVALHOST_TEST_SERVER" then
      skip "EVALHOST_TEST_SERVER is not set"
    end
    local result = support.run(support.suite { limits = "{ judge_timeout = 0.5 }",
      metrics = ("{ judge = eval.judges.faithfulness { model = 'm', base_url = %q }, "
        .. "last = function() return 1 end }"):format(os_.env "EVALHOST_TEST_SERVER" .. "/hang/v1")
    }, {}, nil, { env = { OPENAI_API_KEY = "k" } })
    expect(result.code):equals(3)
    expect(result.cases.a.metrics.judge.unscored):equals "judge_timeout"
    expect(result.cases.a.metrics.last.value):equals(1)
  end)

  it("that is unscored makes the formulas that need it unscored, and no others", function()
    local bad = "{ bad = function() return nil end, good = function() return 1 end }"
    local result = support.run(support.suite { metrics = bad,
      score = "function(m) return (m.good + m.bad) / 2 end", pass = "0.5" })
    expect(result.code):equals(3)
    expect(result.cases.a.verdict):equals "unscored"
    expect(result.cases.a.score):equals(json.null)
    result = support.run(support.suite { metrics = bad, score = "function(m) return m.good end",
      pass = "0.5" })
    expect(result.code):equals(0)
    expect(result.cases.a.verdict):equals "pass"
  end)
end)

describe("a target", function()
  -- Case a goes through the body given; case b passes.
  local function asked(body, args, fields)
    local all = { target = ("function(case, ctx) if case.id == 'b' then return 'fine' end %s end")
      :format(body) }
    for key, value in pairs(fields or {}) do
      all[key] = value
    end
    local result = support.run(support.suite(all), args)
    expect(result.code):equals(3)
    expect(result.json.run.status):equals "error"
    expect(result.json.summary.errors):equals(1)
    expect(result.cases.a.verdict):equals "error"
    expect(result.cases.b.verdict):equals "scored"
    return result.cases.a.error, result
  end

  it("that throws is an error, whatever it throws", function()
    expect(asked("error 'boom'").code):equals "lua_error"
    expect(asked("error(nil)").code):equals "lua_error"
    asked("error({ code = 5, message = {} })")
    asked("error({})")
    asked("error(print)")
    local thrower = "setmetatable({}, { __tostring = function() error 'again' end })"
    asked(("error(%s)"):format(thrower))
    asked(("return nil, %s"):format(thrower))
    holds(asked("error 'boom'").message, "suite.lua:", "boom")
  end)

  it("that returns nothing, or no outcome, is an error", function()
    holds(asked("return nil").message, "returned nil")
    holds(asked("return nil, 'the server said no'").message, "the server said no")
    expect(asked("return nil, 'x'").code):equals "target_error"
    expect(asked("return 7").code):equals "bad_outcome"
    expect(asked("return { answer = 7 }").code):equals "bad_outcome"
    expect(asked("return { answer = 'x', tool_calls = { 1 } }").code):equals "bad_outcome"
    expect(asked("return { answer = 'x', extra = print }").code):equals "bad_outcome"
    expect(asked("local t = { answer = 'x' } t.t = t return t").code):equals "bad_outcome"
  end)

  it("that returns a table which cannot be read harms only that case", function()
    expect(asked("return setmetatable({}, { __pairs = function() error 'no' end })").code)
      :equals "bad_outcome"
  end)

  it("cannot spoil the case that is recorded", function()
    local result = support.run(support.suite { target =
      "function(case) case.id, case.input, case.metadata = nil, 7, print return 'x' end" })
    expect(result.code):equals(0)
    expect(result.cases.a.verdict):equals "scored"
    expect(type(result.cases.a.input)):equals "string"
  end)

  it("that yields by itself is an error", function()
    expect(asked("coroutine.yield() return 'x'").code):equals "lua_error"
  end)

  it("may use coroutines of its own, and await in them", function()
    local result = support.run(support.suite { target = [[function()
      local next_word = coroutine.wrap(function()
        eval.sleep(0.01)
        coroutine.yield "one"
        eval.sleep(0.01)
        coroutine.yield "two"
      end)
      return next_word() .. next_word()
    end]] })
    expect(result.code):equals(0)
    expect(result.cases.a.outcome.answer):equals "onetwo"
  end)

  it("that loops for ever ends with its deadline, in the phase lua", function()
    local from = os_.mono()
    local err, result = asked("while true do end", { "--timeout", "1" })
    expect(os_.mono() - from < 10):truthy()
    expect(err.code):equals "timeout"
    expect(err.phase):equals "lua"
    expect(result.cases.a.timings.target_ms < 3000):truthy()
  end)

  it("that hides its loop in pcall or in a coroutine ends as well", function()
    local bodies = { "while true do pcall(error) end",
      "while true do pcall(function() while true do end end) end",
      "coroutine.wrap(function() while true do end end)()",
      "repeat local ok = pcall(string.rep, 'x', -1) until not ok" }
    for _, body in ipairs(bodies) do
      local err, result = asked(body, { "--timeout", "1" })
      expect(err.code):equals "timeout"
      expect(result.cases.a.timings.target_ms < 3000):truthy()
    end
  end)

  it("that is stuck inside of a library function is named, and ends the program", function()
    local result = support.run(support.suite { target =
      'function() return ("a"):rep(3000):find(".-.-.-b") and "x" or "y" end' },
      { "--timeout", "0.5" })
    expect(result.code):equals(5)
    expect(result.stderr:find("stuck inside a library function", 1, true)):truthy()
    expect(result.stderr:find("in case a,", 1, true)):truthy()
  end)

  it("that leaves a finalizer without an end does not keep the program", function()
    local result = support.run(support.suite { target = 'function() kept = setmetatable({}, '
      .. '{ __gc = function() while true do end end }) return "x" end' }, {})
    expect(result.code):equals(5)
    expect(result.stderr:find("finalizer", 1, true)):truthy()
  end)

  it("that waits too long ends with its deadline", function()
    local err, result = asked("eval.sleep(100) return 'late'", { "--timeout", "0.3" })
    expect(err.code):equals "timeout"
    expect(result.cases.a.timings.target_ms < 3000):truthy()
  end)

  it("cannot end the host or start a shell, and is told what to use", function()
    for call, word in pairs { ["os.exit(0)"] = "os.exit", ["os.execute 'true'"] = "process.run",
      ["io.popen 'true'"] = "process.run", ["io.read()"] = "io.read",
      ["package.loadlib('x', 'y')"] = "package.loadlib" } do
      local err = asked(call .. " return 'x'")
      expect(err.code):equals "lua_error"
      holds(err.message, word)
    end
  end)

  it("may read and write files", function()
    local result = support.run(support.suite { target = [[function(case)
      local file <close> = assert(io.open(case.id .. ".txt", "w"))
      file:write "kept"
      file:close()
      return assert(io.open(case.id .. ".txt")):read "a"
    end]] })
    expect(result.code):equals(0)
    expect(result.cases.b.outcome.answer):equals "kept"
  end)
end)

describe("an endpoint", function()
  local server, closed = os_.env "EVALHOST_TEST_SERVER", os_.env "EVALHOST_TEST_REFUSED"

  it("that nobody listens at is an error: connect, with host and port", function()
    if not closed then
      skip "EVALHOST_TEST_REFUSED is not set"
    end
    local result = support.run(support.suite { cases = '{ { id = "a", input = "one" } }',
      target = ("eval.targets.http { url = %q }"):format(closed .. "/chat") })
    expect(result.code):equals(3)
    expect(result.cases.a.verdict):equals "error"
    expect(result.cases.a.error.code):equals "connect"
    holds(result.cases.a.error.message, closed:match "//(.+)")
  end)

  it("whose model never stops calling tools ends at max_turns", function()
    if not server then
      skip "EVALHOST_TEST_SERVER is not set"
    end
    local result = support.run(support.suite { cases = '{ { id = "a", input = "one" } }',
      target = ([[eval.targets.chat { model = "m", base_url = %q, max_turns = 4, tools = {
        { name = "again", description = "again", parameters = { type = "object" },
          run = function() return "more" end } } }]]):format(server .. "/loop_tools/v1") },
      {}, nil, { env = { OPENAI_API_KEY = "k" } })
    expect(result.code):equals(3)
    expect(result.cases.a.verdict):equals "error"
    expect(result.cases.a.error.code):equals "max_turns"
    expect(#result.cases.a.outcome.tool_calls):equals(4)
  end)
end)
