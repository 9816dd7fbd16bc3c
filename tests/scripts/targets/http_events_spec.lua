-- targets/http_events_spec.lua: agents' streams put together.
local events = require "evalhost.targets.http_events"
local json = require "evalhost.native.json"

local function assemble(list)
  local made = {}
  for i, item in ipairs(list) do
    if type(item) == "table" and item.data then
      made[i] = item
    else
      made[i] = { event = "message", data = type(item) == "string" and item or json.encode(item) }
    end
  end
  return events.assemble(made, "http://h/chat")
end

describe("events.assemble", function()
  it("joins pieces under all their names", function()
    expect(assemble({ { token = "a" }, { delta = "b" }, { content = "c" }, { text = "d" },
      { delta = { content = "e" } }, { delta = { text = "f" } },
      { choices = { { delta = { content = "g" } } } }, "[DONE]" }).answer):equals("abcdefg")
  end)

  it("takes pieces that are no JSON, or JSON strings, as they stand", function()
    expect(assemble({ "Hel", "lo ", '"wor\\u006cd"', " 42" }).answer):equals("Hello world 42")
  end)

  it("lets the last object with an answer win", function()
    local value = assemble { { token = "dra" }, { answer = "first" },
      { answer = "last", sources = { "s" } }, { token = "ft" } }
    expect(value.answer):equals("last")
    expect(value.sources):equals { "s" }
  end)

  it("keeps tool calls, sources and usage of other events", function()
    local value = assemble { { tool_calls = { "a" } }, { token = "x" }, { sources = { "s" } },
      { usage = { input_tokens = 1, output_tokens = 1 } } }
    expect(value.answer):equals("x")
    expect(value.tool_calls):equals { "a" }
    expect(value.sources):equals { "s" }
    expect(value.usage.input_tokens):equals(1)
  end)

  it("reports errors, broken JSON and empty streams", function()
    local function code(list)
      local value, err = assemble(list)
      expect(value):equals(nil)
      return err.code
    end
    expect(code { { token = "a" }, { error = { type = "server_error" } } }):equals("server_500")
    expect(code { { event = "error", data = "it broke" } }):equals("error_reply")
    expect(code { { event = "error", data = '{"message":"m","code":503}' } }):equals("server_503")
    expect(code { '{"token": ' }):equals("bad_json")
    expect(code {}):equals("not_json")
  end)

  it("does not take a word for an error", function()
    expect(assemble({ { token = 'the "error" key' }, { error = json.null, token = "!" } }).answer)
      :equals('the "error" key!')
  end)

  it("has no answer where nothing was said", function()
    expect(assemble({ { status = "working" } }).answer):equals(nil)
  end)
end)
