-- providers/openai_stream.lua: the chunks of a streamed chat completion put together to what the
-- same reply would have been in one piece. Pure.

local errors = require "evalhost.http_errors"
local json = require "evalhost.native.json"

local stream = {}

local function append(parts, text)
  if type(text) == "string" then
    parts[#parts + 1] = text
  end
end

local function text_of(value)
  return type(value) == "string" and value ~= "" and value or nil
end

local function new_call(state, id, index)
  local call = { id = id, index = index, order = #state.calls, name = "", arguments = {} }
  state.calls[#state.calls + 1] = call
  state.by_index[index or false] = call
  state.by_id[id or false] = call
  return call
end

-- The call that a delta belongs to. Usually its index says so; some servers leave indexes out, or
-- give 0 to every call: then a new id begins a new call.
local function call_of(state, delta)
  local id = text_of(delta.id)
  local index = math.type(delta.index) and math.tointeger(delta.index)
  local call
  if index then
    call = state.by_index[index]
    if call and id and call.id and call.id ~= id then
      call = nil
    end
  elseif id then
    call = state.by_id[id]
  else
    call = state.calls[#state.calls]
  end
  call = call or new_call(state, id, index)
  call.id = call.id or id
  return call
end

local function add_call(state, delta)
  if type(delta) ~= "table" then
    return
  end
  local call = call_of(state, delta)
  local called = type(delta["function"]) == "table" and delta["function"] or {}
  local name = text_of(called.name)
  if name and name ~= call.name and #call.name < 256 then -- some repeat it in every delta
    call.name = call.name .. name
  end
  if type(called.arguments) == "table" then
    append(call.arguments, json.encode(called.arguments, { repair = true }))
  else
    append(call.arguments, called.arguments)
  end
end

local function add_content(state, content)
  if type(content) ~= "table" then
    append(state.content, content)
    return
  end
  for _, part in ipairs(content) do
    if type(part) == "table" and type(part.text) ~= "string" then
      state.others[#state.others + 1] = part
    else
      append(state.content, type(part) == "table" and part.text or part)
    end
  end
end

local function add_choice(state, choice)
  local delta = type(choice.delta) == "table" and choice.delta
    or type(choice.message) == "table" and choice.message or {}
  state.choices = true
  add_content(state, delta.content)
  append(state.refusal, delta.refusal)
  for _, call in ipairs(type(delta.tool_calls) == "table" and delta.tool_calls or {}) do
    add_call(state, call)
  end
  if type(choice.finish_reason) == "string" then
    state.finish_reason = choice.finish_reason
  end
end

local function add_chunk(state, chunk)
  if type(chunk.model) == "string" then
    state.model = chunk.model
  end
  if type(chunk.usage) == "table" then
    state.usage = chunk.usage
  end
  for _, choice in ipairs(type(chunk.choices) == "table" and chunk.choices or {}) do
    if type(choice) == "table" and (choice.index == nil or choice.index == 0) then
      add_choice(state, choice)
    end
  end
end

-- A first, empty piece is how streams begin: it says nothing.
local function joined(parts)
  local text = table.concat(parts)
  return text ~= "" and text or json.null
end

local function content_of(state)
  if #state.others == 0 then
    return joined(state.content)
  end
  table.insert(state.others, 1, { type = "text", text = table.concat(state.content) })
  return state.others
end

local function calls_of(calls)
  table.sort(calls, function(a, b)
    local at, bt = a.index or a.order, b.index or b.order
    if at ~= bt then return at < bt end
    return a.order < b.order
  end)
  local list = {}
  for i, call in ipairs(calls) do
    list[i] = {
      id = call.id,
      ["function"] = {
        name = call.name, arguments = table.concat(call.arguments),
      },
    }
  end
  return list
end

local function whole(state)
  return {
    model = state.model,
    usage = state.usage,
    choices = state.choices and { {
      finish_reason = state.finish_reason,
      message = {
        content = content_of(state),
        refusal = joined(state.refusal),
        tool_calls = calls_of(state.calls),
      },
    } } or {},
  }
end

--- One completion from the events of a stream. It must end with [DONE] or have given a
--- finish_reason: else it was cut off.
---@param events { data: string }[]
---@param url string for messages
---@return table|nil completion
---@return table|nil err truncated, not_json, bad_json, or the class of an error object
function stream.assemble(events, url)
  local place = errors.place(url)
  local state = {
    content = {}, others = {}, refusal = {}, calls = {}, by_index = {}, by_id = {},
  }
  for _, event in ipairs(events) do
    if event.data:find "^%s*%[DONE%]%s*$" then
      return whole(state)
    end
    local chunk, err = errors.decode(event.data, url)
    err = err or errors.of_value(chunk, url)
    if err then
      return nil, err
    end
    if type(chunk) == "table" then
      add_chunk(state, chunk)
    end
  end
  if not state.finish_reason then
    return nil, errors.new("truncated", place .. ": the stream ended before the reply did")
  end
  return whole(state)
end

return stream
