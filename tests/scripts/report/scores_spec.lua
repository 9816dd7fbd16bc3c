-- scores_spec.lua: the summary in percent, word for word, and what it means.

local fake_run = require "fake_run"
local scores = require "evalhost.report.scores"
local style = require "evalhost.report.style"

local plain = { width = 80, paint = style.new(false) }
local colored = { width = 80, paint = fake_run.paint }

local function results()
  local list = {}
  for i = 1, 20 do
    list[i] = { verdict = i <= 17 and "pass" or "fail", score = i <= 17 and 1 or 0.2, metrics = {
      tools = { value = i <= 18 and 1 or 0 }, facts = { value = 0.845 } } }
  end
  return list
end

describe("scores.lines", function()
  it("is the block that people know", function()
    local run, doc = fake_run.new(results())
    expect(scores.lines(run, doc.summary, plain)):equals {
      "Pass Rate: 85%", "Total Tests: 20", "Passed: 17", "Failed: 3", "", "Average Scores:",
      "- Tools: 90%", "- Facts: 85%", "Overall Average: 88%" }
  end)

  it("adds errors, unscored and cancelled where there are some", function()
    local run, doc = fake_run.new({ { verdict = "error" }, { verdict = "unscored" },
      { verdict = "pass", score = 1, metrics = { tools = { value = 1 } } } }, { planned = 5 })
    expect(scores.lines(run, doc.summary, plain)):equals {
      "Pass Rate: 20%", "Total Tests: 5", "Passed: 1", "Failed: 0", "Errors: 1", "Unscored: 1",
      "Cancelled: 2", "", "Average Scores:", "- Tools: 100%", "- Facts: n/a",
      "Overall Average: 100%" }
  end)

  it("does without a pass rule, without a score, and without shares", function()
    local metrics = { { name = "ms", metric = function() end } }
    local run, doc = fake_run.new({ { verdict = "scored", metrics = { ms = { value = 12 } } } },
      { pass = false, score = false, metrics = metrics })
    expect(scores.lines(run, doc.summary, plain)):equals { "Total Tests: 1" }
  end)

  it("shows a score beyond 1 as a number", function()
    local run, doc = fake_run.new({ { score = 1.5 }, { score = 1 } }, { metrics = {} })
    expect(scores.lines(run, doc.summary, plain)[5]):equals "Overall Average: 1.250"
  end)

  it("colors by the unrounded value", function()
    local run, doc = fake_run.new { { score = 0.69999, metrics = { tools = { value = 0.7 },
      facts = { value = 0.39999 } } } }
    local list = scores.lines(run, doc.summary, colored)
    expect(list[7]):equals "- Tools: <green>70%</green>"
    expect(list[8]):equals "- Facts: <red>40%</red>"
    expect(list[9]):equals "Overall Average: <yellow>70%</yellow>"
  end)
end)

describe("scores.grade", function()
  it("has its edges at 0.9 and 0.7", function()
    expect(scores.grade(0.9)):equals "good"
    expect(scores.grade(0.89999)):equals "acceptable"
    expect(scores.grade(0.7)):equals "acceptable"
    expect(scores.grade(0.69999)):equals "needs_work"
  end)
end)

describe("scores.meanings", function()
  it("says what the averages mean, in the metric's own words", function()
    local meanings = { good = "Fine", acceptable = "So so", needs_work = "Bad" }
    local run, doc = fake_run.new({ { metrics = { a = { value = 0.95 }, b = { value = 0.8 },
      c = { value = 0.1 }, d = { value = 1 } } } }, { metrics = {
      { name = "a", metric = fake_run.share("First", meanings) },
      { name = "b", metric = fake_run.share("B", meanings) },
      { name = "c", metric = fake_run.share("C", meanings) },
      { name = "d", metric = fake_run.share "D" } } })
    expect(scores.meanings(run, doc.summary, plain)):equals {
      "  First  Good        Fine", "  B      Acceptable  So so", "  C      Needs Work  Bad" }
  end)
end)
