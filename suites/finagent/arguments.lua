-- Checks a tool call's arguments against the tool's own JSON Schema, so that what the model is told
-- and what the tool accepts are one text. Knows only the few keywords that tools.lua uses.

local null = require("cjson").null

local function type_name(value)
  if value == null then return "null" end
  return type(value) == "table" and "object" or type(value)
end

local function check_number(value, schema)
  if value ~= value then
    return "is not a number (NaN)"
  elseif schema.minimum and value < schema.minimum then
    return ("must be at least %g"):format(schema.minimum)
  elseif schema.exclusiveMinimum and value <= schema.exclusiveMinimum then
    return ("must be greater than %g"):format(schema.exclusiveMinimum)
  elseif schema.maximum and value > schema.maximum then
    return ("must be at most %g"):format(schema.maximum)
  end
end

local function check_value(value, schema)
  if type_name(value) ~= schema.type then
    return ("expected %s, got %s"):format(schema.type, type_name(value))
  end
  if schema.type == "number" then return check_number(value, schema) end
  if schema.enum then
    for _, allowed in ipairs(schema.enum) do
      if value == allowed then return nil end
    end
    return ("must be one of %s, got %q"):format(table.concat(schema.enum, ", "), value)
  end
end

local function sorted_keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = tostring(key) end
  table.sort(keys)
  return keys
end

---@param args any  what the model (or the planner) sent
---@param schema table  the tool's `parameters`
---@return table? args  a copy without nulls; nil if something is wrong
---@return string? problem  the first problem found, fit to be shown to a model
return function(args, schema)
  if type(args) ~= "table" then
    return nil, "arguments: expected object, got " .. type_name(args)
  end
  for _, name in ipairs(sorted_keys(args)) do
    if not schema.properties[name] then
      local known = table.concat(sorted_keys(schema.properties), ", ")
      return nil, ("unknown argument %q; there are: %s"):format(name, known)
    end
  end
  local clean = {}
  for name in pairs(schema.properties) do
    if args[name] ~= null then clean[name] = args[name] end
  end
  for _, name in ipairs(schema.required) do
    if clean[name] == nil then return nil, "missing argument: " .. name end
  end
  for _, name in ipairs(sorted_keys(clean)) do
    local problem = check_value(clean[name], schema.properties[name])
    if problem then return nil, name .. ": " .. problem end
  end
  return clean
end
