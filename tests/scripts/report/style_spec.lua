-- style_spec.lua: when there are colors, and which.

local real = require "evalhost.native.os"

local environment, terminals = {}, {}
package.loaded["evalhost.native.os"] = setmetatable({
  env = function(name) return environment[name] end,
  isatty = function(fd) return terminals[fd] == true end,
}, { __index = real })
package.loaded["evalhost.report.style"] = nil
local style = require "evalhost.report.style"

before_each(function()
  environment, terminals = { TERM = "xterm" }, { true, true }
end)

describe("style.colors", function()
  it("are for terminals only, stdout and stderr apart", function()
    expect(style.colors {}):equals { out = true, err = true }
    terminals = { false, true }
    expect(style.colors {}):equals { out = false, err = true }
  end)

  it("are off where anybody says so", function()
    local none = { out = false, err = false }
    expect(style.colors { no_color = true }):equals(none)
    for name, value in pairs { NO_COLOR = "1", CI = "true", TERM = "dumb" } do
      environment = { TERM = "xterm", [name] = value }
      expect(style.colors {}):equals(none)
    end
    environment = { NO_COLOR = "" }
    expect(style.colors {}.out):equals(true)
  end)
end)

describe("style.new", function()
  it("colors or leaves as it is", function()
    expect(style.new(true).red "x"):equals "\27[31mx\27[0m"
    expect(style.new(false).red "x"):equals "x"
  end)
end)

describe("style.band", function()
  it("goes by the unrounded value", function()
    expect(style.band(0.7)):equals "green"
    expect(style.band(0.69999)):equals "yellow"
    expect(style.band((0.7 + 0.7 + 0.7) / 3)):equals "green"
    expect(style.band(0.4)):equals "yellow"
    expect(style.band(0.39999)):equals "red"
    expect(style.band(0)):equals "red"
  end)
end)
