-- init_spec.lua: `evalhost init` writes a suite that is in order, and overwrites nothing.

local fs = require "evalhost.native.fs"
local os_ = require "evalhost.native.os"

local err
package.loaded["evalhost.native.os"] = setmetatable({
  write_out = function() return true end,
}, { __index = os_ })
package.loaded["evalhost.native.term"] = { print = function(text) err = err .. text end,
  live = function() return false end, status = function() end }
local check = require "evalhost.command.check"
local init = require "evalhost.command.init"
local templates = require "evalhost.command.templates"

local folder

before_each(function()
  err, folder = "", "/tmp/evalhost-init-" .. os_.random_hex(8)
end)

after_each(function()
  for _, template in ipairs(templates) do
    fs.remove(fs.join(folder, template.name))
  end
end)

local function start(path)
  return init.main { operands = { path } }
end

describe("evalhost init", function()
  it("writes a suite that check finds in order", function()
    expect(start(folder)):equals(0)
    expect(check.main { command = "check", operands = { folder .. "/suite.lua" } }):equals(0)
    expect(err):equals ""
    local suite = assert(fs.read(folder .. "/suite.lua"))
    expect(suite:find('name  = "' .. fs.basename(folder) .. '"', 1, true)):truthy()
    expect(suite:find "@%u+@"):equals(nil)
  end)

  it("makes a name that a suite may have", function()
    folder = folder .. "/Mein Ordner!"
    expect(start(folder)):equals(0)
    expect(assert(fs.read(folder .. "/suite.lua")):find('"mein_ordner"', 1, true)):truthy()
  end)

  it("refuses a folder with something in it, and a file", function()
    assert(fs.write_atomic(folder .. "/README.md", "mine"))
    expect(start(folder)):equals(2)
    expect(err:find("not empty", 1, true)):truthy()
    expect(fs.read(folder .. "/README.md")):equals "mine"
    expect(fs.exists(folder .. "/suite.lua")):equals(false)
    expect(start(folder .. "/README.md")):equals(2)
  end)
end)
