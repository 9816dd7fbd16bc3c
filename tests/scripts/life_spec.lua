-- life_spec.lua: one case: verdicts, deadlines, what is unscored and why.

local fiber = require "evalhost.native.fiber"
local life = require "evalhost.life"
local metric = require "evalhost.metric"
local suite = require "evalhost.suite"

local function answer()
  return "fine"
end

-- A run of a suite with these fields; its target and metrics are plain functions by default.
local function run_of(given, changes)
  given.name, given.cases = "demo", { { input = "x" } }
  given.target = given.target or answer
  given.metrics = given.metrics or { one = function() return 1 end }
  local made = suite.new(given)
  local run = { suite = made, seed = 0, id = "run-1", params = made.params, target_name = "default",
    target = made.targets.default, case_timeout = 5, judge_timeout = 5, logged = {}, metrics = {} }
  for i, entry in ipairs(made.metrics) do
    run.metrics[i] = { name = entry.name, metric = entry.metric, fn = entry.metric }
  end
  run.measured = run.metrics
  run.log = function(id, level, text) table.insert(run.logged, { id, level, text }) end
  for key, value in pairs(changes or {}) do
    run[key] = value
  end
  return run
end

local function new_case()
  return { id = "c1", input = "x", expected = {}, metadata = {} }
end

-- One life of one case.
local function live(given, changes)
  return life.run(run_of(given, changes), new_case(), 1, 1)
end

describe("a verdict", function()
  it("is scored without a rule", function()
    local result = live {}
    expect(result.verdict):equals "scored"
    expect(result.metrics.one):equals { value = 1 }
    expect(result.error):equals(nil)
    expect(result.outcome.answer):equals "fine"
    expect(result.outcome.latency_ms):equals(result.timings.target_ms)
  end)

  it("is pass or fail by a function, which may give a reason", function()
    local function by(pass)
      return live { pass = pass }
    end
    local passed = by(function(m) return m.one == 1 end)
    expect(passed.verdict):equals "pass"
    expect(passed.reason):equals(nil)
    local failed = by(function(m) return m.one > 1, "too small" end)
    expect(failed.verdict):equals "fail"
    expect(failed.reason):equals "too small"
    expect(by(function() return true, "with praise" end).reason):equals "with praise"
    expect(by(function() return false, 42 end).reason):equals "42"
  end)

  it("is pass or fail by a bound on the score", function()
    local function score(m)
      return m.one / 2
    end
    expect(live({ score = score, pass = 0.5 }).verdict):equals "pass"
    local failed = live { score = score, pass = 0.6 }
    expect(failed.verdict):equals "fail"
    expect(failed.score):equals(0.5)
    expect(failed.reason):equals "score is 0.5, wanted >= 0.6"
  end)

  it("is pass or fail by a table of bounds, with every reason", function()
    local metrics = { a = function() return 0.25 end, b = function() return 9 end }
    local result = live { metrics = metrics, pass = { a = 0.5, b = "<= 5", score = 1 },
      score = function() return 1 end }
    expect(result.verdict):equals "fail"
    expect(result.reason):equals "a is 0.25, wanted >= 0.5; b is 9, wanted <= 5"
    result = live { metrics = metrics, pass = { a = 0.25, b = "== 9" } }
    expect(result.verdict):equals "pass"
    expect(result.reason):equals(nil)
  end)

  it("is error when the target gives nothing that can be read", function()
    local function of(target, changes)
      local result = live({ target = target }, changes)
      expect(result.verdict):equals "error"
      expect(result.metrics):equals {}
      expect(result.score):equals(nil)
      return result.error
    end
    local err = of(function() return nil, "no route" end)
    expect(err):equals { code = "target_error", message = "no route" }
    expect(of(function() return nil end).message):equals "the target returned nil"
    err = of(function() return nil, { code = "http", message = "HTTP 503", status = 503,
      phase = "body", secret = "x" } end)
    expect(err):equals { code = "http", message = "HTTP 503", status = 503, phase = "body" }
    err = of(function() return nil, { code = 5, status = "x" } end)
    expect(err.code):equals "target_error"
    expect(err.status):equals(nil)
    err = of(function() error "boom" end)
    expect(err.code):equals "lua_error"
    expect(err.message:find "life_spec.lua:%d+: boom" ~= nil):equals(true)
    expect(err.traceback):truthy()
    expect(of(function() return 42 end).code):equals "bad_outcome"
    expect(of(function() return { tool_calls = 5 } end).code):equals "bad_outcome"
    expect(of(function() error() end).message):equals "error(nil)"
  end)

  it("of an error keeps what there was of an outcome", function()
    local result = live { target = function()
      return nil, { code = "http", message = "cut", partial = { answer = "half" } }
    end }
    expect(result.verdict):equals "error"
    expect(result.outcome.answer):equals "half"
    result = live { target = function()
      return nil, { code = "http", message = "cut", partial = { answer = 5 } }
    end }
    expect(result.outcome):equals(nil)
  end)

  it("of a blank answer is what the metrics say", function()
    local result = live { target = function() return " " end, pass = { one = 1 } }
    expect(result.verdict):equals "pass"
  end)

  it("of a reply cut at its limit with nothing in it is fail", function()
    local called = false
    local given = { pass = { one = 1 }, metrics = { one = function()
      called = true
      return 1
    end } }
    given.target = function() return { answer = "\n ", flags = { "truncated_output" } } end
    local result = live(given)
    expect(result.verdict):equals "fail"
    expect(result.reason):equals "no_answer"
    expect(result.metrics.one.unscored):equals "no_answer"
    expect(called):equals(false)
    given.target = function() return { flags = { "truncated_output" }, tool_calls = { "a" } } end
    expect(live(given).verdict):equals "pass"
    given.target = function() return { answer = "half a", flags = { "truncated_output" } } end
    expect(live(given).verdict):equals "pass"
  end)
end)

