-- spec_spec.lua: the runner itself: order, hooks, failures, skips, isolation of files.

local fs = require "evalhost.native.fs"
local os_ = require "evalhost.native.os"
local spec = require "evalhost.spec"

local folder

before_each(function()
  folder = "/tmp/evalhost-spec-" .. os_.random_hex(8)
  assert(fs.mkdir(folder))
end)

local written = {}

after_each(function()
  for _, path in ipairs(written) do
    fs.remove(path)
  end
  written = {}
end)

local function write(name, text)
  local path = fs.join(folder, name)
  assert(fs.write_atomic(path, text))
  written[#written + 1] = path
  return path
end

-- The reports of a spec file with this text.
local function reports(text)
  local list = {}
  spec.run(write("x_spec.lua", text), function(report) list[#list + 1] = report end)
  return list
end

describe("a spec file", function()
  it("runs its tests in order, with the names of their blocks", function()
    local list = reports [[
      it("first", function() end)
      describe("a", function()
        describe("b", function() it("second", function() end) end)
        it("third", function() end)
      end)
    ]]
    expect(#list):equals(3)
    expect(list[1].name):equals "first"
    expect(list[2].name):equals "a b second"
    expect(list[3].name):equals "a third"
    expect(list[3].status):equals "passed"
  end)

  it("runs hooks from the outside in and back, also after a failure", function()
    local list = reports [[
      local log = {}
      before_each(function() log[#log + 1] = "in" end)
      after_each(function() log[#log + 1] = "out" end)
      describe("block", function()
        before_each(function() log[#log + 1] = "inner in" end)
        after_each(function() log[#log + 1] = "inner out" end)
        it("fails", function() error "no" end)
      end)
      it("sees all of it", function()
        expect(log):equals { "in", "inner in", "inner out", "out", "in" }
      end)
    ]]
    expect(list[1].status):equals "failed"
    expect(list[2].message):equals(nil)
    expect(list[2].status):equals "passed"
  end)

  it("names file and line of what did not hold", function()
    local list = reports "it('one', function()\n  expect(1):equals(2)\nend)"
    expect(list[1].message):equals "expected 2, got 1"
    expect(list[1].place):equals(folder .. "/x_spec.lua:2")
  end)

  it("fails where a hook fails", function()
    local list = reports [[before_each(function() error "set up" end) it("x", function() end)]]
    expect(list[1].status):equals "failed"
    expect(reports([[after_each(function() error "clean" end) it("x", function() end)]])[1].message)
      :truthy()
  end)

  it("fails as a whole where it does not load, and a block where it raises", function()
    local syntax = reports "it('x', function("
    expect(#syntax):equals(1)
    expect(syntax[1].status):equals "failed"
    local raised = reports "describe('b', function() error('oops') end) it('y', function() end)"
    expect(raised[1].name):equals "b"
    expect(raised[1].status):equals "failed"
    expect(raised[2].status):equals "passed"
  end)

  it("may skip a test, a block or all of it", function()
    local list = reports [[
      it("one", function() skip "no data" end)
      describe("two", function() skip "not here" end)
      it("three", function() end)
    ]]
    expect(list[1].status):equals "skipped"
    expect(list[1].message):equals "no data"
    expect(list[2].name):equals "two"
    expect(list[2].status):equals "skipped"
    expect(list[3].status):equals "passed"
    list = reports [[it("one", function() end) skip "none of it" it("two", function() end)]]
    expect(#list):equals(1)
    expect(list[1].status):equals "skipped"
  end)

  it("may wait", function()
    local list = reports [[
      it("sleeps", function() require("evalhost").sleep(0.001) end)
    ]]
    expect(list[1].message):equals(nil)
    expect(list[1].status):equals "passed"
  end)

  it("leaves no global and no module behind, and finds modules beside it", function()
    write("helper.lua", "return { answer = 42 }")
    local list = reports [[
      answer = require("helper").answer
      package.loaded["evalhost.native.text"] = "a fake"
      it("has it", function() expect(answer):equals(42) end)
    ]]
    expect(list[1].status):equals "passed"
    expect(rawget(_G, "answer")):equals(nil)
    expect(package.loaded.helper):equals(nil)
    expect(type(require "evalhost.native.text")):equals "table"
  end)
end)

describe("spec.find", function()
  it("searches folders, sorted, and takes files as they are", function()
    local b, a = write("b_spec.lua", ""), write("sub/a_spec.lua", "")
    local other = write("other.lua", "")
    expect(spec.find { folder }):equals { b, a }
    expect(spec.find { other }):equals { other }
  end)

  it("says what is not there", function()
    local list, problem = spec.find { folder .. "/nowhere" }
    expect(list):equals(nil)
    expect(problem):truthy()
  end)
end)
