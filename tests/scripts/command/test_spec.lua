-- test_spec.lua: `evalhost test`: what it prints, and its exit code.

local fs = require "evalhost.native.fs"
local os_ = require "evalhost.native.os"

local out
package.loaded["evalhost.native.os"] = setmetatable({
  write_out = function(text) out = out .. text return true end,
  write_err = function() return true end, isatty = function() return false end,
}, { __index = os_ })
for _, name in ipairs { "evalhost.command.test", "evalhost.report.style" } do
  package.loaded[name] = nil
end
local test = require "evalhost.command.test"

local folder, files

before_each(function()
  out, folder, files = "", "/tmp/evalhost-test-" .. os_.random_hex(8), {}
end)

after_each(function()
  for _, path in ipairs(files) do
    fs.remove(path)
  end
end)

local function run(text, options)
  local path = folder .. "/x_spec.lua"
  assert(fs.write_atomic(path, text))
  files[1] = path
  options = options or {}
  options.operands = { folder }
  return test.main(options)
end

describe("evalhost test", function()
  it("ends with the counts", function()
    expect(run "it('a', function() end) it('b', function() end)"):equals(0)
    expect(out:match "[^\n]*\n$"):equals "2 passed, 0 failed\n"
    expect(run "it('a', function() end) it('b', function() skip 'no data' end)"):equals(0)
    expect(out:match "[^\n]*\n$"):equals "1 passed, 0 failed, 1 skipped\n"
    expect(out:find("skipped: no data", 1, true)):truthy()
  end)

  it("fails when a test does, and says where and why", function()
    expect(run "it('adds up', function()\n  expect(1 + 1):equals(3)\nend)"):equals(1)
    expect(out:find("FAILED adds up\n  " .. folder .. "/x_spec.lua:2: expected 3, got 2", 1, true))
      :truthy()
    expect(out:match "[^\n]*\n$"):equals "0 passed, 1 failed\n"
  end)

  it("lists every test when verbose, and only the counts when quiet", function()
    run("describe('block', function() it('a', function() end) end)", { verbose = true })
    expect(out:find("  ok      block a\n", 1, true)):truthy()
    out = ""
    run("it('a', function() end)", { quiet = true })
    expect(out):equals "1 passed, 0 failed\n"
  end)

  it("is wrong usage without specs", function()
    assert(fs.mkdir(folder))
    expect(test.main { operands = { folder } }):equals(2)
    expect(test.main { operands = { folder .. "/none" } }):equals(2)
  end)
end)
