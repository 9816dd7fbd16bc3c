-- targets/http_reply_spec.lua: agents' replies as outcomes.
local json = require "evalhost.native.json"
local mapping = require "evalhost.targets.http_reply"

local URL = "http://h/chat"

local function outcome(value)
  return mapping.outcome(value, URL)
end

describe("mapping.outcome", function()
  it("finds the answer under its usual keys, in their order", function()
    for _, key in ipairs { "answer", "response", "output", "message" } do
      expect(outcome({ [key] = "yes" }).answer):equals("yes")
    end
    expect(outcome({ message = "m", output = "o" }).answer):equals("o")
    expect(outcome({ answer = json.null, message = "m" }).answer):equals("m")
    expect(outcome({ message = { role = "assistant", content = "c" } }).answer):equals("c")
    expect(outcome("just text").answer):equals("just text")
  end)

  it("takes over the other fields", function()
    local got = outcome {
      answer = "a", intent = "i", sources = { "s" }, citations = { { id = 1 } }, model = "m",
      usage = { prompt_tokens = 1, completion_tokens = 2 }, more = 7,
    }
    expect(got.intent):equals("i")
    expect(got.sources):equals { "s" }
    expect(got.citations):equals { { id = 1 } }
    expect(got.model):equals("m")
    expect(got.usage.total_tokens):equals(3)
    expect(got.raw.more):equals(7)
  end)

  it("reads tool calls in the spellings in use", function()
    expect(outcome({ answer = "a", tool_calls = {
      { name = "a", arguments = { x = 1 }, result = 2, error = json.null, latency_ms = 3 },
      { name = "b", args = { y = 1 }, output = "o" },
      { id = "1", type = "function", ["function"] = { name = "c", arguments = '{"z":1}' } },
      { tool = "d", input = {} }, "e",
    } }).tool_calls):equals {
      { name = "a", arguments = { x = 1 }, result = 2, latency_ms = 3 },
      { name = "b", arguments = { y = 1 }, result = "o" }, { name = "c", arguments = '{"z":1}' },
      { name = "d", arguments = {} }, { name = "e" },
    }
  end)

  it("takes a blank answer for an answer, and tool calls alone for an outcome", function()
    expect(outcome({ answer = "" }).answer):equals("")
    expect(outcome({ answer = json.null }).answer):equals(nil)
    expect(#outcome({ tool_calls = { "a" } }).tool_calls):equals(1)
  end)

  it("says what it misses in a reply that it does not know", function()
    for _, value in ipairs {
      { text = "x", id = 7 }, { text = "x", tool_calls = {} }, json.array { 1 }, 7, json.null,
    } do
      local got, err = outcome(value)
      expect(got):equals(nil)
      expect(err.code):equals("unknown_reply")
    end
    local _, err = outcome { text = "x", id = 7 }
    expect(err.message:find("id, text", 1, true)):truthy()
    _, err = outcome { answer = "a", tool_calls = { { args = {} } } }
    expect(err.message:find("tool_calls[1] has no name", 1, true)):truthy()
  end)

  it("takes an error without an answer for an error", function()
    local got, err = outcome { error = { message = "agent down", type = "server_error" } }
    expect(got):equals(nil)
    expect(err.code):equals("server_500")
    expect(outcome({ answer = "a", error = "a warning" }).answer):equals("a")
  end)
end)
