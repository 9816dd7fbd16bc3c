-- providers/openai.lua: OpenAI chat completions, as vLLM, llama.cpp, Ollama, LM Studio and LiteLLM
-- speak it too.

local json = require "evalhost.native.json"
local system = require "evalhost.native.os"
local errors = require "evalhost.http_errors"
local http = require "evalhost.http"
local reply = require "evalhost.providers.openai_reply"
local secrets = require "evalhost.secrets"

local openai = {}

local DEFAULT_BASE = "https://api.openai.com/v1"

local function env(name)
  local value = system.env(name)
  return value ~= "" and value or nil
end

--- Where chat completions are asked for. A base URL without any path gets "/v1".
---@param base string with or without "/v1"
---@return string
function openai.url(base)
  base = base:gsub("/+$", "")
  if base:find "/chat/completions$" then
    return base
  elseif base:find "^%a[%w+.-]*://[^/]+$" then
    base = base .. "/v1"
  end
  return base .. "/chat/completions"
end

--- From the suite's options, else from OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL. A server
--- of one's own (any base URL) needs no key.
---@param options evalhost.provider.Options
---@return table|nil settings { url, model, headers }
---@return table|nil err no_api_key, no_model
function openai.settings(options)
  local key_name = options.api_key_env or "OPENAI_API_KEY"
  local key = env(key_name)
  local base = options.base_url or env "OPENAI_BASE_URL"
  local model = options.model or env "OPENAI_MODEL"
  if not key and not base then
    return nil, errors.new("no_api_key", key_name .. " is not set")
  elseif not model then
    return nil, errors.new("no_model", "no model is given and OPENAI_MODEL is not set")
  end
  secrets.register(key)
  return {
    url = openai.url(base or DEFAULT_BASE),
    model = model,
    headers = key and { authorization = "Bearer " .. key } or {},
  }
end

-- An empty `required` would be written as an object, which is no JSON Schema.
local function parameters_of(tool)
  local schema = tool.parameters or { type = "object", properties = {} }
  if type(schema.required) ~= "table" or next(schema.required) ~= nil then
    return schema
  end
  local copy = {}
  for key, value in pairs(schema) do
    copy[key] = value
  end
  copy.required = nil
  return copy
end

local function tools_of(tools)
  if not tools or #tools == 0 then
    return nil
  end
  local list = {}
  for i, tool in ipairs(tools) do
    list[i] = {
      type = "function",
      ["function"] = {
        name = tool.name, description = tool.description, parameters = parameters_of(tool),
      },
    }
  end
  return list
end

--- The request's body.
---@param model string
---@param request evalhost.provider.Request
---@return table
function openai.body(model, request)
  return {
    model = model,
    messages = request.messages,
    tools = tools_of(request.tools),
    temperature = request.temperature,
    max_tokens = request.max_tokens,
    response_format = request.schema and {
      type = "json_schema",
      json_schema = { name = request.schema.name, strict = true, schema = request.schema.schema },
    } or nil,
    stream = request.stream or nil,
    stream_options = request.stream and { include_usage = true } or nil,
  }
end

--- Asks the model once, with retries.
---@async
---@param settings table what `openai.settings` gave
---@param request evalhost.provider.Request
---@return evalhost.provider.Completion|nil completion
---@return table|nil err
function openai.complete(settings, request)
  return http.call({
    url = settings.url,
    method = "POST",
    headers = settings.headers,
    json = openai.body(settings.model, request),
  }, function(answer)
    return reply.read(answer, settings.url)
  end)
end

--- The model's turn as a message. What other servers add to theirs is left out: not all take it
--- back.
---@param completion evalhost.provider.Completion
---@return table
function openai.assistant(completion)
  local calls
  for i, call in ipairs(completion.tool_calls) do
    calls = calls or {}
    calls[i] = {
      id = call.id,
      type = "function",
      ["function"] = { name = call.name, arguments = call.arguments },
    }
  end
  local content = completion.text
  if content == nil then
    content = calls and json.null or ""
  end
  return { role = "assistant", content = content, tool_calls = calls }
end

---@param call evalhost.provider.Call
---@param content string
---@return table
function openai.tool_result(call, content)
  return { role = "tool", tool_call_id = call.id, content = content }
end

return openai
