-- targets/init_spec.lua: what a target is.
local targets = require "evalhost.targets"

describe("targets.describe", function()
  it("makes a callable table", function()
    local target = targets.describe { fn = function(case, ctx) return case + ctx end, kind = "sum" }
    expect(target(1, 2)):equals(3)
    expect(target.kind):equals("sum")
    expect(targets.is(target)):equals(true)
    expect(targets.is(function() end)):equals(false)
    expect(targets.is {}):equals(false)
  end)

  it("raises for mistakes", function()
    expect(function() targets.describe {} end):errors "init_spec.lua.*function is missing"
    expect(function() targets.describe { fn = print, tols = {} } end):errors "tools"
  end)
end)

describe("targets.ready", function()
  it("asks what the target requires", function()
    expect(targets.ready(print)):equals(true)
    expect(targets.ready(targets.describe { fn = print })):equals(true)
    local target = targets.describe { fn = print, requires = function() return nil, "no key" end }
    local ok, err = targets.ready(target)
    expect(ok):equals(nil)
    expect(err):equals("no key")
  end)
end)

describe("targets.tool_names", function()
  it("gives names of targets that tell", function()
    expect(targets.tool_names(print)):equals(nil)
    expect(targets.tool_names(targets.describe { fn = print })):equals(nil)
    expect(targets.tool_names(targets.describe { fn = print, tools = { "a" } })):equals { "a" }
    expect(targets.tool_names { tools = { { name = "a" }, "b" } }):equals { "a", "b" }
  end)
end)

describe("eval.targets", function()
  it("loads its constructors when asked", function()
    expect(type(targets.chat)):equals("function")
    expect(type(targets.http)):equals("function")
    expect(targets.cat):equals(nil)
  end)
end)
