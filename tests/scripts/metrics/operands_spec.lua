-- metrics/operands_spec.lua: what text metrics compare.
local json = require "evalhost.native.json"
local metric = require "evalhost.metric"
local operands = require "evalhost.metrics.operands"

describe("operands.text", function()
  it("shows any field as text", function()
    expect(operands.text({ answer = "a" }, "answer")):equals("a")
    expect(operands.text({}, "answer")):equals("")
    expect(operands.text({ answer = json.null }, "answer")):equals("")
    expect(operands.text({ n = 7 }, "n")):equals("7")
    expect(operands.text({ t = { b = 1, a = { 2 } } }, "t")):equals('{"a":[2],"b":1}')
  end)
end)

describe("operands.expected", function()
  it("is the suite's value, else the case's", function()
    expect(operands.expected({ value = "v", of = "answer" }, {})):equals("v")
    expect(operands.expected({ value = false, of = "answer" }, {})):equals(false)
    expect(operands.expected({ of = "intent" }, { expected = { intent = "i" } })):equals("i")
  end)

  it("is unscored where the case expects nothing", function()
    for _, case in ipairs { {}, { expected = {} }, { expected = { intent = json.null } } } do
      local value, unscored = operands.expected({ of = "intent" }, case)
      expect(value):equals(nil)
      expect(metric.is_unscored(unscored)):equals(true)
      expect(unscored.code):equals("no_expected_intent")
    end
  end)
end)

describe("operands.show", function()
  it("is short", function()
    expect(operands.show "a"):equals('"a"')
    expect(operands.show { 1 }):equals("[1]")
    expect(#operands.show(("x"):rep(500)) < 100):truthy()
  end)
end)
