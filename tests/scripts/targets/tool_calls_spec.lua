-- targets/tool_calls_spec.lua: one tool call, with all that can go wrong in it.
local fiber = require "evalhost.native.fiber"
local json = require "evalhost.native.json"
local tool_calls = require "evalhost.targets.tool_calls"

local by_name = {
  add = { name = "add", run = function(args) return args.a + args.b end },
  text = { name = "text", run = function() return "plain" end },
  none = { name = "none", run = function() end },
  refuse = { name = "refuse", run = function() return nil, "not today" end },
  refuse_table = { name = "refuse_table", run = function()
    return nil, fiber.error("x", "in a table")
  end },
  throw = { name = "throw", run = function() error "thrown" end },
  throw_nil = { name = "throw_nil", run = function() error(nil) end },
  odd = { name = "odd", run = function() return { f = print } end },
  slow = { name = "slow", run = function() fiber.sleep(0.001) return true end },
  ctx = { name = "ctx", run = function(_, ctx) return ctx.seed end },
}

local function run(name, arguments)
  local record, content, flag = tool_calls.run(by_name,
    { id = "1", name = name, arguments = arguments or "{}" }, { seed = 9 })
  expect(record.latency_ms >= 0):truthy()
  record.latency_ms = nil
  return record, content, flag
end

local function told(content)
  return json.decode(content).error
end

describe("tool_calls.run", function()
  it("records arguments and result, and tells the model", function()
    local record, content, flag = run("add", '{"a":1,"b":2}')
    expect(record):equals { name = "add", arguments = { a = 1, b = 2 }, result = 3 }
    expect(content):equals("3")
    expect(flag):equals(nil)
  end)

  it("passes texts on as they are, nothing as null, and the context", function()
    expect(select(2, run "text")):equals("plain")
    expect(select(2, run "none")):equals("null")
    expect(select(2, run "ctx")):equals("9")
  end)

  it("lets tools wait", function()
    expect(run("slow").result):equals(true)
  end)

  it("feeds back what a tool says went wrong, and what it throws", function()
    local record, content = run "refuse"
    expect(record):equals { name = "refuse", arguments = {}, error = "not today" }
    expect(content):equals('{"error":"not today"}')
    expect(told(select(2, run "refuse_table"))):equals("in a table")
    expect(told(select(2, run "throw")):find("thrown", 1, true)):truthy()
    expect(type(told(select(2, run "throw_nil")))):equals("string")
    expect(told(select(2, run("add", '{"a":1}'))):find("arithmetic", 1, true)):truthy()
  end)

  it("treats a result that JSON cannot say as an error of the tool", function()
    local record, content = run "odd"
    expect(record.result):equals(nil)
    expect(told(content):find("cannot be written as JSON", 1, true)):truthy()
  end)

  it("answers calls of unknown tools with the nearest name", function()
    local record, content = run "ad"
    expect(record.error:find("unknown tool: ad; did you mean add", 1, true)):truthy()
    expect(told(content)):equals(record.error)
  end)

  it("keeps arguments that cannot be read, and does not run the tool", function()
    local record, content, flag = run("add", '{"a": 1,')
    expect(record.arguments):equals('{"a": 1,')
    expect(record.args_unparseable):equals(true)
    expect(flag):equals("args_unparseable")
    expect(told(content):find("not a JSON object", 1, true)):truthy()
  end)

  it("decodes twice what was encoded twice", function()
    local record, content, flag = run("add", [["{\"a\":1,\"b\":2}"]])
    expect(record.arguments):equals { a = 1, b = 2 }
    expect(content):equals("3")
    expect(flag):equals("double_encoded")
  end)

  it("does not swallow the case's deadline", function()
    local loops = { loop = { name = "loop", run = function() fiber.sleep(5) end } }
    local ok, err = fiber.timeout(0.05, function()
      return tool_calls.run(loops, { name = "loop", arguments = "{}" })
    end)
    expect(ok):equals(false)
    expect(err.code):equals("timeout")
    expect(fiber.locals().phase):equals("tool")
    fiber.locals().phase = nil
  end)
end)

describe("tool_calls.limit", function()
  it("drops calls beyond the first 256", function()
    local completion = { tool_calls = {} }
    for i = 1, 10 do completion.tool_calls[i] = { id = i } end
    expect(tool_calls.limit(completion, 246)):equals(false)
    expect(#completion.tool_calls):equals(10)
    expect(tool_calls.limit(completion, 250)):equals(true)
    expect(#completion.tool_calls):equals(6)
    expect(completion.tool_calls[6].id):equals(6)
    expect(tool_calls.limit(completion, 256)):equals(true)
    expect(#completion.tool_calls):equals(0)
  end)
end)
