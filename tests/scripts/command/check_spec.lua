-- check_spec.lua: `evalhost check` knows what is wrong without calling anything.

local fs = require "evalhost.native.fs"
local os_ = require "evalhost.native.os"

local out, err
package.loaded["evalhost.native.os"] = setmetatable({
  write_out = function(text) out = out .. text return true end,
}, { __index = os_ })
package.loaded["evalhost.native.term"] = { print = function(text) err = err .. text end,
  live = function() return false end, status = function() end }
local check = require "evalhost.command.check"

local folder, files

before_each(function()
  out, err, folder, files = "", "", "/tmp/evalhost-check-" .. os_.random_hex(8), {}
end)

after_each(function()
  for _, path in ipairs(files) do
    fs.remove(path)
  end
end)

local function write(name, text)
  local path = fs.join(folder, name)
  assert(fs.write_atomic(path, text))
  files[#files + 1] = path
  return path
end

local SUITE = [[
local eval = require "evalhost"
return eval.suite {
  name = "demo", cases = eval.cases("cases.csv", { columns = eval.columns.finagent }),
  targets = {
    a = function() error "must not be called" end,
    b = eval.targets.chat { model = "m", api_key_env = "EVALHOST_NO_SUCH_KEY", tools = { {
      name = "get_price", description = "d", parameters = { type = "object" },
      run = function() end } } },
  },
  target = "a",
  metrics = { tools = eval.metrics.tool_selection() },
  pass = { tools = 1 },
}
]]

local HEAD = "test_id,query,expected_tool,expected_args,expected_response_contains\n"

local function run(csv, options)
  local path = write("suite.lua", SUITE)
  write("cases.csv", HEAD .. csv)
  options = options or {}
  options.command, options.operands = "check", { path }
  return check.main(options)
end

describe("evalhost check", function()
  it("says what would be run, and calls nothing", function()
    expect(run "1,hi,get_price,{},x\n"):equals(0)
    expect(out):equals("ok: demo: 1 case, target a (of a, b)\n  1 metric (tools)\n"
      .. "  1 threshold (pass pass_rate >= 1)\n")
    expect(err):equals ""
  end)

  it("lists what is wrong with the data", function()
    expect(run "1,hi,get_price,\"{'a': 1}\",x\n"):equals(2)
    expect(err:find("expected_args must be valid JSON", 1, true)):truthy()
    expect(err:find("row 1, column expected_args", 1, true)):truthy()
    expect(out):equals ""
  end)

  it("finds expected tools that the target does not have", function()
    expect(run("1,hi,Get Price,{},x\n", { target = "b" })):equals(2)
    expect(err:find("did you mean get_price? use the internal name", 1, true)):truthy()
  end)

  it("only warns of a target that has no key yet", function()
    expect(run("1,hi,get_price,{},x\n", { target = "b" })):equals(0)
    expect(err:find("warning: target b", 1, true)):truthy()
    expect(err:find("EVALHOST_NO_SUCH_KEY", 1, true)):truthy()
  end)

  it("checks each of several targets", function()
    expect(run("1,hi,Get Price,{},x\n", { target = "a,b" })):equals(2)
    expect(select(2, err:gsub("did you mean", ""))):equals(1)
    expect(run("1,hi,get_price,{},x\n", { target = "a,none" })):equals(2)
    expect(out:find("target a", 1, true)):truthy()
  end)

  it("says where a suite is wrong", function()
    local path = write("suite.lua", "return {")
    expect(check.main { command = "check", operands = { path } }):equals(2)
    expect(err:find("suite.lua:1:", 1, true)):truthy()
    expect(check.main { command = "check", operands = { folder .. "/none.lua" } }):equals(2)
  end)
end)
