-- run_spec.lua: a run from the command line to its exit code, its files, its store and its console.

local csv = require "evalhost.native.csv"
local fs = require "evalhost.native.fs"
local json = require "evalhost.native.json"
local os_ = require "evalhost.native.os"
local support = require "support"

after_each(support.cleanup)

local suite = support.suite

local function holds(text, ...)
  for _, part in ipairs { ... } do
    if not text:find(part, 1, true) then
      error(("%q is not in\n%s"):format(part, text), 2)
    end
  end
end

-- A suite whose cases c1, c2, ... score what their input says.
local function scores(list, fields)
  local rows = {}
  for i, score in ipairs(list) do
    rows[i] = ('{ id = "c%d", input = "%s" }'):format(i, score)
  end
  local all = {
    cases = "{ " .. table.concat(rows, ", ") .. " }",
    metrics = "{ ok = function(case) return tonumber(case.input) end }",
    score = "function(m) return m.ok end",
  }
  for name, text in pairs(fields or {}) do
    all[name] = text ~= "" and text or nil
  end
  return suite(all)
end

local function verdicts(result)
  local list = {}
  for i, case in ipairs(result.json.cases) do
    list[i] = case.verdict
  end
  return list
end

local function code_of(text, args)
  return support.run(text, args).code
end

