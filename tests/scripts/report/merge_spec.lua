-- merge_spec.lua: several attempts as one canonical case.

local fake_run = require "fake_run"
local json = require "evalhost.native.json"
local view = require "evalhost.report.view"

local function attempts()
  return {
    { index = 1, attempt = 1, id = "a", verdict = "fail", score = 0, reason = "first", cost = 1,
      metrics = { tools = { value = 0, reason = "none" } }, outcome = { answer = "x" } },
    { index = 1, attempt = 2, id = "a", verdict = "pass", score = 1, cost = 2,
      metrics = { tools = { value = 1, reason = "all" } },
      outcome = { answer = "y", flags = { "coerced" } } },
    { index = 1, attempt = 3, id = "a", verdict = "pass", score = 1,
      metrics = { tools = { unscored = "judge_range", reason = "8" } } },
    { index = 2, attempt = 1, id = "b", verdict = "error",
      error = { code = "timeout", message = "late" } },
  }
end

local function merged()
  local run = fake_run.new(attempts(), { repeats = { n = 3, reduce = "mean" } })
  local list = {}
  for case in view.cases(run) do
    list[#list + 1] = case
  end
  return list
end

describe("merge.case", function()
  it("takes verdict, score and values from the reducer", function()
    local case = merged()[1]
    expect(case.verdict):equals "pass"
    expect(case["repeat"]):equals(3)
    expect(case.score):near(2 / 3, 1e-12)
    expect(case.metrics.tools.value):equals(0.5)
    expect(case.metrics.tools.unscored):equals(nil)
  end)

  it("takes the rest from the first attempt with that verdict", function()
    local case = merged()[1]
    expect(case.outcome.answer):equals "y"
    expect(case.metrics.tools.reason):equals "all"
    expect(case.cost_usd):equals(3)
    expect(case.flags):equals { "coerced" }
  end)

  it("lists the attempts, without what the case says already", function()
    local case = merged()[1]
    expect(#case.attempts):equals(3)
    expect(case.attempts[1].reason):equals "first"
    expect(case.attempts[1].input):equals(nil)
    expect(case.attempts[3].metrics.tools.unscored):equals "judge_range"
    expect(case.input):equals "a question"
  end)

  it("keeps the order of keys", function()
    local text = json.encode(merged()[1])
    expect(text:match '^{"id":"a","repeat":3,"verdict":"pass","score":'):truthy()
    expect(text:find('"attempts":[{"repeat":1,"verdict":"fail"', 1, true)):truthy()
  end)

  it("merges a case that has one attempt only", function()
    local case = merged()[2]
    expect(case.verdict):equals "error"
    expect(#case.attempts):equals(1)
    expect(case.error.code):equals "timeout"
  end)
end)
