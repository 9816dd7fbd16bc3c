-- values_spec.lua: the strict `m` of formulas.
local values = require "evalhost.values"

local function some()
  return values.new {
    good = { value = 0.5, detail = { part = 1 } },
    broken = { unscored = "judge_range", reason = "8 is not in 0..1" },
  }
end

describe("m", function()
  it("gives values and details", function()
    local m = some()
    expect(m.good):equals(0.5)
    expect(m:detail "good"):equals { part = 1 }
    expect(values.unscored_read(m)):equals(nil)
  end)
  it("raises on an unscored metric, and remembers it behind a pcall", function()
    local m = some()
    expect(function() return m.broken end):errors "broken is unscored: 8 is not"
    local other = some()
    pcall(function() return other.broken end)
    expect(values.unscored_read(other)):equals "broken"
  end)
  it("names the nearest metric for a name that does not exist", function()
    expect(function() return some().goood end):errors "did you mean good"
    expect(function() some():detail "gud" end):errors "no such metric"
  end)
  it("cannot be assigned", function()
    expect(function() some().good = 1 end):errors "cannot be assigned"
  end)
  it("can be asked without raising", function()
    expect(values.scored(some(), "good")):equals(true)
    expect(values.scored(some(), "broken")):equals(false)
    expect(values.scored(some(), "nothing")):equals(false)
  end)
end)
