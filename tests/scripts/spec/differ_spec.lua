-- differ_spec.lua: values as text, and their first difference.

local differ = require "evalhost.spec.differ"

describe("differ.show", function()
  it("writes values as Lua would", function()
    expect(differ.show { 1, "two", { x = true } }):equals '{ 1, "two", { x = true } }'
    expect(differ.show { ["a b"] = 1, z = 2 }):equals '{ ["a b"] = 1, z = 2 }'
    expect(differ.show(nil)):equals "nil"
    expect(differ.show {}):equals "{}"
  end)

  it("tells integers from floats, and keeps digits", function()
    expect(differ.show(2500)):equals "2500"
    expect(differ.show(2500.0)):equals "2500.0"
    expect(differ.show(0.1)):equals "0.1"
    expect(differ.show(1 / 0)):equals "inf"
  end)

  it("stays on one line and ends for tables that hold themselves", function()
    expect(differ.show "a\nb"):equals '"a\\nb"'
    local loop = {}
    loop.me = loop
    expect(differ.show(loop)):equals "{ me = { itself } }"
  end)
end)

describe("differ.first", function()
  it("finds nothing between equal values, whatever their numbers' kind", function()
    expect(differ.first({ a = { 2500 } }, { a = { 2500.0 } })):equals(nil)
    expect(differ.first(0 / 0, 0 / 0)):equals(nil)
  end)

  it("names the path of the first difference", function()
    local difference = differ.first({ list = { { name = "x" } } }, { list = { { name = "y" } } })
    expect(difference.path):equals ".list[1].name"
    expect(difference.got):equals "x"
    expect(difference.wanted):equals "y"
  end)

  it("sees keys that are too many and keys that are missing", function()
    expect(differ.first({ a = 1, b = 2 }, { a = 1 }).path):equals ".b"
    expect(differ.first({ a = 1 }, { a = 1, b = 2 }).path):equals ".b"
    expect(differ.first({}, { false }).path):equals "[1]"
  end)

  it("compares 1 and \"1\", and false and nil, as different", function()
    expect(differ.first(1, "1")):truthy()
    expect(differ.first(false, nil)):truthy()
  end)

  it("ends for tables that hold themselves", function()
    local a, b = {}, {}
    a.me, b.me = a, b
    expect(differ.first(a, b)):equals(nil)
    b.more = 1
    expect(differ.first(a, b).path):equals ".more"
  end)
end)