describe("unscored", function()
  local function broken()
    return metric.unscored("judge_http", "HTTP 500")
  end

  it("is a case whose rule needs what is not there; the rest is kept", function()
    local result = live { metrics = { a = broken, b = function() return 1 end },
      score = function(m) return m.a + m.b end, pass = 1 }
    expect(result.verdict):equals "unscored"
    expect(result.metrics.b.value):equals(1)
    expect(result.metrics.a):equals { unscored = "judge_http", reason = "HTTP 500" }
    expect(result.score):equals(nil)
    expect(result.error):equals { code = "judge_http", message = "a: HTTP 500" }
  end)

  it("does not touch a rule that does not need it", function()
    local result = live { metrics = { a = broken, b = function() return 1 end }, pass = { b = 1 } }
    expect(result.verdict):equals "pass"
  end)

  it("is found without any rule, too", function()
    local result = live { metrics = { a = broken, b = function() return 1 end } }
    expect(result.verdict):equals "unscored"
    expect(result.error.message):equals "a: HTTP 500"
  end)

  it("cannot be hidden by a pcall", function()
    local result = live { metrics = { a = broken }, pass = function(m)
      return not pcall(function() return m.a end)
    end }
    expect(result.verdict):equals "unscored"
    expect(result.error.code):equals "judge_http"
    result = live { metrics = { a = broken }, score = function(m)
      local ok, value = pcall(function() return m.a end)
      return ok and value or 0
    end }
    expect(result.verdict):equals "unscored"
    expect(result.score):equals(nil)
  end)

  it("reaches the rule through the score", function()
    local result = live { metrics = { a = broken, b = function() return 1 end },
      score = function(m) return m.a end, pass = function(m) return m.score > 0 end }
    expect(result.verdict):equals "unscored"
    expect(result.error):equals { code = "judge_http", message = "a: HTTP 500" }
    result = live { metrics = { b = function() return 1 end }, score = function() return 0 / 0 end,
      pass = { score = 1 } }
    expect(result.error.code):equals "scorer_nan"
  end)

  it("is a metric that raises, without stopping the others", function()
    local result = live { metrics = { a = function() error "boom" end,
      b = function() return 1 end }, pass = { b = 1 } }
    expect(result.verdict):equals "pass"
    expect(result.metrics.a.unscored):equals "scorer_error"
    expect(result.metrics.a.reason:find "boom" ~= nil):equals(true)
    expect(live({ metrics = { a = function() error { code = "judge_http", message = "m" } end } })
      .metrics.a):equals { unscored = "judge_http", reason = "m" }
  end)

  it("is a formula that raises or gives no number", function()
    local function score(fn)
      local result = live { score = fn, pass = 1 }
      expect(result.verdict):equals "unscored"
      expect(result.score):equals(nil)
      return result.error
    end
    local err = score(function() error "boom" end)
    expect(err.code):equals "scorer_error"
    expect(err.message:find "^score: .*boom" ~= nil):equals(true)
    expect(score(function(m) return m.oen end).message:find "did you mean one" ~= nil):equals(true)
    expect(score(function() return "x" end)):equals
      { code = "scorer_type", message = "score: the formula returned a string" }
    expect(score(function() end).code):equals "scorer_type"
    expect(score(function() return nil, "because" end).code):equals "scorer_type"
    expect(score(function() return nil, {} end).code):equals "scorer_type"
    err = score(function(m) return m.one * math.huge end)
    expect(err):equals { code = "scorer_nan", message = "score is inf with one = 1" }
    expect(score(function() return 0 / 0 end).code):equals "scorer_nan"
  end)

  it("is a rule that raises or gives no boolean", function()
    local function by(pass)
      local result = live { pass = pass }
      expect(result.verdict):equals "unscored"
      return result.error
    end
    expect(by(function() error "boom" end).message:find "^pass: .*boom" ~= nil):equals(true)
    expect(by(function() return 1 end)):equals
      { code = "scorer_type", message = "pass: the rule returned a number, not a boolean" }
    expect(by(function() end).code):equals "scorer_type"
    expect(by(function() return nil, { "odd" } end).code):equals "scorer_type"
  end)

  it("does not come from a reason that is a table", function()
    local result = live { pass = function() return true, { code = "x" } end }
    expect(result.verdict):equals "pass"
    expect(type(result.reason)):equals "string"
    result = live { score = function() return 0.5, { "note" } end }
    expect(result.verdict):equals "scored"
    expect(result.score):equals(0.5)
  end)
end)

