-- reduce_spec.lua: several attempts become one result.
local reduce = require "evalhost.reduce"

local function verdict(list, repeats)
  local attempts = {}
  for i, name in ipairs(list) do
    attempts[i] = { verdict = name }
  end
  return reduce.verdict(attempts, repeats or { reduce = "mean", n = #list })
end

local function stored(rows)
  return { results = function()
    local i = 0
    return function()
      i = i + 1
      local row = rows[i]
      if row then
        return row[1], row[2], row[3], row[4], row[5], row[6]
      end
    end
  end }
end

local function cases(rows, repeats)
  local list = {}
  for case in reduce.cases(stored(rows), repeats) do
    list[#list + 1] = case
  end
  return list
end

describe("reduce.verdict", function()
  it("is the majority; a tie fails", function()
    expect(verdict { "pass", "pass", "fail" }):equals "pass"
    expect(verdict { "pass", "fail" }):equals "fail"
    expect(verdict { "fail", "fail", "pass" }):equals "fail"
  end)
  it("does not let errors decide", function()
    expect(verdict { "pass", "pass", "error" }):equals "pass"
    expect(verdict { "fail", "fail", "error" }):equals "fail"
    expect(verdict { "pass", "fail", "error" }):equals "error"
    expect(verdict { "error", "error", "error" }):equals "error"
    expect(verdict { "pass", "unscored", "fail" }):equals "unscored"
  end)
  it("counts to k", function()
    local rule = { reduce = "at_least_k", k = 2, n = 3 }
    expect(verdict({ "pass", "pass", "error" }, rule)):equals "pass"
    expect(verdict({ "pass", "fail", "fail" }, rule)):equals "fail"
    expect(verdict({ "pass", "fail", "error" }, rule)):equals "error"
  end)
end)

describe("reduce.cases", function()
  it("groups attempts by case", function()
    local list = cases({
      { 1, 1, "a", "pass", 1, '{"m":{"x":1},"l":5}' },
      { 1, 2, "a", "fail", 0, '{"m":{"x":0},"l":7}' },
      { 1, 3, "a", "pass", 1, '{"m":{"x":null},"l":9}' },
      { 2, 1, "b", "error", nil, '{"m":{}}' },
    }, { reduce = "mean", n = 3 })
    expect(#list):equals(2)
    expect(list[1].verdict):equals "pass"
    expect(list[1].score):near(2 / 3, 1e-12)
    expect(list[1].m.x):equals(0.5)
    expect(#list[1].attempts):equals(3)
    expect(list[2].verdict):equals "error"
    expect(list[2].score):equals(nil)
  end)
  it("knows median and max", function()
    local rows = {
      { 1, 1, "a", "pass", 0.1, '{"m":{}}' },
      { 1, 2, "a", "pass", 0.9, '{"m":{}}' },
      { 1, 3, "a", "pass", 0.2, '{"m":{}}' },
    }
    expect(cases(rows, { reduce = "median", n = 3 })[1].score):equals(0.2)
    expect(cases(rows, { reduce = "max", n = 3 })[1].score):equals(0.9)
  end)
end)
