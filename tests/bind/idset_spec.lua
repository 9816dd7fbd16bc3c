-- idset_spec.lua: the set that finds repeated ids.
local idset = require "evalhost.native.idset"

describe("idset", function()
  it("knows what it has seen", function()
    local set = idset.new()
    expect(set:add("a")):equals(true)
    expect(set:add("a")):equals(false)
    expect(set:add("a\0")):equals(true)
    expect(set:add("")):equals(true)
    expect(set:add("")):equals(false)
    expect(set:count()):equals(3)
  end)

  it("grows", function()
    local set = idset.new()
    for i = 1, 20000 do
      if not set:add("case " .. i) then error("case " .. i .. " is new") end
    end
    for i = 1, 20000, 7 do
      if set:add("case " .. i) then error("case " .. i .. " is known") end
    end
    expect(set:count()):equals(20000)
    set:close()
    set:close()
  end)

  it("takes texts only", function()
    expect(function() idset.new():add({}) end):errors("string expected")
  end)
end)
