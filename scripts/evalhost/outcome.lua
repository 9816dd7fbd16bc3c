-- outcome.lua: what a target gave, in the shape that metrics and the record rely on.

local check = require "evalhost.check"
local json = require "evalhost.native.json"

local outcome = {}

local MAX_CALLS = 256

local function is_list(value)
  return type(value) == "table" and (#value > 0 or next(value) == nil)
end

--- Arguments as a model sends them: a table, or JSON text (once or twice encoded).
---@param value any
---@return table|nil arguments
---@return string|nil flag "double_encoded"; or, with nil, "args_unparseable"
function outcome.arguments(value)
  if type(value) == "table" then
    return value
  elseif value == nil or value == json.null or value == "" then
    return {}
  elseif type(value) ~= "string" then
    return nil, "args_unparseable"
  end
  local parsed = json.decode(value)
  local flag
  if type(parsed) == "string" then
    parsed, flag = json.decode(parsed), "double_encoded"
  end
  if type(parsed) ~= "table" then
    return nil, "args_unparseable"
  end
  return parsed, flag
end

--- A list of names, or of { name, arguments }, as a list of { name, arguments }.
---@param value any
---@return table|nil
---@return string|nil problem
function outcome.expected_tools(value)
  if not is_list(value) then
    return nil, "expected tools must be a list of names or of { name, arguments }"
  end
  local list = json.array {}
  for i, tool in ipairs(value) do
    if type(tool) == "string" then
      tool = { name = tool }
    end
    if type(tool) ~= "table" or type(tool.name) ~= "string" or tool.name == "" then
      return nil, ("expected tool %d must be a name or { name, arguments }"):format(i)
    elseif tool.arguments ~= nil and type(tool.arguments) ~= "table" then
      return nil, ("the arguments of expected tool %d must be a table"):format(i)
    end
    list[i] = { name = tool.name, arguments = tool.arguments }
  end
  return list
end

local function flag(result, name)
  for _, known in ipairs(result.flags) do
    if known == name then
      return
    end
  end
  result.flags[#result.flags + 1] = name
end

local function call(result, given, i)
  if type(given) == "string" then
    given = { name = given }
  end
  if type(given) ~= "table" or type(given.name) ~= "string" then
    return nil, ("tool_calls[%d] must have a name"):format(i)
  end
  local copy = {}
  for key, value in pairs(given) do
    copy[key] = value
  end
  local parsed, how = outcome.arguments(given.arguments)
  if parsed then
    copy.arguments = parsed
  else
    copy.args_unparseable = true
  end
  if how then
    flag(result, how)
  end
  if copy.args_unparseable then
    flag(result, "args_unparseable")
  end
  return copy
end

local FIELD_TYPES = {
  answer = "string", sources = "list", citations = "list", usage = "table", messages = "list",
  flags = "list", model = "string",
}

local function calls(result, given)
  local list = json.array {}
  for i, one in ipairs(given or {}) do
    if i > MAX_CALLS then
      flag(result, "tool_calls_truncated")
      break
    end
    local entry, problem = call(result, one, i)
    if not entry then
      return nil, problem
    end
    list[i] = entry
  end
  return list
end

--- A target's return value as an outcome, or nil and why it is none.
---@param value any
---@return table|nil
---@return string|nil problem
function outcome.new(value)
  if type(value) == "string" then
    value = { answer = value }
  elseif type(value) ~= "table" then
    return nil, ("a target returns an outcome table or a string, got %s"):format(type(value))
  elseif #value > 0 then
    return nil, "a target returns an outcome table such as { answer = \"...\" }, got a list"
  end
  local result = {}
  for key, field in pairs(value) do
    if field ~= json.null then
      local wanted = FIELD_TYPES[key]
      if wanted and not check.is(field, wanted) then
        return nil, ("the outcome's %s must be a %s, got a %s"):format(key, wanted,
          check.type_name(field))
      end
      result[key] = field
    end
  end
  result.flags = json.array { table.unpack(result.flags or {}) }
  if result.tool_calls ~= nil and not is_list(result.tool_calls) then
    return nil, "the outcome's tool_calls must be a list"
  end
  local problem
  result.tool_calls, problem = calls(result, result.tool_calls)
  if not result.tool_calls then
    return nil, problem
  end
  result.sources = json.array(result.sources or {})
  result.citations = json.array(result.citations or {})
  return result
end

return outcome
