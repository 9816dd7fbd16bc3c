-- spec/differ.lua: values as text, and where two of them differ first.

local differ = {}

local MAX_DEPTH = 6
local MAX_ITEMS = 40

local function is_name(key)
  return type(key) == "string" and key:match "^[%a_][%w_]*$" ~= nil
end

local function sorted_keys(t)
  local keys = {}
  for key in next, t do
    keys[#keys + 1] = key
  end
  table.sort(keys, function(a, b)
    if type(a) == type(b) and (type(a) == "number" or type(a) == "string") then
      return a < b
    end
    return type(a) .. tostring(a) < type(b) .. tostring(b)
  end)
  return keys
end

local show

local function show_table(t, depth, seen)
  if seen[t] then
    return "{ itself }"
  elseif depth >= MAX_DEPTH then
    return "{ ... }"
  elseif next(t) == nil then
    return "{}"
  end
  seen[t] = true
  local parts, length = {}, rawlen(t)
  for _, key in ipairs(sorted_keys(t)) do
    if #parts >= MAX_ITEMS then
      parts[#parts + 1] = "..."
      break
    end
    local value = show(rawget(t, key), depth + 1, seen)
    if math.type(key) == "integer" and key >= 1 and key <= length then
      parts[#parts + 1] = value
    elseif is_name(key) then
      parts[#parts + 1] = key .. " = " .. value
    else
      parts[#parts + 1] = "[" .. show(key, depth + 1, seen) .. "] = " .. value
    end
  end
  seen[t] = nil
  return "{ " .. table.concat(parts, ", ") .. " }"
end

function show(value, depth, seen)
  local kind = type(value)
  if kind == "string" then
    return (("%q"):format(value):gsub("\\\n", "\\n"))
  elseif kind == "table" then
    local meta = getmetatable(value)
    if type(meta) == "table" and meta.__tostring then
      return require("evalhost.native.fiber").text(value)
    end
    return show_table(value, depth, seen)
  elseif kind == "number" and value == math.floor(value) and math.type(value) == "float"
    and value > -2 ^ 53 and value < 2 ^ 53 then
    return ("%.1f"):format(value)
  elseif kind == "number" and math.type(value) == "float" then
    return ("%.17g"):format(value):len() > 17 and ("%.15g"):format(value) or ("%.17g"):format(value)
  end
  return tostring(value)
end

--- A value on one line, as Lua would write it.
---@param value any
---@return string
function differ.show(value)
  return show(value, 0, {})
end

local function path_of(path, key)
  if is_name(key) then
    return path .. "." .. key
  end
  return ("%s[%s]"):format(path, differ.show(key))
end

local compare

local function compare_tables(got, wanted, path, seen)
  if seen[got] == wanted then
    return nil
  end
  seen[got] = wanted
  for _, key in ipairs(sorted_keys(wanted)) do
    local difference = compare(rawget(got, key), rawget(wanted, key), path_of(path, key), seen)
    if difference then
      return difference
    end
  end
  for _, key in ipairs(sorted_keys(got)) do
    if rawget(wanted, key) == nil then
      return { path = path_of(path, key), got = rawget(got, key) }
    end
  end
end

local function is_nan(value)
  return type(value) == "number" and value ~= value
end

function compare(got, wanted, path, seen)
  if rawequal(got, wanted) or got == wanted or is_nan(got) and is_nan(wanted) then
    return nil
  elseif type(got) == "table" and type(wanted) == "table" then
    return compare_tables(got, wanted, path, seen)
  end
  return { path = path, got = got, wanted = wanted }
end

--- The first difference of two values, compared deeply; nil when they are equal. Integers equal
--- floats of the same value, NaN equals NaN, metatables do not count.
---@param got any
---@param wanted any
---@return { path: string, got: any, wanted: any }|nil
function differ.first(got, wanted)
  return compare(got, wanted, "", {})
end

return differ
