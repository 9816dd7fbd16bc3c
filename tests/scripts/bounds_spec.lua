-- bounds_spec.lua: bounds as suites write them.
local bounds = require "evalhost.bounds"

describe("bounds.parse", function()
  it("reads a number as at least", function()
    expect(bounds.parse(0.7)):equals { op = ">=", limit = 0.7 }
  end)
  it("reads operators, with or without spaces", function()
    expect(bounds.parse "> 0.80"):equals { op = ">", limit = 0.8 }
    expect(bounds.parse "<=5000"):equals { op = "<=", limit = 5000 }
    expect(bounds.parse "== 1"):equals { op = "==", limit = 1 }
    expect(bounds.parse " < -1e3 "):equals { op = "<", limit = -1000 }
  end)
  it("refuses what is none", function()
    for _, spec in ipairs { "0.8", "=> 1", "> x", "=", "", true, {} } do
      local bound, problem = bounds.parse(spec)
      expect(bound):equals(nil)
      expect(type(problem)):equals "string"
    end
    expect(bounds.parse(0 / 0)):equals(nil)
  end)
end)

describe("bounds.met", function()
  local function met(spec, value)
    return bounds.met(bounds.parse(spec), value)
  end
  it("treats numbers within 1e-12 as equal", function()
    expect(met(0.3, 0.1 + 0.2)):equals(true)
    expect(met("> 0.3", 0.1 + 0.2)):equals(false)
    expect(met(0.7, 0.7 - 1e-13)):equals(true)
    expect(met(0.7, 0.7 - 1e-11)):equals(false)
  end)
  it("follows the operator", function()
    expect(met("> 0.8", 0.8)):equals(false)
    expect(met("> 0.8", 0.81)):equals(true)
    expect(met("< 1", 1)):equals(false)
    expect(met("<= 1", 1)):equals(true)
    expect(met("== 1", 1.0)):equals(true)
    expect(met("== 1", 1.1)):equals(false)
  end)
end)