describe("the exit code", function()
  it("is 0 when every threshold is met, 1 when one is not", function()
    expect(code_of(scores({ 1, 0.7 }, { pass = "0.7" }))):equals(0)
    expect(code_of(scores({ 1, 0.69 }, { pass = "0.7" }))):equals(1)
    expect(code_of(scores({ 1, 0.5 }, { thresholds = "{ minimum = { ok = 0.75 } }" }))):equals(0)
    expect(code_of(scores({ 1, 0.5 }, { thresholds = "{ minimum = { ok = '> 0.75' } }" })))
      :equals(1)
  end)

  it("is 0 without a rule: the cases are scored", function()
    local result = support.run(scores { 1, 0 })
    expect(result.code):equals(0)
    expect(verdicts(result)):equals { "scored", "scored" }
    expect(result.json.summary.pass_rate):equals(json.null)
  end)

  it("is 3 with errors, above failures", function()
    local fields = { pass = "0.5", target = "function(case) if case.id == 'c1' then error 'x' end "
      .. "return 'y' end" }
    local result = support.run(scores({ 1, 0, 1 }, fields))
    expect(result.code):equals(3)
    expect(verdicts(result)):equals { "error", "fail", "pass" }
    expect(result.json.summary.pass_rate):near(1 / 3)
    expect(result.json.summary.pass_rate_scored):near(0.5)
  end)

  it("lets as many errors and unscored cases through as the suite tolerates", function()
    local function with(tolerance)
      return scores({ 1, 1, 1, 1 }, { pass = "0.5",
        thresholds = "{ minimum = { pass_rate = 0.5 } }", tolerance = tolerance,
        target = "function(case) if case.id == 'c1' then error 'x' end return 'y' end" })
    end
    expect(code_of(with "{ errors = 0 }")):equals(3)
    expect(code_of(with "{ errors = 1 }")):equals(0)
    expect(code_of(with "{ errors = 0.25 }")):equals(0)
    expect(code_of(with "{ errors = 0.2 }")):equals(3)
    expect(code_of(with "{ unscored = 4 }")):equals(3)
    local unscored = scores({ 1, "x" }, { pass = "0.5", tolerance = "{ unscored = 1 }",
      thresholds = "{ minimum = { pass_rate = 0.5 } }" })
    expect(code_of(unscored)):equals(0)
  end)

  it("is decided by the gate; all levels are reported", function()
    local levels = "{ minimum = { ok = '>= 0.5' }, target = { ok = '> 0.9', ['score.best'] = 1 } }"
    local result = support.run(scores({ 1, 0.5 }, { thresholds = levels }))
    expect(result.code):equals(0)
    expect(#result.json.thresholds):equals(3)
    expect(result.json.thresholds[2]):equals { level = "target", figure = "ok", op = ">",
      limit = 0.9, actual = 0.75, met = false }
    expect(code_of(scores({ 1, 0.5 }, { thresholds = levels, gate = '"target"' }))):equals(1)
  end)

  it("treats a difference within 1e-12 as none", function()
    expect(code_of(scores({ 0.1, 0.2, 0.3 }, { thresholds = "{ m = { ok = '== 0.2' } }" })))
      :equals(0)
    expect(code_of(scores({ 0.1, 0.2, 0.3 }, { thresholds = "{ m = { ok = '> 0.2' } }" })))
      :equals(1)
    expect(code_of(scores({ 0.1, 0.2, 0.3 }, { thresholds = "{ m = { ok = '>= 0.2' } }" })))
      :equals(0)
  end)

  it("is 4 when a file cannot be written", function()
    local result = support.run(suite(), { "-o", "suite.lua/x.json" })
    expect(result.code):equals(4)
    holds(result.stderr, "suite.lua/x.json", "not written")
    expect(result.json.summary.cases):equals(2)
  end)

  it("is 4 for a store that is none, which stays as it is, and 2 where none can be", function()
    local folder = support.folder { ["suite.lua"] = suite(), ["bad.db"] = ("x"):rep(5000) }
    local result = support.evalhost(folder, { "suite.lua", "--store", "bad.db" })
    expect(result.code):equals(4)
    holds(result.stderr, "bad.db")
    expect(fs.read(fs.join(folder, "bad.db"))):equals(("x"):rep(5000))
    result = support.evalhost(folder, { "suite.lua", "--store", "suite.lua/x/store.db" })
    expect(result.code):equals(2)
  end)
end)

describe("pass", function()
  it("may be bounds, and gives reasons", function()
    local result = support.run(scores({ 1, 0.2 }, { pass = "{ ok = 0.5, score = '< 2' }" }))
    expect(verdicts(result)):equals { "pass", "fail" }
    expect(result.cases.c2.reason):equals "ok is 0.2, wanted >= 0.5"
    expect(result.code):equals(1)
  end)

  it("may be a function of metrics, params and case, with a reason", function()
    local result = support.run(scores({ 1, 0.2 }, { params = "{ least = 0.5 }",
      pass = "function(m, p, case) return m.ok >= p.least and m.score == m.ok, "
        .. "'case ' .. case.id end" }))
    expect(verdicts(result)):equals { "pass", "fail" }
    expect(result.cases.c2.reason):equals "case c2"
  end)

  it("must say true or false", function()
    local result = support.run(scores({ 1 }, { pass = "function(m) return m.ok end" }))
    expect(result.code):equals(3)
    expect(result.cases.c1.verdict):equals "unscored"
    expect(result.cases.c1.error.code):equals "scorer_type"
    holds(result.cases.c1.error.message, "boolean")
  end)
end)

describe("m is strict", function()
  it("an unscored metric that was read counts, though a pcall hides it", function()
    local result = support.run(scores({ "x", 1 }, { pass = "0.5",
      score = "function(m) local ok, v = pcall(function() return m.ok end) return ok and v or 1 end"
    }))
    expect(verdicts(result)):equals { "unscored", "pass" }
    expect(result.cases.c1.error.code):equals "scorer_nil"
    holds(result.cases.c1.error.message, "ok")
    expect(result.code):equals(3)
  end)

  it("scored() asks without raising", function()
    local result = support.run(scores({ "x", 0.8 }, { pass = "0.5",
      score = "function(m) return eval.scored(m, 'ok') and m.ok or 0 end" }))
    expect(verdicts(result)):equals { "fail", "pass" }
    expect(result.cases.c1.score):equals(0)
  end)

  it("a name that is not there is the suite's error, with the nearest one", function()
    local result = support.run(scores({ 1 }, { pass = "0.5",
      score = "function(m) return m.okk end" }))
    expect(result.code):equals(3)
    expect(result.cases.c1.error.code):equals "scorer_error"
    holds(result.cases.c1.error.message, "m.okk", "did you mean ok?", "suite.lua:")
  end)

  it("a score that is no number is unscored, and says with which values", function()
    local result = support.run(scores({ 0, 1 }, { pass = "0.5",
      score = "function(m) return (m.ok - m.ok) / m.ok end" }))
    expect(result.cases.c1.verdict):equals "unscored"
    expect(result.cases.c1.error.code):equals "scorer_nan"
    holds(result.cases.c1.error.message, "ok = 0")
    result = support.run(scores({ 0 }, { score = "function(m) return 1 / m.ok end" }))
    expect(result.cases.c1.error.code):equals "scorer_nan"
    result = support.run(scores({ 0 }, { score = "function(m) return 'high' end" }))
    expect(result.cases.c1.error.code):equals "scorer_type"
    expect(result.json.summary.score.mean):equals(json.null)
  end)

  it("details can be read and bounded", function()
    local result = support.run(scores({ 1, 0.5 }, {
      metrics = "{ ok = function(case) return { value = 1, reason = 'why', detail = "
        .. "{ depth = tonumber(case.input), note = 'n' } } end }",
      score = "function(m) return m:detail('ok').depth end",
      thresholds = "{ minimum = { ['ok.depth'] = '== 0.75' } }",
    }))
    expect(result.code):equals(0)
    expect(result.cases.c2.score):equals(0.5)
    expect(result.cases.c2.metrics.ok):equals { value = 1, reason = "why", unscored = json.null,
      judge = json.null, detail = { depth = 0.5, note = "n" } }
  end)
end)

describe("preflight", function()
  local function flown(body, args)
    return support.run(suite { preflight = "function() " .. body .. " end",
      report = "function(run) return { error = run.preflight_error, rate = 0.0, "
        .. "cases = run.cases()() or 0 } end" }, args)
  end

  it("that fails is exit 2, with the suite's own report", function()
    local result = flown("return nil, 'Missing quotes for positions: TSLA'",
      { "--suite-report", "r.json" })
    expect(result.code):equals(2)
    expect(result.json):equals(nil)
    holds(result.stderr, "Missing quotes for positions: TSLA")
    expect(json.decode(fs.read(fs.join(result.folder, "r.json"))))
      :equals { error = "Missing quotes for positions: TSLA", rate = 0.0, cases = 0 }
  end)

  it("that raises, waits for ever or says nothing is exit 2 too", function()
    local result = flown "error 'broken'"
    expect(result.code):equals(2)
    holds(result.stderr, "preflight failed", "broken")
    expect(flown("while true do end", { "--timeout", "0.5" }).code):equals(2)
    expect(flown("return false").code):equals(2)
  end)

  it("that holds lets the run go on, and may await", function()
    expect(flown("eval.sleep(0.01) return true").code):equals(0)
  end)
end)

describe("report(run)", function()
  it("shapes the suite's own JSON", function()
    local result = support.run(scores({ 1, 0 }, { pass = "0.5",
      report = [[function(run)
        local results = {}
        for case in run.cases() do
          results[#results + 1] = { case.id, case.verdict, case.score, case.metrics.ok.value }
        end
        return { rate = run.summary.pass_rate, results = results, target = run.target,
          none = run.preflight_error == nil }
      end]] }), { "--suite-report", "r.json" })
    expect(result.code):equals(1)
    expect(json.decode(fs.read(fs.join(result.folder, "r.json")))):equals { rate = 0.5,
      results = { { "c1", "pass", 1, 1 }, { "c2", "fail", 0, 0 } }, target = "default",
      none = true }
  end)

  it("that fails is told, and the results are there all the same", function()
    local result = support.run(suite { report = "function() error 'broken' end" },
      { "--suite-report", "r.json" })
    expect(result.code):equals(4)
    holds(result.stderr, "report", "broken")
    expect(result.json.summary.cases):equals(2)
  end)
end)

describe("several targets", function()
  local TWO = suite { pass = "{ ok = 1 }", targets = "{ good = function() return 'yes' end, "
    .. "bad = function() return 'no' end }", target = '"good"',
    metrics = "{ ok = function(_, outcome) return outcome.answer == 'yes' end }" }

  it("are chosen by --target, the suite's own being the default", function()
    expect(support.run(TWO).json.run.target):equals "good"
    local result = support.run(TWO, { "--target", "bad" })
    expect(result.json.run.target):equals "bad"
    expect(result.code):equals(1)
  end)

  it("make one run each, side by side", function()
    local folder = support.folder { ["suite.lua"] = TWO }
    local result = support.evalhost(folder, { "suite.lua", "--target", "good,bad", "-o",
      "{target}.json", "-o", "x-{target}.csv" })
    expect(result.code):equals(1)
    local good = support.read_json(result, "good.json").json
    local bad = support.read_json(result, "bad.json").json
    expect(good.summary.passed):equals(2)
    expect(bad.summary.failed):equals(2)
    expect(good.run.id == bad.run.id):equals(false)
    expect(good.run.fingerprint == bad.run.fingerprint):equals(false)
    expect(fs.exists(fs.join(folder, "x-bad.csv"))):truthy()
    expect(#support.stored(folder, good.run.id)):equals(2)
    expect(#support.stored(folder, bad.run.id)):equals(2)
    holds(result.stdout, "good", "bad", good.run.id, bad.run.id)
  end)

  it("need {target} in every file's name", function()
    local result = support.run(TWO, { "--target", "good,bad" })
    expect(result.code):equals(2)
    holds(result.stderr, "out.json", "{target}")
    expect(result.stdout):equals ""
  end)

  it("are refused whole when one is unknown", function()
    local folder = support.folder { ["suite.lua"] = TWO }
    local result = support.evalhost(folder, { "suite.lua", "--target", "good,nobody" })
    expect(result.code):equals(2)
    holds(result.stderr, "nobody")
  end)
end)

describe("the command line", function()
  it("sets params by the type of their default", function()
    local result = support.run(suite { params = "{ n = 1, s = 'x', b = false, f = 0.5 }",
      target = "function(_, ctx) return { answer = ctx.params.s .. ctx.params.n } end",
      score = "function(m, p) return p.b and p.f or 0 end" },
      { "--param", "n=2", "--param", "s=a=b", "--param", "b=true", "--param", "f=2" })
    expect(result.code):equals(0)
    expect(result.json.run.params):equals { n = 2, s = "a=b", b = true, f = 2 }
    expect(result.cases.a.outcome.answer):equals "a=b2"
    expect(result.cases.a.score):equals(2)
  end)

  it("filters by id, then limits", function()
    local text = scores { 1, 1, 1, 1 }
    local function ids(args)
      local list = {}
      for i, case in ipairs(support.run(text, args).json.cases) do
        list[i] = case.id
      end
      return list
    end
    expect(ids { "--limit", "2" }):equals { "c1", "c2" }
    expect(ids { "--filter", "c[24]" }):equals { "c2", "c4" }
    expect(ids { "--filter", "[234]$", "--limit", "2" }):equals { "c2", "c3" }
    expect(ids { "--limit", "99" }):equals { "c1", "c2", "c3", "c4" }
  end)

  it("takes other data by --cases, with the suite's columns", function()
    local text = suite { cases = 'eval.cases("own.csv", { columns = { what = '
      .. '{ to = "input", required = true }, name = { to = "id" } } })' }
    local other = "name,what,more\nx,one,1\ny,two,2\n"
    local result = support.run(text, { "--cases", "other.csv" }, { ["other.csv"] = other })
    expect(result.code):equals(0)
    expect(result.cases.y.input):equals "two"
    result = support.run(text, { "--cases", "-" }, nil, { stdin = other })
    expect(result.code):equals(0)
    expect(result.cases.x.input):equals "one"
    expect(result.cases.x.metadata):equals { more = "1" }
    result = support.run(text, { "--cases", "-" }, nil, { stdin = "what\n\"x" })
    expect(result.code):equals(2)
    holds(result.stderr, "Invalid CSV format")
  end)

  it("takes JSONL by --cases for a suite with a list", function()
    local result = support.run(suite(), { "--cases", "more.jsonl" },
      { ["more.jsonl"] = '{"id":"j","input":"x","expected":{"answer":"x"}}\n' })
    expect(result.code):equals(0)
    expect(result.cases.j.expected.answer):equals "x"
  end)

  it("stops at the first case that does not pass, with --fail-fast", function()
    local text = scores({ 1, 0, 1, 1, 1, 1 }, { pass = "0.5" })
    local result = support.run(text, { "--fail-fast", "-j", "1" })
    expect(result.code):equals(1)
    expect(result.json.summary.cases):equals(6)
    expect(result.json.summary.passed):equals(1)
    expect(result.json.summary.failed):equals(1)
    expect(result.json.summary.cancelled):equals(4)
    expect(support.run(scores({ 1, 1 }, { pass = "0.5" }), { "--fail-fast" }).code):equals(0)
  end)

  it("has at most -j cases in flight", function()
    local result = support.run(suite { cases = "(function() local t = {} for i = 1, 12 do t[i] = "
      .. "{ input = 'x' .. i } end return t end)()",
      target = "function() _n = (_n or 0) + 1 _m = math.max(_m or 0, _n) eval.sleep(0.02) "
        .. "_n = _n - 1 return { answer = tostring(_m) } end",
      metrics = "{ most = function(_, o) return tonumber(o.answer) end }" }, { "-j", "3" })
    expect(result.code):equals(0)
    expect(result.json.summary.metrics.most.max):equals(3)
  end)

  it("shows help and version", function()
    local folder = support.folder()
    local help = support.evalhost(folder, { "--help" })
    expect(help.code):equals(0)
    holds(help.stdout, "Usage:", "--suite-report", "Exit codes")
    local version = support.evalhost(folder, { "--version" })
    expect(version.code):equals(0)
    expect(version.stdout:match "^evalhost %d+%.%d+%.%d+"):truthy()
  end)

  it("checks a suite without calling anything", function()
    local folder = support.folder { ["suite.lua"] = suite {
      target = "function() io.open('called', 'w'):close() return 'x' end" } }
    local result = support.evalhost(folder, { "check", "suite.lua" })
    expect(result.code):equals(0)
    holds(result.stdout, "ok", "2 cases")
    expect(fs.exists(fs.join(folder, "called"))):equals(false)
    expect(fs.exists(fs.join(folder, ".evalhost"))):equals(false)
  end)

  it("writes a skeleton that runs", function()
    local folder = support.folder()
    expect(support.evalhost(folder, { "init", "mine" }).code):equals(0)
    expect(support.evalhost(folder, { "mine/suite.lua", "-o", "out.json" }).code):equals(0)
    expect(support.evalhost(folder, { "check", "mine/suite.lua" }).code):equals(0)
    expect(support.evalhost(folder, { "init", "mine" }).code):equals(2)
  end)
end)

describe("repeats", function()
  -- Attempt k of case c1 scores what the list says.
  local function attempts(list, reduce, pass)
    return support.run(suite { cases = '{ { id = "c1", input = "x" } }',
      metrics = ("{ ok = function(_, _, ctx) return ({ %s })[ctx.repeat_index] end }")
        :format(table.concat(list, ", ")),
      score = "function(m) return m.ok end", pass = pass or "0.5",
      repeats = ("{ n = %d, reduce = %s }"):format(#list, reduce) })
  end

  it("are reduced to one verdict and score; attempts are listed", function()
    local result = attempts({ 1, 0, 0.8 }, '"mean"')
    expect(result.code):equals(0)
    local case = result.cases.c1
    expect(case.verdict):equals "pass"
    expect(case.score):near(0.6)
    expect(#case.attempts):equals(3)
    expect(case.attempts[2].verdict):equals "fail"
    expect(result.json.summary.cases):equals(1)
    expect(result.json.summary.metrics.ok.n):equals(1)
    expect(result.json.summary.metrics.ok.mean):near(0.6)
  end)

  it("know median, max and at_least_k; ties fail", function()
    expect(attempts({ 1, 0, 0.8 }, '"median"').cases.c1.score):near(0.8)
    expect(attempts({ 0.1, 0, 0.8 }, '"max"').cases.c1.score):near(0.8)
    expect(attempts({ 1, 0 }, '"majority"').cases.c1.verdict):equals "fail"
    expect(attempts({ 1, 0, 0 }, '"at_least_k", k = 1').cases.c1.verdict):equals "pass"
    expect(attempts({ 1, 0, 0 }, '"at_least_k", k = 2').cases.c1.verdict):equals "fail"
  end)

  it("are set by --repeat, each stored", function()
    local result = support.run(suite(), { "--repeat", "3" })
    expect(result.code):equals(0)
    expect(result.json.summary.cases):equals(2)
    expect(#support.stored(result.folder)):equals(6)
    expect(#result.cases.b.attempts):equals(3)
  end)
end)

describe("the seed", function()
  local RANDOM = suite { target = "function(_, ctx) return table.concat({ math.random(1 << 40), "
    .. "ctx.random(1000), ctx.seed }, ' ') end" }

  local function answers(args)
    local result = support.run(RANDOM, args)
    expect(result.code):equals(0)
    return { result.cases.a.outcome.answer, result.cases.b.outcome.answer }
  end

  it("makes math.random the same for a case, whatever runs beside it", function()
    local first = answers { "--seed", "7" }
    expect(answers { "--seed", "7", "-j", "1" }):equals(first)
    expect(support.run(RANDOM, { "--seed", "7", "--filter", "b" }).cases.b.outcome.answer)
      :equals(first[2])
    expect(first[1] == first[2]):equals(false)
    expect(answers({ "--seed", "8" })[1] == first[1]):equals(false)
    expect(answers {}):equals(answers { "--seed", "0" })
  end)

  it("differs between repeats", function()
    local result = support.run(RANDOM, { "--repeat", "2" })
    local case = result.cases.a
    expect(case.attempts[1].outcome.answer == case.attempts[2].outcome.answer):equals(false)
  end)
end)

describe("a deterministic suite", function()
  -- 60 cases that finish in any order: right, wrong, broken and unmeasured ones.
  local MIXED = suite { cases = "(function() local t = {} for i = 1, 60 do t[i] = "
    .. "{ input = 'question ' .. i, expected = { answer = 'a' .. i % 7 } } end return t end)()",
    target = [[function(case, ctx)
      eval.sleep(math.random() * 0.05)
      local n = tonumber(case.input:match "%d+")
      if n % 20 == 3 then error("broken " .. n) end
      return { answer = "a" .. n % 7, usage = { input_tokens = n, output_tokens = 1,
        total_tokens = n + 1 }, tool_calls = { { name = "t", arguments = { n = n, s = "x" } } } }
    end]],
    metrics = [[{ right = eval.metrics.equals { of = "answer" },
      noise = function(case) if #case.input == 10 and case.input:sub(-1) == "5" then return nil end
        return math.random() end }]],
    score = "function(m) return (m.right + m.noise) / 2 end", pass = "0.6",
    tolerance = "{ errors = 10, unscored = 10 }",
    thresholds = "{ minimum = { pass_rate = 0.1, ['score.best'] = 0.5 } }" }

  it("gives the same stable JSON at -j 1 and -j 64, run after run", function()
    local one = support.run(MIXED, { "-j", "1" })
    local many = support.run(MIXED, { "-j", "64" })
    local again = support.run(MIXED, { "-j", "7" })
    expect(one.code):equals(0)
    local text = support.stable(one.json)
    expect(support.stable(many.json) == text):truthy()
    expect(support.stable(again.json) == text):truthy()
    expect(one.json.summary.errors):equals(3)
    expect(one.json.summary.unscored > 0):truthy()
    expect(one.json.run.fingerprint):equals(many.json.run.fingerprint)
  end)

  it("gives the same with repeats", function()
    local one = support.run(MIXED, { "-j", "1", "--repeat", "2", "--limit", "12" })
    local many = support.run(MIXED, { "-j", "64", "--repeat", "2", "--limit", "12" })
    expect(support.stable(one.json) == support.stable(many.json)):truthy()
  end)
end)

-- Text that must not reach a terminal, a spreadsheet or a parser as it is.
local EVIL = "\27[31mred\27[0m \226\128\174bidi\226\129\166 \7 =cmd|'/C calc'!A0 <b>&\"]]> "
  .. "\194\155x"

describe("output files", function()
  local function written(names)
    local args = { "suite.lua" }
    for _, name in ipairs(names) do
      args[#args + 1] = "-o"
      args[#args + 1] = name
    end
    local folder = support.folder { ["suite.lua"] = suite {
      name = '"kinds"', pass = "{ ok = 1 }",
      cases = ('{ { id = "good", input = "fine" }, { id = "=1+1", input = %q, metadata = '
        .. '{ k = %q } }, { id = "broken", input = "x" }, { id = "odd", input = "y" } }')
        :format(EVIL, EVIL),
      target = "function(case) if case.id == 'broken' then error(" .. ("%q"):format(EVIL)
        .. ") end return { answer = case.input } end",
      metrics = "{ ok = function(case) if case.id == 'odd' then return nil end "
        .. "return case.id == 'good', case.input end }" } }
    local result = support.evalhost(folder, args)
    expect(result.code):equals(3)
    return function(name)
      return assert(fs.read(fs.join(folder, name)))
    end, result
  end

  it("are valid, each kind", function()
    local read = written { "a.json", "a.jsonl", "a.csv", "a.junit.xml", "a.md", "deep/er/a.json" }
    local document = assert(json.decode(read "a.json"))
    expect(document.schema):equals "evalhost.run/1"
    expect(document.cases[2].input):equals(EVIL)
    expect(#document.cases):equals(4)
    expect(json.decode(read "deep/er/a.json")):equals(document)
    local n = 0
    for line in read("a.jsonl"):gmatch "[^\n]+" do
      n = n + 1
      expect(json.decode(line)):equals(document.cases[n])
    end
    expect(n):equals(4)
    holds(read "a.md", "kinds", "broken")
  end)

  it("in JSON have null for what is absent, [] for empty lists, and never NaN", function()
    local read = written { "a.json" }
    local text = read "a.json"
    expect(text:find "[nN]a[nN][^a-z]"):equals(nil)
    local case = json.decode(text).cases[1]
    expect(json.is_array(case.outcome.tool_calls)):truthy()
    expect(json.is_array(case.attempts)):truthy()
    expect(case.score):equals(json.null)
    expect(case.error):equals(json.null)
    expect(text:find '"flags":%s*%[%]'):truthy()
  end)

  it("in CSV guard against formulas", function()
    local read, result = written { "a.csv" }
    local reader = assert(csv.open(fs.join(result.folder, "a.csv")))
    local header, rows = reader:header(), {}
    for cells in function() return reader:next() end do
      rows[#rows + 1] = cells
      expect(#cells):equals(#header)
      for _, cell in ipairs(cells) do
        expect(cell:match "^[=+@\t\r]"):equals(nil)
      end
    end
    expect(#rows):equals(4)
    expect(rows[2][1]):equals "'=1+1"
    expect(read("a.csv"):sub(-2)):equals "\r\n"
  end)

  it("in JUnit XML are well-formed and count", function()
    local text = written { "a.junit.xml" } "a.junit.xml"
    holds(text, 'tests="4"', 'failures="1"', 'errors="2"', 'skipped="0"')
    expect(support.count(text, "<testcase ")):equals(4)
    expect(text:find "[%z\1-\8\11\12\14-\31]"):equals(nil)
    local open = {}
    for closing, name, rest in text:gsub("^<%?.-%?>", ""):gmatch "<(/?)([%w]+)([^<>]*)>" do
      if closing == "/" then
        expect(table.remove(open)):equals(name)
      elseif rest:sub(-1) ~= "/" then
        open[#open + 1] = name
      end
    end
    expect(#open):equals(0)
    expect(text:gsub("&[a-z#0-9]+;", ""):find "&"):equals(nil)
    expect(text:gsub("<[^<>]*>", ""):find "[<]"):equals(nil)
  end)

  it("may be stdout: then there is nothing but JSON on it", function()
    local _, result = written { "-" }
    local document = assert(json.decode(result.stdout))
    expect(document.schema):equals "evalhost.run/1"
    holds(result.stderr, "kinds", "broken")
  end)
end)

describe("the console", function()
  local function shown(options, args)
    local folder = support.folder { ["suite.lua"] = suite { pass = "{ ok = 1 }",
      cases = ('{ { id = %q, input = %q }, { id = "b", input = %q } }'):format("\27]0;x\7a", EVIL,
        EVIL),
      target = ("function(case, ctx) ctx.log('warn', %q) print(%q) if case.id == 'b' then "
        .. "return nil, %q end return case.input end"):format(EVIL, EVIL, EVIL),
      metrics = "{ ok = function(case) return 0, case.input end }" } }
    local all = { "suite.lua" }
    table.move(args or {}, 1, #(args or {}), 2, all)
    return support.evalhost(folder, all, options)
  end

  local function is_clean(text)
    expect(text:match "[^\n]*[%z\1-\8\11-\31\127][^\n]*"):equals(nil)
    expect(text:match "\194[\128-\159]"):equals(nil)
    expect(text:match "\226\128[\170-\174]"):equals(nil)
    expect(text:match "\226\129[\166-\169]"):equals(nil)
  end

  it("has no control characters when it is no terminal, nor any from data", function()
    for _, args in ipairs { {}, { "--verbose" }, { "--quiet" }, { "--no-color" } } do
      local result = shown({}, args)
      expect(result.code):equals(3)
      is_clean(result.stdout)
      is_clean(result.stderr)
      holds(result.stdout, "FAIL", "ERROR")
    end
  end)

  it("respects NO_COLOR, CI and a dumb terminal", function()
    for _, env in ipairs { { NO_COLOR = "1" }, { CI = "true" }, { TERM = "dumb" } } do
      local result = shown { env = env }
      is_clean(result.stdout)
      is_clean(result.stderr)
    end
  end)

  it("puts results on stdout, progress and diagnostics on stderr", function()
    local result = support.run(suite())
    holds(result.stdout, "PASSED", "2 cases", result.json.run.id)
    expect(result.stderr:find("PASSED", 1, true)):equals(nil)
    holds(result.stderr, "t: 2 cases")
    local quiet = support.run(suite(), { "--quiet" })
    expect(quiet.stderr):equals ""
    holds(quiet.stdout, "PASSED")
  end)

  it("may lose its reader: the run goes on", function()
    local folder = support.folder { ["suite.lua"] = scores({ 1, 1, 1 }, { pass = "0.5" }) }
    local result = support.shell(folder,
      '{ "$EVALHOST" suite.lua -v -o out.json; echo $? > code; } | head -c 1 > /dev/null')
    expect(result.code):equals(0)
    expect(fs.read(fs.join(folder, "code"))):equals "0\n"
    expect(support.read_json(result).json.summary.passed):equals(3)
    result = support.shell(folder, '"$EVALHOST" suite.lua -o out.json >&- 2>&-')
    expect(result.code):equals(0)
    result = support.shell(folder, '"$EVALHOST" suite.lua -o - | head -c 10 > /dev/null')
    expect(result.code):equals(0)
  end)
end)

describe("the store", function()
  it("holds every result that was announced", function()
    local result = support.run(scores({ 1, 0.25, "x" }, { pass = "0.5" }))
    expect(result.code):equals(3)
    local rows, run = support.stored(result.folder, result.json.run.id)
    expect(#rows):equals(3)
    expect(run.status):equals "error"
    expect(run.exit_code):equals(3)
    expect(run.suite):equals "t"
    for i, row in ipairs(rows) do
      local case = result.json.cases[i]
      expect(row.id):equals(case.id)
      expect(row.verdict):equals(case.verdict)
      expect(row.score or json.null):equals(case.score)
      expect(row.record.metrics):equals(case.metrics)
    end
    expect(json.decode(run.summary).summary):equals(result.json.summary)
  end)

  it("has what was shown before a kill -9", function()
    local folder = support.folder { ["suite.lua"] = suite {
      cases = "(function() local t = {} for i = 1, 40 do t[i] = { id = 'c' .. i, input = 'x' } "
        .. "end return t end)()",
      target = "function(_, ctx) eval.sleep(0.02 * ctx.case_index) return 'x' end" } }
    support.shell(folder, '"$EVALHOST" suite.lua -v -j 40 2> shown & pid=$!\n'
      .. 'n=0; until [ "$(grep -c "scored" shown)" -ge 8 ] || [ $n -ge 200 ]; do sleep 0.05; '
      .. 'n=$((n+1)); done; kill -9 $pid; wait $pid')
    local rows, run = support.stored(folder)
    expect(run.status):equals "running"
    local stored, count = {}, 0
    for _, row in ipairs(rows) do
      stored[row.id] = true
    end
    for id in fs.read(fs.join(folder, "shown")):gmatch "scored%s+(c%d+)" do
      count = count + 1
      expect(stored[id]):equals(true)
    end
    expect(count >= 8):truthy()
    expect(count < 40):truthy()
  end)

  it("can be somewhere else, and is shared by runs at the same time", function()
    local folder = support.folder { ["suite.lua"] = suite() }
    local result = support.shell(folder, 'for i in 1 2 3; do "$EVALHOST" suite.lua --store '
      .. 'kept/s.db -o $i.json -q > /dev/null & pids="$pids $!"; done\n'
      .. 'for pid in $pids; do wait $pid || exit 9; done')
    expect(result.code):equals(0)
    local seen = {}
    for i = 1, 3 do
      local id = support.read_json(result, i .. ".json").json.run.id
      expect(seen[id]):equals(nil)
      seen[id] = true
    end
    expect(fs.exists(fs.join(folder, "kept/s.db"))):truthy()
    expect(fs.exists(fs.join(folder, ".evalhost"))):equals(false)
  end)
end)

describe("a signal", function()
  -- Two quick cases, then ones that take seconds; a file says when they are there.
  local function slow(seconds)
    return suite { cases = "(function() local t = {} for i = 1, 20 do t[i] = { id = 'c' .. i, "
      .. "input = 'x' } end return t end)()",
      target = ("function(_, ctx) if ctx.case_index <= 2 then return 'x' end "
        .. "if ctx.case_index == 4 then io.open('started', 'w'):close() end "
        .. "eval.sleep(%g) return 'late' end"):format(seconds) }
  end

  local function interrupted(seconds, commands)
    local folder = support.folder { ["suite.lua"] = slow(seconds) }
    local result = support.shell(folder, '"$EVALHOST" suite.lua -j 4 -o out.json & pid=$!\n'
      .. "n=0; while [ ! -e started ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n+1)); done\n"
      .. commands .. "\nwait $pid; exit $?")
    return support.read_json(result)
  end

  it("lets what is in flight end, and starts no new cases", function()
    for signal, code in pairs { INT = 130, TERM = 143, HUP = 129 } do
      local result = interrupted(1, "kill -" .. signal .. " $pid")
      expect(result.code):equals(code)
      expect(result.json.run.status):equals "interrupted"
      expect(result.json.run.exit_code):equals(code)
      local all = result.json.summary
      expect(all.cases):equals(20)
      expect(all.cancelled >= 14):truthy()
      expect(all.errors):equals(0)
      expect(result.cases.c3.verdict):equals "scored"
      expect(result.cases.c3.outcome.answer):equals "late"
      holds(result.stderr, "SIG" .. signal, "no new cases")
    end
  end)

  it("cancels what does not end within the grace", function()
    local from = os_.mono()
    local result = interrupted(40, "kill -INT $pid")
    expect(result.code):equals(130)
    expect(os_.mono() - from < 25):truthy()
    expect(result.cases.c1.verdict):equals "scored"
    expect(result.cases.c3.verdict):equals "cancelled"
    expect(result.json.summary.cancelled):equals(18)
    expect(result.json.summary.errors):equals(0)
    local rows, run = support.stored(result.folder)
    expect(run.status):equals "interrupted"
    expect(rows[1].verdict):equals "scored"
  end)

  it("ends the process at once when it comes twice", function()
    local from = os_.mono()
    local result = interrupted(40, "kill -INT $pid; sleep 0.3; kill -INT $pid")
    expect(result.code):equals(130)
    expect(os_.mono() - from < 9):truthy()
    expect(result.json):equals(nil)
    local rows = support.stored(result.folder)
    expect(#rows):equals(2)
  end)
end)

describe("bytes that are no UTF-8", function()
  it("in a parameter or in what teardown says do not cost the run", function()
    local result = support.run(suite {
      params = '{ tag = "x" }', teardown = 'function() error("torn \\xff") end',
    }, { "--param", "tag=\xfe" })
    expect(result.code):equals(0)
    expect(result.json.run.params.tag):equals "\u{FFFD}"
    expect(result.json.run.notes[1]:find("torn \u{FFFD}", 1, true)):truthy()
    local _, run = support.stored(result.folder)
    expect(run.status):equals "passed"
  end)
end)

describe("a coroutine that several cases share", function()
  it("serves one at a time; the others are told, and nothing breaks", function()
    local result = support.run(suite {
      cases = '{ { id = "c1", input = "a" }, { id = "c2", input = "b" } }',
      target = [[(function()
        local next_reply = coroutine.wrap(function()
          while true do
            require("evalhost").sleep(0.05)
            coroutine.yield "reply"
          end
        end)
        return function() return next_reply() end
      end)()]],
    })
    expect(result.code):equals(3)
    expect(result.cases.c1.verdict):equals "scored"
    expect(result.cases.c2.verdict):equals "error"
    holds(result.cases.c2.error.message, "cannot resume a coroutine that waits")
  end)
end)
