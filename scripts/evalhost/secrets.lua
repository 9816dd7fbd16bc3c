-- secrets.lua: values that must not leave the program, and the one place that takes them out of
-- texts: by value, in the forms in which a value travels.

local secrets = {}

--- Shorter values are no secrets: taking "test" out of every message would only hide the message.
secrets.shortest = 6

local MARK = "[redacted]"
local registered = {} -- value -> true
local forms = {}      -- list of texts to take out, longest first

local function percent(value, format)
  return (value:gsub("[^%w%-._~]", function(c) return format:format(c:byte()) end))
end

local json_escapes = {
  ['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r",
  ["\t"] = "\\t",
}

local function json_escaped(value)
  return (value:gsub('[%c"\\]', function(c)
    return json_escapes[c] or ("\\u%04x"):format(c:byte())
  end))
end

local ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

--- Base64 with padding (RFC 4648).
---@param value string
---@return string
function secrets.base64(value)
  local parts = {}
  for i = 1, #value, 3 do
    local a, b, c = value:byte(i, i + 2)
    local bits = a << 16 | (b or 0) << 8 | (c or 0)
    for shift = 18, 0, -6 do
      local index = (bits >> shift & 63) + 1
      parts[#parts + 1] = ALPHABET:sub(index, index)
    end
    if not c then
      parts[#parts] = "="
      parts[#parts - 1] = b and parts[#parts - 1] or "="
    end
  end
  return table.concat(parts)
end

-- The digits that a value gives wherever it stands in a longer encoded text: it may begin at any of
-- three places in a group of three bytes; digits shared with its neighbours are left out.
local function base64_cores(value)
  local cores = {}
  for shift = 0, 2 do
    local whole = secrets.base64(("\0"):rep(shift) .. value)
    local first = ({ 1, 3, 4 })[shift + 1]
    local last = (shift + #value) * 8 // 6
    cores[#cores + 1] = whole:sub(first, last)
  end
  return cores
end

local function add(list, text)
  if #text >= secrets.shortest then
    list[#list + 1] = text
  end
end

--- Remembers a value that must never be shown. Short ones and nil are ignored.
---@param value string|nil
function secrets.register(value)
  if type(value) ~= "string" or #value < secrets.shortest or registered[value] then
    return
  end
  registered[value] = true
  add(forms, value)
  add(forms, percent(value, "%%%02X"))
  add(forms, percent(value, "%%%02x"))
  add(forms, json_escaped(value))
  for _, core in ipairs(base64_cores(value)) do
    add(forms, core)
    add(forms, (core:gsub("[+/]", { ["+"] = "-", ["/"] = "_" })))
  end
  table.sort(forms, function(a, b)
    if #a ~= #b then return #a > #b end
    return a < b
  end)
end

local function replace(text, form)
  local first, last = text:find(form, 1, true)
  if not first then
    return text
  end
  local parts, from = {}, 1
  while first do
    parts[#parts + 1] = text:sub(from, first - 1)
    from = last + 1
    first, last = text:find(form, from, true)
  end
  return table.concat(parts, MARK) .. MARK .. text:sub(from)
end

--- The text without registered values: as they stand, percent-encoded, JSON-escaped, in base64.
---@param text string
---@return string
function secrets.without_values(text)
  for _, form in ipairs(forms) do
    text = replace(text, form)
  end
  return text
end

--- The text without registered values and without user and password in URLs.
---@param text string
---@return string
function secrets.redact(text)
  text = secrets.without_values(text)
  return (text:gsub("://[^/?#%s\"'<>]*@", "://"))
end

--- Forgets everything; for specs.
function secrets.forget()
  registered, forms = {}, {}
end

return secrets
