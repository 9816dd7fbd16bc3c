-- expect_spec.lua: expectations hold, and fail with the place and both values.

local expecting = require "evalhost.spec.expect"

local function failure(fn)
  local ok, err = pcall(fn)
  expect(ok):equals(false)
  return err
end

describe("expect", function()
  it("equals is deep and says what differs", function()
    expecting({ 1, { a = "x" } }):equals { 1, { a = "x" } }
    local err = failure(function() expecting { a = { 1, 2 } }:equals { a = { 1, 3 } } end)
    expect(err.code):equals "expect"
    expect(err.message):equals(
      "at .a[2] expected 3, got 2\nin expected { a = { 1, 3 } }, got { a = { 1, 2 } }")
    expect(err.place):equals "tests/scripts/spec/expect_spec.lua:14"
  end)

  it("equals puts long values on lines of their own", function()
    local err = failure(function() expecting(("a"):rep(80)):equals "b" end)
    expect(err.message):equals('expected "b"\n     got "' .. ("a"):rep(80) .. '"')
  end)

  it("near has a tolerance, and is false for NaN and for no number", function()
    expecting(0.1 + 0.2):near(0.3)
    expecting(1.05):near(1, 0.1)
    expecting(1 / 0):near(1 / 0)
    failure(function() expecting(1.2):near(1, 0.1) end)
    failure(function() expecting(0 / 0):near(1, 0.1) end)
    failure(function() expecting("1"):near(1) end)
  end)

  it("errors matches a pattern or a plain text", function()
    expecting(function() error "what is a.b?" end):errors "what %a+"
    expecting(function() error "what is a.b?" end):errors "a.b?"
    expecting(function() error { code = "x", message = "told" } end):errors "told"
    expecting(function() error "[" end):errors "["
    expect(failure(function() expecting(function() end):errors "x" end).message)
      :equals 'expected an error like "x", none was raised'
    failure(function() expecting(function() error "y" end):errors "zzz" end)
  end)

  it("truthy takes everything but nil and false", function()
    expecting(0):truthy()
    expecting(""):truthy()
    failure(function() expecting(nil):truthy() end)
    failure(function() expecting(false):truthy() end)
  end)
end)
