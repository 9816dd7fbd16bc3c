-- targets/chat_spec.lua: the agent loop over a provider that plays a script.
local fiber = require "evalhost.native.fiber"
local openai = require "evalhost.providers.openai"
local targets = require "evalhost.targets"

local saved = { complete = openai.complete, settings = openai.settings }
local script, asked

local function turn(fields)
  fields.flags = fields.flags or {}
  fields.tool_calls = fields.tool_calls or {}
  return fields
end

local function calls(...)
  local list = {}
  for i, name in ipairs { ... } do
    list[i] = { id = "c" .. i, name = name, arguments = '{"n":' .. i .. "}" }
  end
  return turn { tool_calls = list,
    usage = { input_tokens = 10, output_tokens = 1, total_tokens = 11 } }
end

local function say(text, flags)
  return turn { text = text, flags = flags, model = "m-2024",
    usage = { input_tokens = 20, output_tokens = 2, total_tokens = 22 } }
end

local function play(list)
  script, asked = list, {}
end

-- Copies, since the loop goes on with its own list.
local function copy(list)
  return { table.unpack(list) }
end

local echo = { name = "echo", run = function(args) return args.n end }
local fails = { name = "fails", run = function() return nil, "no luck" end }

local function target(options)
  options = options or {}
  options.model = "m"
  options.tools = options.tools or { echo, fails }
  return targets.chat(options)
end

describe("eval.targets.chat", function()
  before_each(function()
    openai.settings = function(o) return { url = "u", model = o.model, headers = {} } end
    openai.complete = function(_, request)
      asked[#asked + 1] = { messages = copy(request.messages), request = request }
      local reply = script[math.min(#asked, #script)]
      if reply.fail then
        return nil, reply.fail
      end
      return turn { text = reply.text, flags = reply.flags, tool_calls = copy(reply.tool_calls),
        usage = reply.usage, model = reply.model }
    end
  end)
  after_each(function()
    openai.complete, openai.settings = saved.complete, saved.settings
  end)

  it("asks with system prompt and input, and returns the answer", function()
    play { say "hello" }
    local made = target { system = "be brief", temperature = 0, max_tokens = 5 }
    local outcome = made { input = "hi" }
    expect(asked[1].messages):equals {
      { role = "system", content = "be brief" }, { role = "user", content = "hi" } }
    expect(asked[1].request.temperature):equals(0)
    expect(asked[1].request.max_tokens):equals(5)
    expect(asked[1].request.stream):equals(false)
    expect(outcome.answer):equals("hello")
    expect(outcome.tool_calls):equals {}
    expect(outcome.model):equals("m-2024")
    expect(outcome.usage.total_tokens):equals(22)
    expect(#outcome.messages):equals(3)
  end)

  it("runs tools, feeds their results back, sums usage", function()
    play { calls("echo", "fails"), calls "echo", say "done" }
    local outcome = target() { input = "go" }
    expect(outcome.answer):equals("done")
    expect(#outcome.tool_calls):equals(3)
    expect(outcome.tool_calls[1].result):equals(1)
    expect(outcome.tool_calls[2].error):equals("no luck")
    expect(outcome.usage):equals { input_tokens = 40, output_tokens = 4, total_tokens = 44 }
    local messages = asked[2].messages
    expect(#messages):equals(4)
    expect(messages[2].role):equals("assistant")
    expect(messages[3]):equals { role = "tool", tool_call_id = "c1", content = "1" }
    expect(messages[4].content):equals('{"error":"no luck"}')
  end)

  it("takes a list of messages as input, or from the suite", function()
    local list = { { role = "user", content = "a" }, { role = "assistant", content = "b" },
      { role = "user", content = "c" } }
    play { say "x" }
    target({ system = "s" }) { input = list }
    expect(#asked[1].messages):equals(4)
    expect(asked[1].messages[1].role):equals("system")
    play { say "x" }
    target({ system = "s", messages = function(case)
      return { { role = "system", content = "own" }, { role = "user", content = case.id } }
    end }) { id = "7" }
    expect(asked[1].messages):equals {
      { role = "system", content = "own" }, { role = "user", content = "7" } }
    expect(#list):equals(3)
  end)

  it("ends a model that never stops calling tools", function()
    play { calls "echo" }
    local outcome, err = target({ max_turns = 3 }) { input = "go" }
    expect(outcome):equals(nil)
    expect(err.code):equals("max_turns")
    expect(#asked):equals(3)
    expect(#err.partial.tool_calls):equals(3)
  end)

  it("keeps what there was when a later turn fails", function()
    play { calls "echo", { fail = fiber.error("server_500", "down") } }
    local outcome, err = target() { input = "go" }
    expect(outcome):equals(nil)
    expect(err.code):equals("server_500")
    expect(#err.partial.tool_calls):equals(1)
    expect(err.partial.answer):equals(nil)
  end)

  it("reports no usage where a turn did", function()
    play { calls "echo", turn { text = "done" } }
    expect((target() { input = "go" }).usage):equals(nil)
  end)

  it("keeps flags of the answer and of the calls", function()
    play { turn { tool_calls = { { id = "1", name = "echo", arguments = "{" },
      { id = "2", name = "echo", arguments = "{" } } }, say("I will not", { "refused" }) }
    local outcome = target() { input = "go" }
    expect(outcome.flags):equals { "refused", "args_unparseable" }
    expect(outcome.tool_calls[1].arguments):equals("{")
    expect(outcome.answer):equals("I will not")
  end)

  it("runs 256 calls at most", function()
    local many = {}
    for i = 1, 300 do many[i] = { id = "c" .. i, name = "echo", arguments = '{"n":1}' } end
    play { turn { tool_calls = many }, say "done" }
    local outcome = target() { input = "go" }
    expect(#outcome.tool_calls):equals(256)
    expect(outcome.flags):equals { "tool_calls_truncated" }
    expect(outcome.answer):equals("done")
    expect(#asked[2].messages[2].tool_calls):equals(256)
  end)

  it("says what it requires, and knows its tools", function()
    openai.settings = saved.settings
    local system = require "evalhost.native.os"
    local env = system.env
    system.env = function() return nil end
    local made = target { api_key_env = "THE_KEY" }
    local ok, err = made.requires()
    local _, again = made { input = "x" }
    system.env = env
    expect(ok):equals(nil)
    expect(err.message):equals("THE_KEY is not set")
    expect(again.code):equals("no_api_key")
    expect(made.tools):equals { "echo", "fails" }
  end)

  it("raises for mistakes, where they were made", function()
    local cases = {
      { { modl = "m" }, "did you mean model" },
      { { max_turns = 0 }, "max_turns" },
      { { provider = "opnai" }, "did you mean openai" },
      { { tools = { {} } }, "tools.1. must be a table with a name" },
      { { tools = { { name = "a" } } }, "run must be a function" },
      { { tools = { echo, echo } }, "second tool named echo" },
      { { tools = { { name = "a", run = print, parameters = 7 } } }, "JSON Schema" },
    }
    for _, case in ipairs(cases) do
      expect(function() targets.chat(case[1]) end):errors("chat_spec.lua.*" .. case[2])
    end
  end)
end)
