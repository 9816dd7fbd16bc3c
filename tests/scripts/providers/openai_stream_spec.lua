-- providers/openai_stream_spec.lua: chunks put together.
local json = require "evalhost.native.json"
local reply = require "evalhost.providers.openai_reply"
local stream = require "evalhost.providers.openai_stream"

local URL = "http://h/v1/chat/completions"
local DONE = "[DONE]"

-- Events from values (encoded) and texts (as they stand).
local function events(list)
  local made = {}
  for i, value in ipairs(list) do
    made[i] = { data = type(value) == "string" and value or json.encode(value) }
  end
  return made
end

local function delta(value, finish)
  return { choices = { { index = 0, delta = value, finish_reason = finish or json.null } } }
end

local function read(list)
  local value, err = stream.assemble(events(list), URL)
  if not value then
    return nil, err
  end
  return reply.parse(value, URL)
end

local function call(index, id, name, arguments)
  return delta { tool_calls = { { index = index, id = id, type = "function",
    ["function"] = { name = name, arguments = arguments } } } }
end

describe("stream.assemble", function()
  it("joins pieces of text, and takes usage from the chunk without choices", function()
    local got = read {
      delta { role = "assistant", content = "" }, delta { content = "Hé" },
      delta { content = "llo" }, delta({}, "stop"),
      { model = "m", choices = json.array(),
        usage = { prompt_tokens = 1, completion_tokens = 2, total_tokens = 3 } },
      DONE,
    }
    expect(got.text):equals("Héllo")
    expect(got.finish_reason):equals("stop")
    expect(got.model):equals("m")
    expect(got.usage.total_tokens):equals(3)
  end)

  it("assembles interleaved arguments of parallel calls by index", function()
    local got = read {
      delta { role = "assistant", content = json.null },
      call(0, "c0", "a", ""), call(1, "c1", "b", ""),
      call(1, nil, nil, '{"x"'), call(0, nil, nil, '{"y":'), call(1, nil, nil, ":1}"),
      call(0, nil, nil, "2}"), delta({}, "tool_calls"), DONE,
    }
    expect(got.text):equals(nil)
    expect(got.tool_calls):equals {
      { id = "c0", name = "a", arguments = '{"y":2}' },
      { id = "c1", name = "b", arguments = '{"x":1}' },
    }
  end)

  it("orders calls by index, not by arrival", function()
    local got = read { call(2, "c2", "c", "{}"), call(0, "c0", "a", "{}"),
      call(1, "c1", "b", "{}"), DONE }
    expect({ got.tool_calls[1].name, got.tool_calls[2].name, got.tool_calls[3].name })
      :equals { "a", "b", "c" }
  end)

  it("copes with servers that leave indexes out or always give 0", function()
    local wanted = {
      { id = "p", name = "a", arguments = '{"n":1}' }, { id = "q", name = "b", arguments = "{}" },
    }
    expect(read { call(nil, "p", "a", '{"n"'), call(nil, nil, nil, ":1}"),
      call(nil, "q", "b", "{}"), DONE }.tool_calls):equals(wanted)
    expect(read { call(0, "p", "a", '{"n"'), call(0, nil, nil, ":1}"), call(0, "q", "b", "{}"),
      DONE }.tool_calls):equals(wanted)
  end)

  it("copes with servers that repeat the name, or send it in pieces", function()
    local got = read { call(0, "p", "get", "{"), call(0, "p", "get", "}"),
      call(1, "q", "get_", "{"), call(1, nil, "price", "}"), DONE }
    expect({ got.tool_calls[1].name, got.tool_calls[2].name }):equals { "get", "get_price" }
  end)

  it("keeps refusals, and parts that are no text", function()
    local got = read { delta { refusal = "I wi" }, delta { refusal = "ll not" },
      delta({}, "stop") }
    expect({ got.text, got.flags[1] }):equals { "I will not", "refused" }
    got = read { delta { content = { { type = "text", text = "a" }, { type = "audio" } } },
      delta { content = "b" }, DONE }
    expect({ got.text, got.other_parts[1] }):equals { "ab", "audio" }
  end)

  it("needs [DONE] or a finish_reason", function()
    local got, err = read { delta { content = "half" } }
    expect(got):equals(nil)
    expect(err.code):equals("truncated")
    err = select(2, read {})
    expect(err.code):equals("truncated")
    expect(read({ delta({ content = "whole" }, "stop") }).text):equals("whole")
    expect(read({ delta { content = "whole" }, " [DONE] ", "ignored" }).text):equals("whole")
  end)

  it("has no message where no chunk had a choice", function()
    local _, err = read { { id = "x" }, DONE }
    expect(err.code):equals("empty_choices")
  end)

  it("reports errors inside of the stream", function()
    local _, err = read { delta { content = "a" },
      { error = { message = "overloaded", type = "overloaded_error" } } }
    expect(err.code):equals("server_529")
    _, err = read { delta { content = "a" }, '{"choices":[' }
    expect(err.code):equals("bad_json")
    _, err = read { "oops" }
    expect(err.code):equals("not_json")
  end)

  it("reads only the first of several choices", function()
    local got = read { { choices = {
      { index = 0, delta = { content = "a" } }, { index = 1, delta = { content = "b" } },
    } }, DONE }
    expect(got.text):equals("a")
  end)

  it("is not upset by nonsense", function()
    local got = read { 7, { choices = json.null, usage = json.null, model = json.null },
      { choices = { "x" } }, delta { content = 7, tool_calls = "x", refusal = {} },
      delta { tool_calls = { "x", { index = "0", ["function"] = "y" } } },
      delta({ content = "fine" }, "stop") }
    expect(got.text):equals("fine")
  end)
end)