describe("deadlines", function()
  it("end a target that waits, or loops: error", function()
    for _, work in ipairs { function() fiber.sleep(10) end, function() while true do end end } do
      local started = os.clock()
      local result = live({ target = work }, { case_timeout = 0.1 })
      expect(result.verdict):equals "error"
      expect(result.error.code):equals "timeout"
      expect(result.error.phase):truthy()
      expect(result.error.message:find("0.1", 1, true) ~= nil):equals(true)
      expect(result.timings.target_ms >= 95 and result.timings.target_ms < 5000):equals(true)
      expect(os.clock() - started < 5):equals(true)
    end
  end)

  it("do not count what is booked as waiting", function()
    local result = live({ target = function()
      fiber.wait(0.15)
      fiber.locals().waited = (fiber.locals().waited or 0) + 0.15
      return "late"
    end }, { case_timeout = 0.1 })
    expect(result.verdict):equals "scored"
    expect(result.timings.wait_ms):near(150, 1)
    expect(result.timings.target_ms < 100):equals(true)
  end)

  it("are shared by metrics: what they cut off is unscored, the rest stays", function()
    local quick = metric.describe { fn = function() return 1 end }
    local slow = metric.describe { fn = function()
      fiber.sleep(10)
      return 1
    end }
    local late = metric.describe { fn = function() return 1 end }
    local result = live({ metrics = { quick = quick, slow = slow, late = late },
      pass = { quick = 1 } }, { judge_timeout = 0.1 })
    expect(result.verdict):equals "pass"
    expect(result.metrics.quick.value):equals(1)
    expect(result.metrics.slow.unscored):equals "judge_timeout"
    expect(result.metrics.late.unscored):equals "judge_timeout"
    expect(result.timings.judge_ms >= 95):equals(true)
  end)

  it("hold for formulas", function()
    local result = live({ score = function() while true do end end }, { judge_timeout = 0.1 })
    expect(result.verdict):equals "unscored"
    expect(result.error.code):equals "scorer_error"
  end)

  it("of their own in a target are its own", function()
    local result = live({ target = function()
      local ok, err = fiber.timeout(0.05, fiber.sleep, 10)
      return ok and "no" or err.code
    end }, { case_timeout = 5 })
    expect(result.outcome.answer):equals "timeout"
  end)
end)

describe("cancelling", function()
  local function cancelled_in(given)
    local result
    local handle = fiber.spawn(function()
      result = live(given, { stopped = "SIGINT" })
    end)
    fiber.sleep(0.02)
    handle:cancel()
    handle:join()
    return result
  end

  it("in the target is the verdict", function()
    local result = cancelled_in { target = function()
      fiber.sleep(10)
      return "x"
    end }
    expect(result.verdict):equals "cancelled"
    expect(result.error.code):equals "cancelled"
  end)

  it("in a metric is the verdict, too, and nobody's failure", function()
    local result = cancelled_in { pass = { one = 1 }, metrics = { one = function()
      fiber.sleep(10)
      return 1
    end } }
    expect(result.verdict):equals "cancelled"
    expect(result.error.code):equals "cancelled"
  end)
end)

describe("a run that was not stopped", function()
  it("has no cancelled cases, whatever a target or a metric says", function()
    local result = live { target = function() return nil, { code = "cancelled" } end }
    expect(result.verdict):equals "error"
    result = live { pass = { one = 1 }, metrics = { one = function()
      error { code = "cancelled", message = "mine" }
    end } }
    expect(result.verdict):equals "unscored"
  end)
end)

