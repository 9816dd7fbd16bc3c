-- targets/http_reply.lua: an agent's JSON reply as an outcome. Pure.

local json = require "evalhost.native.json"
local errors = require "evalhost.http_errors"
local openai = require "evalhost.providers.openai_reply"

local mapping = {}

--- Where the answer may be, in this order.
mapping.answer_keys = { "answer", "response", "output", "message" }

local function present(value)
  if value == json.null then
    return nil
  end
  return value
end

-- A text, or the text inside a message { content = ... }.
local function answer_text(value)
  if type(value) == "table" then
    value = value.content or value.text
  end
  return type(value) == "string" and value or nil
end

--- The answer in an object; nil without one. The second result says whether there is a key for it.
---@param object table
---@return string|nil answer
---@return boolean known
function mapping.answer(object)
  local known = false
  for _, key in ipairs(mapping.answer_keys) do
    if object[key] ~= nil then
      known = true
      local answer = answer_text(object[key])
      if answer then
        return answer, true
      end
    end
  end
  return nil, known
end

local function first(...)
  for i = 1, select("#", ...) do
    local value = present((select(i, ...)))
    if value ~= nil then
      return value
    end
  end
end

-- { name, arguments, result, error } from the spellings in use, OpenAI's among them.
local function tool_call(value)
  if type(value) == "string" then
    return { name = value }
  elseif type(value) ~= "table" then
    return nil
  end
  local called = type(value["function"]) == "table" and value["function"] or value
  local name = first(called.name, value.tool, value.tool_name)
  return type(name) == "string" and {
    name = name,
    arguments = first(called.arguments, value.args, value.input, value.parameters),
    result = first(value.result, value.output),
    error = first(value.error),
    latency_ms = type(value.latency_ms) == "number" and value.latency_ms or nil,
  } or nil
end

local function tool_calls(list)
  local calls = json.array()
  for i, value in ipairs(list) do
    local call = tool_call(value)
    if not call then
      return nil, ("tool_calls[%d] has no name"):format(i)
    end
    calls[i] = call
  end
  return calls
end

local function list_of(value)
  value = present(value)
  if type(value) == "table" and (#value > 0 or next(value) == nil) then
    return value
  end
end

local function keys_of(object)
  local keys = {}
  for key in pairs(object) do
    keys[#keys + 1] = tostring(key)
  end
  table.sort(keys)
  return #keys > 0 and table.concat(keys, ", ") or "none"
end

local function unknown(url, what)
  return errors.new("unknown_reply", ("%s: %s; say how to read it: outcome = function(reply, case)")
    :format(errors.place(url), errors.excerpt(what, 300)))
end

--- The outcome in a decoded reply: a text, or an object with an answer or tool calls.
---@param value any
---@param url string for messages
---@return table|nil outcome
---@return table|nil err unknown_reply, or the class of an error object
function mapping.outcome(value, url)
  if type(value) == "string" then
    return { answer = value }
  elseif type(value) ~= "table" or json.is_array(value) then
    return nil, unknown(url, "the reply is no JSON object")
  end
  local answer, known = mapping.answer(value)
  local err = not answer and errors.of_value(value, url)
  if err then
    return nil, err
  end
  local list = list_of(value.tool_calls) or {}
  if not known and #list == 0 then
    return nil, unknown(url, "the reply has no answer, response, output, message or tool_calls "
      .. "(its keys: " .. keys_of(value) .. ")")
  end
  local calls, problem = tool_calls(list)
  if not calls then
    return nil, unknown(url, problem)
  end
  return {
    answer = answer,
    intent = first(value.intent),
    tool_calls = calls,
    sources = list_of(value.sources),
    citations = list_of(value.citations),
    usage = openai.usage(value.usage),
    model = type(value.model) == "string" and value.model or nil,
    raw = value,
  }
end

return mapping
