-- providers/openai_reply.lua: from the bytes of a chat completion, whole or streamed, to what the
-- model said. Pure.

local json = require "evalhost.native.json"
local sse = require "evalhost.native.sse"
local errors = require "evalhost.http_errors"
local stream = require "evalhost.providers.openai_stream"

local reply = {}

-- The value, unless it is JSON's null or of another type.
local function of_type(kind, value)
  return type(value) == kind and value or nil
end

-- Content is a text or a list of parts: the text parts joined, and the kinds of the others.
local function text_of(content)
  if type(content) ~= "table" then
    return of_type("string", content)
  end
  local texts, others = {}, nil
  for _, part in ipairs(content) do
    local text = type(part) == "string" and part or type(part) == "table" and part.text
    if type(text) == "string" then
      texts[#texts + 1] = text
    else
      others = others or {}
      others[#others + 1] = type(part) == "table" and of_type("string", part.type) or "unknown"
    end
  end
  return #texts > 0 and table.concat(texts) or nil, others
end

local function arguments_of(value)
  if type(value) == "string" then
    return value
  elseif value == nil or value == json.null then
    return ""
  end
  return json.encode(value, { repair = true }) or ""
end

-- Calls in their order. Servers leave ids out or give the same twice: each gets its own.
local function calls_of(list)
  local calls, seen = {}, {}
  for i, item in ipairs(of_type("table", list) or {}) do
    local called = type(item) == "table" and of_type("table", item["function"]) or {}
    local id = type(item) == "table" and of_type("string", item.id)
    if not id or id == "" or seen[id] then
      id = "call_evalhost_" .. i
    end
    seen[id] = true
    calls[i] = {
      id = id,
      name = of_type("string", called.name) or "",
      arguments = arguments_of(called.arguments),
    }
  end
  return calls
end

local function count(value)
  value = math.type(value) and math.tointeger(value)
  return value and value >= 0 and value or nil
end

--- Usage in our names; nil unless input and output are reported.
---@param usage any
---@return table|nil
function reply.usage(usage)
  if type(usage) ~= "table" then
    return nil
  end
  local input = count(usage.prompt_tokens) or count(usage.input_tokens)
  local output = count(usage.completion_tokens) or count(usage.output_tokens)
  if not input or not output then
    return nil
  end
  local details = of_type("table", usage.prompt_tokens_details) or {}
  return {
    input_tokens = input,
    output_tokens = output,
    total_tokens = count(usage.total_tokens) or input + output,
    cached_input_tokens = count(details.cached_tokens),
  }
end

--- The completion that a decoded reply holds.
---@param value any
---@param url string for messages
---@return evalhost.provider.Completion|nil
---@return table|nil err empty_choices, or the class of an error object
function reply.parse(value, url)
  local err = errors.of_value(value, url)
  if err then
    return nil, err
  end
  local choices = type(value) == "table" and of_type("table", value.choices)
  local choice = choices and of_type("table", choices[1])
  local message = choice and of_type("table", choice.message)
  if not message then
    return nil, errors.new("empty_choices", ("%s: the reply has no choices[0].message: %s"):format(
      errors.place(url), errors.excerpt(json.encode(value, { repair = true }) or "?")))
  end
  local text, others = text_of(message.content)
  local refusal = of_type("string", message.refusal)
  local finish, flags = of_type("string", choice.finish_reason), {}
  if refusal and refusal ~= "" or finish == "content_filter" then
    flags[1] = "refused"
    text = refusal ~= "" and refusal or text
  end
  if finish == "length" then
    flags[#flags + 1] = "truncated_output"
  end
  return {
    text = text,
    other_parts = others,
    flags = flags,
    tool_calls = calls_of(message.tool_calls),
    usage = reply.usage(value.usage),
    model = of_type("string", value.model),
    finish_reason = finish,
  }
end

-- Servers that cannot stream send JSON all the same. The body is asked first: headers are read only
-- where it does not say.
local function is_stream(answer)
  local body = answer.body
  if body:find "^%s*{" then
    return false
  end
  return body:find "^data:" ~= nil or body:find "^:" ~= nil
    or (answer.headers["content-type"] or ""):lower():find("text/event-stream", 1, true) ~= nil
end

--- The completion in a good HTTP reply.
---@param answer evalhost.http.Reply
---@param url string
---@return evalhost.provider.Completion|nil
---@return table|nil err not_json, bad_json, truncated, empty_choices, or the class of an error
function reply.read(answer, url)
  local value, err
  if is_stream(answer) then
    value, err = stream.assemble(sse.parse(answer.body), url)
  else
    value, err = errors.decode(answer.body, url)
  end
  if err then
    return nil, err
  end
  return reply.parse(value, url)
end

return reply
