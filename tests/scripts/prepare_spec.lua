-- prepare_spec.lua: what is settled before the first case: params, target, judges, data.

local check = require "evalhost.check"
local prepare = require "evalhost.prepare"
local scratch = require "scratch"

before_each(scratch.open)
after_each(scratch.close)

local function suite_text(fields)
  local all = {
    name = '"demo"', cases = '{ { input = "a", id = "a1" }, { input = "b", id = "b1" } }',
    targets = "{ one = function() return 'y' end }", metrics = "{ m = function() return 1 end }",
  }
  for name, text in pairs(fields or {}) do
    all[name] = text
  end
  local lines = { 'local eval = require "evalhost"', "return eval.suite {" }
  for name, text in pairs(all) do
    lines[#lines + 1] = ("  %s = %s,"):format(name, text)
  end
  lines[#lines + 1] = "}"
  return table.concat(lines, "\n")
end

local function prepared(fields, options)
  options = options or {}
  options.operands = { scratch.write("suite.lua", suite_text(fields)) }
  options.command = options.command or "run"
  return prepare.run(options)
end

local function ready(fields, options)
  local run, plan = prepared(fields, options)
  if not run then
    error(plan.message, 2)
  end
  return run, plan
end

local function problem(fields, options)
  local run, what = prepared(fields, options)
  expect(run):equals(nil)
  return what.message, what
end

describe("prepare.run", function()
  it("has everything that a run needs", function()
    local run, plan = ready()
    expect(run.target_name):equals "one"
    expect(run.target()):equals "y"
    expect(run.seed):equals(0)
    expect(run.judges):equals {}
    expect(run.metrics[1].name):equals "m"
    expect(run.metrics[1].fn()):equals(1)
    expect(run.warnings):equals {}
    expect(#run.fingerprint):equals(64)
    expect(plan.total):equals(2)
  end)

  it("says what is wrong with the suite file", function()
    local message, what = problem({ name = "5" }, { verbose = true })
    expect(message:find "suite.lua:%d+: eval.suite: name must be a string" ~= nil):equals(true)
    expect(what.traceback):equals(nil)
    message = problem { name = "nothing.at.all" }
    expect(message:find "attempt to index" ~= nil):equals(true)
  end)

  it("lets the command line override limits and repeats", function()
    local run = ready({ limits = "{ case_timeout = 5, judge_timeout = 6 }",
      repeats = "{ n = 2 }" }, {})
    expect({ run.case_timeout, run.judge_timeout, run.suite.repeats.n }):equals { 5, 6, 2 }
    run = ready({ limits = "{ case_timeout = 5 }" }, { timeout = 0.5, ["repeat"] = 3 })
    expect({ run.case_timeout, run.suite.repeats.n }):equals { 0.5, 3 }
  end)
end)

describe("--param", function()
  local params = "{ n = 1, x = 0.5, s = 'a', on = true }"
  local function with(...)
    return ready({ params = params }, { param = { ... } }).params
  end

  it("is read as the type of the default", function()
    expect(with()):equals { n = 1, x = 0.5, s = "a", on = true }
    expect(with("n=5", "x=2.5", "s=b=c", "on=false")):equals
      { n = 5, x = 2.5, s = "b=c", on = false }
    expect(math.type(with("n=5").n)):equals "integer"
    expect(with("n=0.5").n):equals(0.5)
    expect(with("s=").s):equals ""
    expect(with("s=5").s):equals "5"
    expect(with("n=1", "n=2").n):equals(2)
    expect(with("s=\xff").s):equals "\xff"
  end)

  it("does not change the suite's own table", function()
    local run = ready({ params = params }, { param = { "n=9" } })
    expect(run.suite.params.n):equals(1)
  end)

  it("is refused otherwise", function()
    for given, message in pairs {
      ["n"] = "--param n: write NAME=VALUE", ["=5"] = "--param =5: write NAME=VALUE",
      ["n=many"] = "--param n=many: expected a number",
      ["n=1e999"] = "--param n=1e999: expected a number",
      ["on=yes"] = "--param on=yes: expected a boolean",
      ["sn=1"] = "--param sn: the suite has no such parameter"
        .. check.hint("sn", { "n", "on", "s", "x" }),
    } do
      expect(problem({ params = params }, { param = { given } })):equals(message)
    end
    expect(problem({}, { param = { "k=1" } })):equals
      "--param k: the suite has no such parameter"
  end)
end)

describe("--target", function()
  local two = "{ first = function() return 1 end, second = function() return 2 end }"

  it("chooses among several", function()
    expect(ready({ targets = two }, { target = "second" }).target()):equals(2)
    expect(ready({ targets = two, target = "'first'" }).target_name):equals "first"
    expect(ready({ targets = two, target = "'first'" }, { target = "second" }).target_name)
      :equals "second"
  end)

  it("must be said, and right", function()
    expect(problem { targets = two }):equals("the suite has several targets and no default; choose "
      .. "one with --target: first, second")
    expect(problem({ targets = two }, { target = "frist" })):equals
      "--target frist: the suite has no such target; did you mean first?"
  end)

  it("that cannot work is said before any case; check does not mind", function()
    local fields = { targets = [[{ t = require "evalhost.targets".describe {
      fn = function() return "y" end,
      requires = function() return nil, { message = "OPENAI_API_KEY is not set" } end } }]] }
    expect(problem(fields)):equals "target t: OPENAI_API_KEY is not set"
    expect(ready(fields, { command = "check" }).target_name):equals "t"
  end)
end)

describe("--judge", function()
  local fields = { metrics = [[{ j = eval.metric { fn = function() return 0.25 end, judge = {
    model = "m", api_key_env = "EVALHOST_NO_SUCH_KEY", base_url = "http://127.0.0.1:9",
    builtin = function() return 0.75 end } } }]] }

  it("picks the model or the built-in judge, and records the name", function()
    local run = ready(fields)
    expect(run.judges):equals { j = "openai:m" }
    expect(run.metrics[1].judge):equals "openai:m"
    expect(run.metrics[1].fn()):equals(0.25)
    run = ready(fields, { judge = "builtin" })
    expect(run.judges):equals { j = "builtin" }
    expect(run.metrics[1].fn()):equals(0.75)
  end)

  it("openai needs a key or a base URL", function()
    local without = { metrics = fields.metrics:gsub('base_url = "[^"]*",', "") }
    expect(problem(without, { judge = "openai" })):equals "EVALHOST_NO_SUCH_KEY is not set"
  end)
end)

describe("--seed", function()
  it("is a whole number", function()
    expect(ready({}, { seed = "42" }).seed):equals(42)
    expect(ready({}, { seed = "-1" }).seed):equals(-1)
    for _, given in ipairs { "x", "1.5", "", "1e999" } do
      expect(problem({}, { seed = given })):equals(
        ("--seed needs a whole number, got '%s'"):format(given))
    end
  end)
end)

describe("the data", function()
  it("may be filtered and limited", function()
    local _, plan = ready({}, { filter = "^a" })
    expect(plan.total):equals(1)
    _, plan = ready({}, { limit = 1 })
    expect(plan.total):equals(1)
    expect(problem({}, { filter = "^z" })):equals "--filter ^z matches none of the 2 cases"
    expect(problem({}, { filter = "(" }):find "^%-%-filter: " ~= nil):equals(true)
    expect(problem { cases = "{}" }):equals "the test data holds no cases"
  end)

  it("may come from another file, with the suite's mapping", function()
    scratch.write("a.csv", "q\nx\n")
    local other = scratch.write("b.csv", "q\nx\ny\nz\n")
    local fields = { cases = 'eval.cases("a.csv", { columns = { q = { to = "input" } } })' }
    local run, plan = ready(fields, { cases = other })
    expect(plan.total):equals(3)
    expect(run.data_name):equals(other)
    expect(problem(fields, { cases = scratch.folder .. "/none.csv" })):equals(
      ("--cases %s/none.csv: no such file"):format(scratch.folder))
    local _, what = problem(fields, { cases = scratch.write("c.csv", "other\nx\n") })
    expect(what.problems[1].message):equals "the case has no input"
  end)

  it("of a pipe is kept in a file, read in the suite's format", function()
    local fields = { cases = 'eval.cases "a.csv"' }
    scratch.write("a.csv", "input\nx\n")
    local message, what = problem(fields, { cases = "/dev/null" })
    expect(message):equals "the test data has problems; nothing was run"
    expect(what.problems[1].message):equals "Invalid CSV format: the file is empty"
    expect(problem({}, { cases = "/dev/null" })):equals "the test data holds no cases" -- JSONL
    scratch.write("a.json", "[]")
    message, what = problem({ cases = 'eval.cases "a.json"' }, { cases = "/dev/null" })
    expect(message):equals "the test data has problems; nothing was run"
    expect(what.problems[1].line):equals(1) -- no JSON value in it
  end)

  it("with problems lists them, under its name", function()
    scratch.write("a.csv", "input\nx\n\"\"\n")
    local message, what = problem { cases = 'eval.cases "a.csv"' }
    expect(message):equals "the test data has problems; nothing was run"
    expect(what.name):equals "a.csv"
    expect(#what.problems):equals(1)
  end)

  it("that expects tools which no target has is warned of, once for each", function()
    local fields = { targets = [[{ t = require "evalhost.targets".describe {
        fn = function() return "y" end, tools = { "get_price", "get_news" } } }]],
      cases = [[{ { input = "a", expected = { tools = { "get_price" } } },
        { input = "b", expected = { tools = { "get_pric", "zzz" } } },
        { input = "c", expected = { tools = { "get_pric" } } } }]] }
    expect(ready(fields).warnings):equals {
      "row 2 expects the tool 'get_pric', which the target does not have; did you mean get_price? "
        .. "use the internal name",
      "row 2 expects the tool 'zzz', which the target does not have; it has get_news, get_price",
    }
  end)
end)

describe("the fingerprint", function()
  it("covers code, data, target, params, seed and repeats", function()
    local fields = { params = "{ n = 1 }",
      targets = "{ one = function() return 1 end, two = function() return 2 end }",
      target = "'one'" }
    local one = ready(fields).fingerprint
    expect(ready(fields).fingerprint):equals(one)
    for _, options in ipairs { { seed = "1" }, { param = { "n=2" } }, { target = "two" },
      { ["repeat"] = 2 }, { timeout = 1 } } do
      expect(ready(fields, options).fingerprint ~= one):equals(true)
    end
    expect(ready(fields, { jobs = 3, verbose = true }).fingerprint):equals(one)
  end)
end)
