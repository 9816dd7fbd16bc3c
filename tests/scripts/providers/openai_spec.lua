-- providers/openai_spec.lua: settings, URLs and bodies of chat completions.
local json = require "evalhost.native.json"
local openai = require "evalhost.providers.openai"
local system = require "evalhost.native.os"

local saved, variables = system.env, {}

local function with_env(values)
  variables = values
  system.env = function(name) return variables[name] end
end

describe("openai.url", function()
  it("takes base URLs with and without /v1", function()
    local wanted = "http://h:1/v1/chat/completions"
    for _, base in ipairs {
      "http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/", wanted,
    } do
      expect(openai.url(base)):equals(wanted)
    end
    expect(openai.url "http://h/openai/v4"):equals("http://h/openai/v4/chat/completions")
  end)
end)

describe("openai.settings", function()
  after_each(function() system.env = saved end)

  it("prefers the suite's options to the environment", function()
    with_env { OPENAI_API_KEY = "sk-123456", OPENAI_BASE_URL = "http://e/v1", OPENAI_MODEL = "e" }
    expect(openai.settings { model = "m", base_url = "http://s/v1" }):equals {
      url = "http://s/v1/chat/completions", model = "m",
      headers = { authorization = "Bearer sk-123456" },
    }
    expect(openai.settings {}):equals {
      url = "http://e/v1/chat/completions", model = "e",
      headers = { authorization = "Bearer sk-123456" },
    }
  end)

  it("asks api.openai.com by default", function()
    with_env { OPENAI_API_KEY = "sk-123456" }
    expect(openai.settings({ model = "m" }).url):equals(
      "https://api.openai.com/v1/chat/completions")
  end)

  it("needs no key for a server of one's own", function()
    with_env { OPENAI_API_KEY = "" }
    expect(openai.settings({ model = "m", base_url = "http://s" }).headers):equals {}
  end)

  it("says which variable is not set", function()
    with_env { OPENAI_BASE_URL = "", OTHER_KEY = nil }
    local settings, err = openai.settings { model = "m" }
    expect(settings):equals(nil)
    expect({ err.code, err.message }):equals { "no_api_key", "OPENAI_API_KEY is not set" }
    err = select(2, openai.settings { model = "m", api_key_env = "OTHER_KEY" })
    expect(err.message):equals("OTHER_KEY is not set")
    with_env { OPENAI_API_KEY = "sk-123456" }
    err = select(2, openai.settings {})
    expect(err.code):equals("no_model")
  end)
end)

describe("openai.body", function()
  it("leaves out what is not given", function()
    expect(openai.body("m", { messages = { { role = "user", content = "hi" } }, tools = {} }))
      :equals { model = "m", messages = { { role = "user", content = "hi" } } }
  end)

  it("says all that is given", function()
    local body = openai.body("m", {
      messages = {}, temperature = 0, max_tokens = 9, stream = true,
      tools = { { name = "t", description = "d", parameters = { type = "object", required = {} },
                  run = print } },
      schema = { name = "s", schema = { type = "object" } },
    })
    expect(body.temperature):equals(0)
    expect(body.max_tokens):equals(9)
    expect(body.stream):equals(true)
    expect(body.stream_options):equals { include_usage = true }
    expect(body.tools):equals { { type = "function", ["function"] = {
      name = "t", description = "d", parameters = { type = "object" } } } }
    expect(body.response_format):equals { type = "json_schema", json_schema = {
      name = "s", strict = true, schema = { type = "object" } } }
  end)

  it("gives tools without parameters an empty object", function()
    local body = openai.body("m", { messages = {}, tools = { { name = "t" } } })
    expect(json.encode(body.tools[1]["function"].parameters))
      :equals '{"properties":{},"type":"object"}'
  end)
end)

describe("openai.assistant, openai.tool_result", function()
  it("give the model's turn back as it takes it", function()
    expect(openai.assistant { text = "hi", tool_calls = {} }):equals {
      role = "assistant", content = "hi" }
    expect(openai.assistant { tool_calls = {} }):equals { role = "assistant", content = "" }
    expect(openai.assistant { tool_calls = { { id = "1", name = "t", arguments = "{}" } } })
      :equals { role = "assistant", content = json.null, tool_calls = { { id = "1",
        type = "function", ["function"] = { name = "t", arguments = "{}" } } } }
    expect(openai.tool_result({ id = "1" }, "7")):equals { role = "tool", tool_call_id = "1",
      content = "7" }
  end)
end)
