-- init_spec.lua: which outputs there are, and that each appears whole or not at all.

local fake_run = require "fake_run"
local fs = require "evalhost.native.fs"
local json = require "evalhost.native.json"
local os_ = require "evalhost.native.os"

local stdout, stdout_error = {}, nil
package.loaded["evalhost.native.os"] = setmetatable({ write_out = function(text)
  if stdout_error then
    return nil, stdout_error
  end
  stdout[#stdout + 1] = text
  return true
end }, { __index = os_ })
package.loaded["evalhost.report"] = nil
local report = require "evalhost.report"

local folder, files = nil, {}

before_each(function()
  stdout, stdout_error, files = {}, nil, {}
  folder = "/tmp/evalhost-report-" .. os_.random_hex(8)
end)

after_each(function()
  for _, path in ipairs(files) do
    fs.remove(path)
  end
end)

local function name(text)
  local path = fs.join(folder, text)
  files[#files + 1] = path
  return path
end

describe("report.check", function()
  it("knows the endings", function()
    expect(report.check { output = { "a.json", "b.jsonl", "c.csv", "d.junit.xml", "e.md", "-" } })
      :equals(true)
    expect(report.check {}):equals(true)
    for _, wrong in ipairs { "a.txt", "json", ".json", "a.xml", "dir/.csv" } do
      local ok, problem = report.check { output = { wrong } }
      expect(ok):equals(nil)
      expect(problem:find(".junit.xml .md", 1, true)):truthy()
    end
  end)

  it("wants {target} in every name where there are several targets", function()
    expect(report.check { slots = 2, output = { "a-{target}.json" }, suite_report = "{target}" })
      :equals(true)
    expect(report.check { slots = 2, output = { "a.json" } }):equals(nil)
    expect(report.check { slots = 2, suite_report = "r.json" }):equals(nil)
    expect(select(2, report.check { slots = 2, output = { "-" } })
      :find("standard output", 1, true)):truthy()
    expect(report.check { slots = 1, output = { "a.json", "-" } }):equals(true)
  end)
end)

describe("report.write", function()
  it("writes every file, with the target's name, and makes folders", function()
    local run, doc = fake_run.new({ { id = "a" } }, { options = { output = {
      name "x-{target}.json", name "deep/er/x.jsonl", name "x.csv", name "x.junit.xml",
      name "x.md" } } })
    expect(report.write(run, doc)):equals {}
    local text = assert(fs.read(folder .. "/x-reference.json"))
    expect(json.decode(text).cases[1].id):equals "a"
    for _, path in ipairs { "deep/er/x.jsonl", "x.csv", "x.junit.xml", "x.md" } do
      expect(#assert(fs.read(fs.join(folder, path))) > 10):truthy()
    end
    files[#files + 1] = folder .. "/x-reference.json"
  end)

  it("names what could not be written, writes the rest, and leaves nothing half", function()
    local run, doc = fake_run.new({ {} }, { options = { output = {
      "/dev/null/x.json", name "good.jsonl" } } })
    local problems = report.write(run, doc)
    expect(#problems):equals(1)
    expect(problems[1]:find("/dev/null/x.json was not written: ", 1, true)):equals(1)
    expect(fs.exists(folder .. "/good.jsonl")):equals(true)
    run.stored.results = function() error "the store broke" end
    run.options.output = { name "half.json" }
    expect(report.write(run, doc)[1]:find("the store broke", 1, true)):truthy()
    expect(fs.exists(folder .. "/half.json")):equals(false)
    expect(fs.list(folder)):equals { "good.jsonl" }
  end)

  it("writes JSON to stdout; a reader that has gone is no problem, a full disk is", function()
    local run, doc = fake_run.new({ {} }, { options = { output = { "-" } } })
    expect(report.write(run, doc)):equals {}
    expect(json.decode(table.concat(stdout)).schema):equals "evalhost.run/1"
    stdout_error = { code = "reset", message = "gone" }
    expect(report.write(run, doc)):equals {}
    stdout_error = setmetatable({ code = "disk_full" }, { __tostring = function()
      return "no space left"
    end })
    expect(report.write(run, doc)):equals { "standard output was not written: no space left" }
  end)
end)

describe("the suite's own report", function()
  local function write(fn)
    local run, doc = fake_run.new({ { id = "a" }, { id = "b" } },
      { report = fn, options = { suite_report = name "own/report-{target}.json" } })
    return report.write(run, doc), folder .. "/own/report-reference.json"
  end

  it("is what its function returns, as JSON", function()
    local problems, path = write(function(seen)
      local ids = {}
      for case in seen.cases() do
        ids[#ids + 1] = case.id
      end
      return { ids = ids, rate = seen.summary.pass_rate }
    end)
    expect(problems):equals {}
    expect(json.decode(assert(fs.read(path)))):equals { ids = { "a", "b" }, rate = 1 }
    files[#files + 1] = path
  end)

  it("says what is wrong with it", function()
    expect(write(nil)[1]:find("has no report function", 1, true)):truthy()
    expect(write(function() error "oops" end)[1]:find("oops", 1, true)):truthy()
    expect(write(function() return 1 end)[1]:find("returned a number", 1, true)):truthy()
    expect(write(function() return { f = print } end)[1]:find("no JSON", 1, true)):truthy()
  end)

  it("knows of a preflight that failed", function()
    local run = fake_run.new({ {} }, { options = { suite_report = name "own.json" },
      report = function(seen) return { error = seen.preflight_error, n = seen.summary } end })
    expect(report.preflight_failed(run, "no quotes")):equals(nil)
    expect(json.decode(assert(fs.read(folder .. "/own.json")))):equals { error = "no quotes" }
    run.suite.report = nil
    expect(report.preflight_failed(run, "no quotes")):equals(nil)
  end)
end)
