-- term_spec.lua: live lines; without a terminal they are nothing.
local term = require "evalhost.native.term"

describe("term", function()
  it("tells whether lines can be redrawn", function()
    expect(type(term.live())):equals("boolean")
  end)

  it("takes a text or nil for a slot", function()
    term.status(1, "working")
    term.status(1, nil)
    expect(function() term.status(0, "x") end):errors("no such line")
    expect(function() term.status(17, "x") end):errors("no such line")
    expect(function() term.print() end):errors("string expected")
  end)
end)
