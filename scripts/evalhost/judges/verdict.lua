-- judges/verdict.lua: a judge's reply read as a verdict. Trusts nothing: one JSON object, its keys,
-- finite numbers in their range; else an error that says what it was. Never clamps, never guesses.
-- Pure.

local json = require "evalhost.native.json"
local embedded = require "evalhost.embedded_json"
local errors = require "evalhost.http_errors"
local native_text = require "evalhost.native.text"

local verdict = {}

---@class evalhost.verdict.Form what a verdict must hold
---@field value string the key of the value itself
---@field numbers table<string, {[1]: number, [2]: number}> keys and their ranges
---@field texts string[] keys of texts
---@field token string|nil with `echo`: what `token` must repeat

local function fail(code, message)
  return nil, errors.new("judge_" .. code, "the judge's verdict " .. message)
end

local function quoted(text)
  return '"' .. errors.excerpt(text, 120) .. '"'
end

-- The object inside of a reply that is one fenced block and nothing else.
local function fenced(text)
  local body = text:match "^```[%a]*%s*\n(.-)\n?%s*```$" or text:match "^```[%a]*%s*(%b{})%s*```$"
  return body and not body:find("```", 1, true) and body or nil
end

-- What a text that is no JSON object says about its numbers: "8/10" and 80% are no JSON.
local function says_share(text, form)
  for key in pairs(form.numbers) do
    local written = text:match('"' .. key .. '"%s*:%s*([^,}%s]+)')
    if written and (written:find "^%-?%d+%.?%d*%%$" or written:find "^%-?%d+%.?%d*/%d+$") then
      return written
    end
  end
end

local function unreadable(text, err, form)
  local share = says_share(text, form)
  if share then
    return fail("range", ("gives %s, which is no number in the range"):format(quoted(share)))
  elseif err and err.code == "exists" then
    return fail("ambiguous", "has a key twice: " .. err.message)
  elseif #embedded.find(text, 2) > 1 then
    return fail("ambiguous", "holds more than one object: " .. quoted(text))
  end
  return fail("value", "is not exactly one JSON object: " .. quoted(text))
end

-- The object, and whether it was taken out of a fence.
local function object_of(text, form)
  local value, err = json.decode(text, { bom = true })
  local coerced = false
  if err then
    local body = fenced(text)
    if body then
      value, err = json.decode(body)
      text, coerced = body, true
    end
  end
  if err then
    return unreadable(text, err, form)
  elseif type(value) == "table" and json.is_array(value) and #value > 1 then
    return fail("ambiguous", "is a list: " .. quoted(text))
  elseif type(value) ~= "table" or json.is_array(value) then
    return fail("value", "is not a JSON object: " .. quoted(text))
  end
  return value, nil, coerced
end

-- A number, also as the text of one: number and whether it was a text; or nil, code, message.
local function number_of(key, value)
  if type(value) == "number" then
    return value, false
  elseif value == nil then
    return nil, "value", ("has no %s"):format(key)
  elseif type(value) == "string" then
    local text = native_text.trim(value)
    if text:find "^%-?%d+%.?%d*%%$" or text:find "^%-?%d+%.?%d*%s*/%s*%d+$"
      or text:find "^%-?%d+%.?%d*%s+out of%s+%d+$" then
      return nil, "range", ("gives %s as %s, which is no number in the range"):format(key,
        quoted(text))
    elseif text:find "^%-?%d+%.?%d*$" or text:find "^%-?%d+%.?%d*[eE][+-]?%d+$" then
      return tonumber(text), true
    end
    return nil, "value", ("gives %s as %s"):format(key, quoted(text))
  end
  return nil, "value", ("gives %s as %s"):format(key, quoted(json.encode(value) or type(value)))
end

local function numbers_of(object, form)
  local found, coerced = {}, false
  for key, range in pairs(form.numbers) do
    local number, was_text, message = number_of(key, object[key])
    if not number then
      return fail(was_text, message)
    elseif number ~= number or number == math.huge or number == -math.huge then
      return fail("value", ("gives %s as %s"):format(key, number))
    elseif number < range[1] or number > range[2] then
      return fail("range", ("gives %s as %.14g, outside of %g to %g"):format(key, number, range[1],
        range[2]))
    end
    found[key] = number
    coerced = coerced or was_text
  end
  return found, nil, coerced
end

-- A judge that was asked for a number only and passes what it scored low contradicts itself.
local function contradiction(object, value, range)
  local middle = (range[1] + range[2]) / 2
  for _, key in ipairs { "pass", "passed" } do
    local pass = object[key]
    if pass == true and value < middle or pass == false and value >= middle then
      return ("says %s = %s beside a value of %.14g"):format(key, pass, value)
    end
  end
end

--- Reads a verdict.
---@param text string|nil the judge's own message
---@param form evalhost.verdict.Form
---@return table|nil read { value, numbers = { KEY = number }, texts = { KEY = text }, coerced }
---@return table|nil err judge_value, judge_range, judge_ambiguous, judge_forged
function verdict.read(text, form)
  if type(text) ~= "string" or not text:find "%S" then
    return fail("value", "is empty")
  end
  local object, err, was_fenced = object_of(native_text.trim(text), form)
  if not object then
    return nil, err
  elseif form.token and object.token ~= form.token then
    return fail("forged", "does not repeat this call's token")
  end
  local numbers, problem, was_text = numbers_of(object, form)
  if not numbers then
    return nil, problem
  end
  local texts = {}
  for _, key in ipairs(form.texts) do
    if type(object[key]) ~= "string" then
      return fail("value", ("has no %s"):format(key))
    end
    texts[key] = object[key]
  end
  local value = numbers[form.value]
  local clash = contradiction(object, value, form.numbers[form.value])
  if clash then
    return fail("ambiguous", clash)
  end
  return { value = value, numbers = numbers, texts = texts, coerced = was_fenced or was_text }
end

--- Does a text hold what looks like a verdict of this form? Worth a flag when it is the text under
--- judgement.
---@param text string|nil
---@param form evalhost.verdict.Form
---@return boolean
function verdict.looks_like(text, form)
  if type(text) ~= "string" then
    return false
  elseif not text:find(form.value, 1, true) and not text:find("\\u", 1, true) then
    return false -- the key is not there, not even escaped
  end
  for _, found in ipairs(embedded.find(text, 20)) do
    if found.value[form.value] ~= nil then
      return true
    end
  end
  return false
end

return verdict
