-- main_spec.lua: where the host hands over.

local main = require "evalhost.main"

local before = print

after_each(function()
  _G.print = before
  package.loaded["evalhost.command.check"] = nil
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
    package.loaded["evalhost.command.check"] = { main = function()
      print("from main_spec:", nil, setmetatable({}, { __tostring = function() error "x" end }))
      return 0
    end }
    expect(main { command = "check" }):equals(0)
  end)
end)
