-- targets/http_events.lua: an agent's stream of events put together to one reply. Pure.

local errors = require "evalhost.http_errors"
local mapping = require "evalhost.targets.http_reply"

local events = {}

local DELTAS = { "token", "delta", "content", "text" }
local KEPT = { "intent", "tool_calls", "sources", "citations", "usage", "model" }

local function piece_of(value)
  if type(value) == "string" then
    return value
  elseif type(value) == "table" then
    return type(value.content) == "string" and value.content
      or type(value.text) == "string" and value.text or nil
  end
end

-- The piece of text in an event, also in the chunks of an OpenAI stream.
local function delta_of(object)
  for _, key in ipairs(DELTAS) do
    local piece = piece_of(object[key])
    if piece then
      return piece
    end
  end
  local choice = type(object.choices) == "table" and object.choices[1]
  return type(choice) == "table" and piece_of(choice.delta) or nil
end

local function add_object(state, object)
  local answer = mapping.answer(object)
  if answer then
    state.whole = object
  else
    state.pieces[#state.pieces + 1] = delta_of(object)
  end
  for _, key in ipairs(KEPT) do
    if object[key] ~= nil then
      state.kept[key] = object[key]
    end
  end
end

-- What is not written as JSON is a piece of the text as it stands.
local function add(state, data, url)
  if not data:find '^%s*[{%["]' then
    state.pieces[#state.pieces + 1] = data
    return nil
  end
  local value, err = errors.decode(data, url)
  if err then
    return err
  elseif type(value) == "string" then
    state.pieces[#state.pieces + 1] = value
  elseif type(value) == "table" then
    add_object(state, value)
  end
end

-- The error that an event reports; nil for all others.
local function error_of(event, url)
  local named = event.event == "error"
  if not named and not event.data:find('"error"', 1, true) then
    return nil
  end
  local value = errors.decode(event.data, "")
  if named then
    local inner = type(value) == "table" and value.error
    return errors.of_value({ error = inner or value or event.data }, url)
  elseif type(value) == "table" and not mapping.answer(value) then
    return errors.of_value(value, url)
  end
end

local function whole(state)
  local value = state.whole
  if not value then
    value = { answer = #state.pieces > 0 and table.concat(state.pieces) or nil }
  end
  for key, kept in pairs(state.kept) do
    if value[key] == nil then
      value[key] = kept
    end
  end
  return value
end

--- One reply from the events of a stream: the last object with an answer, else the pieces joined;
--- tool calls, sources and the like from the last event that gave them.
---@param list { event: string, data: string }[]
---@param url string for messages
---@return table|nil value
---@return table|nil err not_json (no event at all), bad_json, or the class of an error event
function events.assemble(list, url)
  local state = { pieces = {}, kept = {} }
  for _, event in ipairs(list) do
    if not event.data:find "^%s*%[DONE%]%s*$" then
      local err = error_of(event, url) or add(state, event.data, url)
      if err then
        return nil, err
      end
    end
  end
  if #list == 0 then
    return nil, errors.new("not_json", errors.place(url) .. ": the stream has no events")
  end
  return whole(state)
end

return events
