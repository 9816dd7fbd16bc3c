-- load_spec.lua: loading a suite file: what is wrong, and where.

local fs = require "evalhost.native.fs"
local load_suite = require "evalhost.load"
local paths = require "evalhost.paths"
local scratch = require "scratch"
local suite = require "evalhost.suite"

before_each(scratch.open)
after_each(scratch.close)

local GOOD = [[
local eval = require "evalhost"
return eval.suite {
  name = "demo",
  cases = { { input = "x" } },
  target = function() return "y" end,
  metrics = { one = function() return 1 end },
}
]]

local function loaded(text)
  return load_suite.load(scratch.write("suite.lua", text))
end

local function problem(text)
  local result, message, traceback = loaded(text)
  expect(result):equals(nil)
  return message, traceback
end

-- GOOD with a line put before its last one.
local function with(line)
  return (GOOD:gsub("}\n$", "  " .. line:gsub("%%", "%%%%") .. "\n}\n"))
end

local function at(line, message)
  return ("%s/suite.lua:%d: %s"):format(scratch.folder, line, message)
end

describe("a suite file", function()
  it("gives a suite that knows its path and its hash", function()
    local result = assert(loaded(GOOD))
    expect(suite.is(result)):equals(true)
    expect(result.path):equals(scratch.folder .. "/suite.lua")
    expect(#result.sha256):equals(64)
    expect(assert(loaded(GOOD .. "\n")).sha256 ~= result.sha256):equals(true)
  end)

  it("finds modules beside it, and only there", function()
    scratch.write("agent.lua", "return { name = 'mine' }")
    local result = assert(loaded('local agent = require "agent"\n' .. GOOD:gsub("demo",
      '" .. agent.name .. "')))
    expect(result.name):equals "mine"
    expect(paths.folder):equals(scratch.folder)
    package.loaded.agent = nil
    local message = problem('require "dataset_that_is_nowhere"\n' .. GOOD)
    expect(message:find("module 'dataset_that_is_nowhere' not found", 1, true) ~= nil):equals(true)
  end)

  it("may wait while it loads", function()
    expect(loaded('require("evalhost").sleep(0.001)\n' .. GOOD)):truthy()
  end)
end)

describe("a problem", function()
  it("of a key names its line, though eval.suite is called last", function()
    expect(problem(with "treshold = {},")):equals(at(7,
      "eval.suite: unknown key 'treshold'; did you mean thresholds?"))
    expect(problem(with "limits = { concurency = 5 },")):equals(at(7,
      "eval.suite: limits: unknown key 'concurency'; did you mean concurrency?"))
    expect(problem(with "limits = { concurrency = 0 },")):equals(at(7,
      "eval.suite: limits.concurrency must be a whole number of at least 1, got 0"))
    expect(problem(with '["repeats"] = 5,')):equals(at(7,
      "eval.suite: repeats must be a table, got integer"))
    expect(problem(with "thresholds = {\n    low = { onne = 1 } },")):equals(at(8,
      "eval.suite: thresholds.low.onne: no such figure; did you mean one?"))
  end)

  it("of what is missing names the line of eval.suite", function()
    expect(problem((GOOD:gsub("  name[^\n]*\n", "")))):equals(at(2,
      'eval.suite: name is missing: name = "my_suite"'))
  end)

  it("of a constructor names the line that called it", function()
    local text = GOOD:gsub("{ { input = \"x\" } }", 'eval.cases("a.csv", { colums = {} })')
    expect(problem(text):find("suite.lua:4: eval.cases: unknown key 'colums'", 1, true) ~= nil)
      :equals(true)
  end)

  it("of syntax", function()
    expect(problem "return {\n  a = = 1\n}"):equals(at(2, "unexpected symbol near '='"))
    expect(problem "\27Lua"):equals(scratch.folder
      .. "/suite.lua: this is compiled Lua; name the source file")
  end)

  it("while it runs has file, line and a traceback", function()
    local message, traceback = problem "local x = nil\nreturn x.y.z"
    expect(message:find("suite.lua:2: attempt to index a nil value", 1, true) ~= nil):equals(true)
    expect(traceback:find("traceback", 1, true) ~= nil):equals(true)
    expect(problem "error({ code = 'mine' })"):truthy()
    expect(problem "error()"):equals(scratch.folder
      .. "/suite.lua: loading the suite raised error(nil)")
  end)

  it("of a file that returns something else", function()
    for text, kind in pairs { [""] = "nothing", ["return { name = 'x' }"] = "a plain table",
      ["return 5"] = "an integer" } do
      expect(problem(text)):equals(("%s/suite.lua: the suite file must return eval.suite{...}, it "
        .. "returned %s"):format(scratch.folder, kind))
    end
  end)

  it("of a path", function()
    local result, message = load_suite.load(scratch.folder .. "/none.lua")
    expect(result):equals(nil)
    expect(message:find "^cannot read the suite: " ~= nil):equals(true)
    result, message = load_suite.load(scratch.folder)
    expect(result):equals(nil)
    expect(message):equals(scratch.folder .. " is a folder; name the suite file in it")
  end)
end)

describe("load.code_hash", function()
  it("covers the suite and the modules beside it", function()
    scratch.write("helper_of_hash.lua", "return 1")
    local function hash()
      package.loaded.helper_of_hash = nil
      return load_suite.code_hash(assert(loaded('require "helper_of_hash"\n' .. GOOD)))
    end
    local one = hash()
    expect(hash()):equals(one)
    scratch.write("helper_of_hash.lua", "return 2")
    expect(hash() ~= one):equals(true)
    package.loaded.helper_of_hash = nil
    expect(fs.exists(scratch.folder .. "/helper_of_hash.lua")):equals(true)
  end)
end)
