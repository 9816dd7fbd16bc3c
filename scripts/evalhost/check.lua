-- check.lua: validation of option tables, with the place, the key and the nearest known key.

local text = require "evalhost.native.text"

local check = {}

local function keys(t)
  local list = {}
  for key in pairs(t) do
    list[#list + 1] = tostring(key)
  end
  table.sort(list)
  return list
end

--- "; did you mean X?" or "; known: a, b" for a name that is not in the list.
---@param name any
---@param known string[]
---@return string
function check.hint(name, known)
  local near = text.nearest(tostring(name), known)
  if near then
    return ("; did you mean %s?"):format(near)
  end
  if #known == 0 then
    return ""
  end
  return "; known: " .. table.concat(known, ", ")
end

--- The Lua type of a value as messages name it ("integer" apart from "number").
---@param value any
---@return string
function check.type_name(value)
  return math.type(value) == "integer" and "integer" or type(value)
end

local function is_callable(value)
  if type(value) == "function" then
    return true
  end
  local meta = getmetatable(value)
  return type(meta) == "table" and meta.__call ~= nil
end
check.is_callable = is_callable

local matchers = {
  any = function() return true end,
  integer = function(v) return math.type(v) == "integer" end,
  ["function"] = is_callable,
  list = function(v) return type(v) == "table" and (#v > 0 or next(v) == nil) end,
}

-- "string|list" -> the functions that recognise each; specs are literals, so they are few.
local compiled = {}

local function compile(spec)
  local list = {}
  for name in spec:gmatch "[^|]+" do
    list[#list + 1] = matchers[name] or function(v) return type(v) == name end
  end
  compiled[spec] = list
  return list
end

--- Does value have one of the types in spec ("string|list")?
---@param value any
---@param spec string
---@return boolean
function check.is(value, spec)
  if type(value) == spec then
    return true
  end
  for _, matches in ipairs(compiled[spec] or compile(spec)) do
    if matches(value) then
      return true
    end
  end
  return false
end

-- A problem with a key: a plain error at a level of the stack; at level 0 a table, for a caller
-- that knows a better place to name.
local function raise(message, level, key)
  if level == 0 then
    error({ code = "options", message = message, key = key }, 0)
  end
  error(message, level + 1)
end

-- The first by name, so that the same mistake is always reported first.
local function first_unknown(options, fields)
  local unknown = {}
  for key in pairs(options) do
    unknown[#unknown + 1] = fields[key] == nil and tostring(key) or nil
  end
  table.sort(unknown)
  return unknown[1]
end

--- Checks an options table against `fields` ({ key = "type" | { "type", default } }) and returns a
--- copy with the defaults filled in. Raises at the place that called the caller (level 0: raises
--- a table { code, message, key }).
---@param options table|nil
---@param fields table<string, string|table>
---@param what string the function's name, for the message
---@param level integer|nil
---@return table
function check.options(options, fields, what, level)
  level = level == 0 and 0 or (level or 2) + 1
  if options == nil then
    options = {}
  elseif type(options) ~= "table" then
    raise(("%s: expected a table of options, got %s"):format(what, check.type_name(options)), level)
  end
  local result = {}
  for key, value in pairs(options) do
    local field = fields[key]
    if field == nil then
      key = first_unknown(options, fields)
      raise(("%s: unknown key '%s'%s"):format(what, tostring(key), check.hint(key, keys(fields))),
        level, tostring(key))
    end
    local spec = type(field) == "table" and field[1] or field --[[@as string]]
    if not check.is(value, spec) then
      raise(("%s: %s must be a %s, got %s"):format(what, key, (spec:gsub("|", " or ")),
        check.type_name(value)), level, key)
    end
    result[key] = value
  end
  for key, field in pairs(fields) do
    if type(field) == "table" and result[key] == nil then
      result[key] = field[2]
    end
  end
  return result
end

return check
