-- failures_spec.lua: the cases that did not pass, with why.

local failures = require "evalhost.report.failures"
local fake_run = require "fake_run"
local native = require "evalhost.native.text"
local style = require "evalhost.report.style"

local look = { width = 80, paint = style.new(false) }

local function lines(results, more)
  local run, doc = fake_run.new(results, more)
  return failures.lines(run, doc.summary, more and more.look or look)
end

describe("failures.lines", function()
  it("is empty when all passed", function()
    expect(lines { { verdict = "pass" }, { verdict = "cancelled" } }):equals {}
  end)

  it("shows verdict, id, reason and the metrics that explain it", function()
    expect(lines {
      { verdict = "pass" },
      { id = "b", verdict = "fail", reason = "score is 0.5, wanted >= 0.7", metrics = {
        tools = { value = 0, reason = "missing get_x" }, facts = { value = 1, reason = "all" } } },
      { id = "c", verdict = "error", error = { code = "timeout", message = "no result" } },
      { id = "d", verdict = "unscored", error = { code = "judge_range", message = "8" },
        metrics = { facts = { unscored = "judge_range", reason = "8 is too much" } } },
    }):equals {
      "Not passed (3 of 4)",
      "  FAIL      b  score is 0.5, wanted >= 0.7",
      "        Tools  0.00  missing get_x",
      "  ERROR     c  timeout: no result",
      "  UNSCORED  d  judge_range: 8",
    }
  end)

  it("lists twenty and counts the rest", function()
    local results = {}
    for i = 1, 25 do
      results[i] = { verdict = "fail", reason = "wrong" }
    end
    local list = lines(results)
    expect(#list):equals(22)
    expect(list[21]):equals "  FAIL      case-20  wrong"
    expect(list[22]):equals "  … and 5 more"
  end)

  it("shows no control characters, and nothing wider than the terminal", function()
    local list = lines({ { id = "x\27[31m", verdict = "fail", reason = ("東京\n"):rep(60),
      metrics = { tools = { value = 0, reason = ("long "):rep(60) } } } },
      { look = { width = 60, paint = style.new(false) } })
    for _, line in ipairs(list) do
      expect(native.width(line) <= 60):truthy()
      expect(line:find "%c"):equals(nil)
    end
    expect(list[3]:find "…$"):truthy()
  end)

  it("cuts no reason where there is no terminal, and keeps the lines of one apart", function()
    local list = lines({ { id = "x", verdict = "fail", reason = ("long "):rep(40) .. "end",
      metrics = { tools = { value = 0, reason = "a: not called\n  b: not called" } } } },
      { look = { width = 60, whole = true, paint = style.new(false) } })
    expect(list[2]:find "long end$"):truthy()
    expect(list[3]:find("a: not called; b: not called", 1, true)):truthy()
  end)
end)
