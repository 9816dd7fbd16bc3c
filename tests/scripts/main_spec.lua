-- main_spec.lua: where the host hands over.

local main = require "evalhost.main"

local before, term = print, require "evalhost.native.term"

after_each(function()
  _G.print = before
  package.loaded["evalhost.command.check"] = nil
  package.loaded["evalhost.native.term"] = term
end)

describe("main", function()
  it("gives the options to the command and its exit code back", function()
    local seen
    package.loaded["evalhost.command.check"] = { main = function(options)
      seen = options
      return 2
    end }
    local options = { command = "check", operands = { "x" } }
    expect(main(options)):equals(2)
    expect(seen):equals(options)
  end)

  it("makes print a diagnostic, which takes anything", function()
    local written
    package.loaded["evalhost.native.term"] = { print = function(text) written = text end }
    package.loaded["evalhost.command.check"] = { main = function()
      print("x", nil, setmetatable({}, { __tostring = function() error "no" end }), nil)
      return 0
    end }
    expect(main { command = "check" }):equals(0)
    expect(written):equals "x\tnil\t(a table as error, whose __tostring failed)\tnil\n"
  end)
end)