describe("the context", function()
  it("says where and when the case lives", function()
    local seen
    local run = run_of { params = { k = 5 }, target = function(case, ctx)
      seen = ctx
      ctx.log("info", "hello " .. case.id)
      return ("%s %s"):format(ctx.time_left() <= 5, ctx.time_left() > 4)
    end }
    local result = life.run(run, new_case(), 7, 2)
    expect(seen.params.k):equals(5)
    expect(seen.target):equals "default"
    expect(seen.run_id):equals "run-1"
    expect(seen.case_index):equals(7)
    expect(seen.repeat_index):equals(2)
    expect(result.index):equals(7)
    expect(result.attempt):equals(2)
    expect(result.outcome.answer):equals "true true"
    expect(run.logged):equals { { "c1", "info", "hello c1" } }
  end)

  it("seeds random numbers from the seed, the case and the repeat, nothing else", function()
    local function draw(seed, id, index, attempt)
      local drawn, seen
      local run = run_of({ target = function(_, ctx)
        seen = ctx.seed
        drawn = ctx.random(1 << 50) .. " " .. math.random(1 << 50)
        return "x"
      end }, { seed = seed })
      local case = new_case()
      case.id = id
      life.run(run, case, index, attempt)
      return drawn, seen
    end
    local one, seed = draw(0, "a", 1, 1)
    expect({ draw(0, "a", 9, 1) }):equals { one, seed }
    expect(math.type(seed)):equals "integer"
    for _, other in ipairs { { 1, "a", 1, 1 }, { 0, "b", 1, 1 }, { 0, "a", 1, 2 } } do
      expect(draw(table.unpack(other)) ~= one):equals(true)
    end
  end)

  it("is the same for target and metrics, in one fiber", function()
    local from_target
    local result = live { target = function(_, ctx)
      from_target = ctx
      return "x"
    end, metrics = { same = function(case, outcome, ctx)
      return ctx == from_target and case.id == "c1" and outcome.answer == "x"
    end } }
    expect(result.metrics.same.value):equals(1)
  end)

  it("reaches formulas as params and case", function()
    local result = live { params = { weight = 3 }, score = function(m, p, case)
      return m.one * p.weight + #case.id
    end, pass = function(m, p, case) return m.score == 5 and p.weight == 3 and case.id == "c1" end }
    expect(result.score):equals(5)
    expect(result.verdict):equals "pass"
  end)
end)

describe("who judged", function()
  it("is kept with the metric, scored or not", function()
    local run = run_of { metrics = { a = function() return 1 end, b = function() end } }
    for _, entry in ipairs(run.metrics) do
      entry.judge = "openai:gpt-4o"
    end
    local result = life.run(run, new_case(), 1, 1)
    expect(result.metrics.a):equals { value = 1, judge = "openai:gpt-4o" }
    expect(result.metrics.b.judge):equals "openai:gpt-4o"
  end)
end)

describe("cost", function()
  local prices = { m = { 2, 1, 10 }, named = { input = 2, cached_input = 1, output = 10 },
    plain = { input = 4, output = 8 } }
  local function of(model, usage)
    return live { prices = prices, target = function()
      return { answer = "x", model = model, usage = usage }
    end }.cost
  end

  it("is made of tokens and prices per million", function()
    expect(of("m", { input_tokens = 1000000, output_tokens = 100000 })):near(3, 1e-9)
    expect(of("named", { input_tokens = 1000000, output_tokens = 100000 })):near(3, 1e-9)
    expect(of("m", { input_tokens = 1000000, cached_input_tokens = 500000, output_tokens = 0 }))
      :near(1.5, 1e-9)
    expect(of("plain", { input_tokens = 1000000, cached_input_tokens = 500000, output_tokens = 0 }))
      :near(4, 1e-9)
  end)

  it("is unknown without a price or without tokens", function()
    local null = require("evalhost.native.json").null
    expect(of("unknown", { input_tokens = 1, output_tokens = 1 })):equals(nil)
    expect(of(nil, { input_tokens = 1, output_tokens = 1 })):equals(nil)
    expect(of("m", nil)):equals(nil)
    expect(of("m", { input_tokens = 1 })):equals(nil)
    expect(of("m", { input_tokens = null, output_tokens = 1 })):equals(nil)
    expect(of("m", { input_tokens = "many", output_tokens = 1 })):equals(nil)
    expect(of("m", { input_tokens = 0 / 0, output_tokens = 1 })):equals(nil)
    expect(of("m", { input_tokens = 1000000, output_tokens = 0, cached_input_tokens = null }))
      :near(2, 1e-9)
  end)
end)
