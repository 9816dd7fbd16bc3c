-- providers/openai_reply_spec.lua: chat completions in all the shapes in which servers send them.
local json = require "evalhost.native.json"
local reply = require "evalhost.providers.openai_reply"

local URL = "http://h/v1/chat/completions"

-- A completion with this message.
local function parse(message, finish, more)
  local value = { choices = { { message = message, finish_reason = finish } } }
  for key, field in pairs(more or {}) do
    value[key] = field
  end
  return reply.parse(value, URL)
end

describe("reply.parse", function()
  it("reads text, model, finish and usage", function()
    expect(parse({ content = "hi" }, "stop", { model = "m", usage = {
      prompt_tokens = 5, completion_tokens = 2, total_tokens = 7,
      prompt_tokens_details = { cached_tokens = 3 },
    } })):equals {
      text = "hi", flags = {}, tool_calls = {}, model = "m", finish_reason = "stop",
      usage = { input_tokens = 5, output_tokens = 2, total_tokens = 7, cached_input_tokens = 3 },
    }
  end)

  it("flags refusals and takes their text", function()
    local refused = parse({ content = json.null, refusal = "I will not." }, "stop")
    expect(refused.text):equals("I will not.")
    expect(refused.flags):equals { "refused" }
    local filtered = parse({ content = json.null, refusal = json.null }, "content_filter")
    expect(filtered.text):equals(nil)
    expect(filtered.flags):equals { "refused" }
    expect(parse({ content = "a", refusal = "" }, "stop").flags):equals {}
  end)

  it("flags what was cut at its length", function()
    local cut = parse({ content = json.null }, "length")
    expect(cut.flags):equals { "truncated_output" }
    expect(cut.text):equals(nil)
  end)

  it("joins parts of content in order and lists the others", function()
    local got = parse { content = {
      { type = "text", text = "a" }, { type = "image_url", image_url = {} }, "b",
      { type = "output_text", text = "c" }, { type = "text", text = json.null },
    } }
    expect(got.text):equals("abc")
    expect(got.other_parts):equals { "image_url", "text" }
    expect(parse({ content = {} }).text):equals(nil)
  end)

  it("reads tool calls, whatever ids and arguments look like", function()
    local got = parse { tool_calls = {
      { id = "x", ["function"] = { name = "a", arguments = '{"n":1}' } },
      { id = "x", ["function"] = { name = "b", arguments = { n = 2 } } },
      { ["function"] = { name = "c" } },
      { id = "", ["function"] = { name = 7, arguments = json.null } },
      "nonsense",
    } }
    expect(got.tool_calls):equals {
      { id = "x", name = "a", arguments = '{"n":1}' },
      { id = "call_evalhost_2", name = "b", arguments = '{"n":2}' },
      { id = "call_evalhost_3", name = "c", arguments = "" },
      { id = "call_evalhost_4", name = "", arguments = "" },
      { id = "call_evalhost_5", name = "", arguments = "" },
    }
    expect(parse({ content = "x", tool_calls = json.null }).tool_calls):equals {}
  end)

  it("calls a reply without a message empty_choices", function()
    for _, value in ipairs {
      {}, { choices = json.array() }, { choices = json.null }, { choices = { {} } },
      { choices = { { message = json.null } } }, "text", 7, json.null,
    } do
      local got, err = reply.parse(value, URL)
      expect(got):equals(nil)
      expect(err.code):equals("empty_choices")
    end
  end)

  it("takes an error object inside of a 200 for what it says", function()
    local got, err = reply.parse({ error = { message = "busy", type = "server_error" } }, URL)
    expect(got):equals(nil)
    expect(err.code):equals("server_500")
    expect(parse({ content = "fine" }, "stop", { error = json.null }).text):equals("fine")
  end)
end)

describe("reply.usage", function()
  it("is nil unless both counts are there and make sense", function()
    expect(reply.usage(nil)):equals(nil)
    expect(reply.usage(json.null)):equals(nil)
    expect(reply.usage { prompt_tokens = 1 }):equals(nil)
    expect(reply.usage { prompt_tokens = -1, completion_tokens = 1 }):equals(nil)
    expect(reply.usage { prompt_tokens = "1", completion_tokens = 1 }):equals(nil)
    expect(reply.usage { prompt_tokens = 1.0, completion_tokens = 2 }.total_tokens):equals(3)
    expect(reply.usage { input_tokens = 1, output_tokens = 2, total_tokens = 9 }):equals {
      input_tokens = 1, output_tokens = 2, total_tokens = 9 }
  end)
end)

describe("reply.read", function()
  local function read(body, kind)
    return reply.read({ body = body, headers = { ["content-type"] = kind } }, URL)
  end

  it("tells streams from whole replies", function()
    local whole = '{"choices":[{"message":{"content":"w"}}]}'
    local streamed = 'data: {"choices":[{"delta":{"content":"s"}}]}\n\ndata: [DONE]\n\n'
    expect(read(whole, "application/json").text):equals("w")
    expect(read(whole, "text/event-stream").text):equals("w") -- a server that cannot stream
    expect(read(streamed, "text/event-stream; charset=utf-8").text):equals("s")
    expect(read(streamed, "text/plain").text):equals("s")
    expect(read(": hello\n\n" .. streamed, nil).text):equals("s")
  end)

  it("passes on why a reply cannot be read", function()
    local _, err = read("<html>", "text/html")
    expect(err.code):equals("not_json")
    _, err = read('{"choices":', "application/json")
    expect(err.code):equals("bad_json")
    _, err = read('data: {"choices":[{"delta":{"content":"s"}}]}\n\n', "text/event-stream")
    expect(err.code):equals("truncated")
  end)
end)
