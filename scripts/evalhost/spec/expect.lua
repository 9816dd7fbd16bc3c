-- spec/expect.lua: what a spec may expect of a value. What does not hold raises an error of the
-- code "expect" that names the place in the spec.

local differ = require "evalhost.spec.differ"
local fiber = require "evalhost.native.fiber"

-- Beyond this many characters a value is shown on a line of its own.
local LONG = 60

---@class evalhost.Expectation
---@field value any
local Expectation = {}
Expectation.__index = Expectation

local function fail(message, level)
  local info = debug.getinfo(level + 1, "Sl")
  local err = fiber.error("expect", message)
  err.place = info and ("%s:%d"):format(info.short_src, info.currentline) or nil
  error(err, 0)
end

local function against(wanted, got)
  if #wanted > LONG or #got > LONG then
    return ("expected %s\n     got %s"):format(wanted, got)
  end
  return ("expected %s, got %s"):format(wanted, got)
end

--- Deep equality; 2500 equals 2500.0.
---@param wanted any
---@return evalhost.Expectation
function Expectation:equals(wanted)
  local difference = differ.first(self.value, wanted)
  if not difference then
    return self
  end
  local message = against(differ.show(wanted), differ.show(self.value))
  if difference.path ~= "" then
    message = ("at %s %s\nin %s"):format(difference.path,
      against(differ.show(difference.wanted), differ.show(difference.got)), message)
  end
  fail(message, 2)
end

--- Within eps of a number (default 1e-9).
---@param wanted number
---@param eps number|nil
---@return evalhost.Expectation
function Expectation:near(wanted, eps)
  eps = eps or 1e-9
  local value = self.value
  local close = type(value) == "number"
    and (value == wanted or math.abs(value - wanted) <= eps)
  if not close then
    fail(("expected %s within %g, got %s"):format(differ.show(wanted), eps, differ.show(value)), 2)
  end
  return self
end

-- What an error says: its message, where it is a table that has one.
local function told(err)
  local message = type(err) == "table" and rawget(err, "message")
  return type(message) == "string" and message or fiber.text(err)
end

local function holds(text, pattern)
  if text:find(pattern, 1, true) then
    return true
  end
  local ok, first = pcall(string.find, text, pattern)
  return ok and first ~= nil
end

--- The value is a function that raises; the error's text matches the Lua pattern (or holds it as it
--- stands), if one is given.
---@param pattern string|nil
---@return evalhost.Expectation
function Expectation:errors(pattern)
  local ok, err = pcall(self.value)
  if ok then
    fail("expected an error" .. (pattern and " like " .. differ.show(pattern) or "")
      .. ", none was raised", 2)
  end
  local text = told(err)
  if pattern and not holds(text, pattern) then
    fail(against("an error like " .. differ.show(pattern), differ.show(text)), 2)
  end
  return self
end

--- Neither nil nor false.
---@return evalhost.Expectation
function Expectation:truthy()
  if not self.value then
    fail(("expected something true, got %s"):format(differ.show(self.value)), 2)
  end
  return self
end

---@param value any
---@return evalhost.Expectation
return function(value)
  return setmetatable({ value = value }, Expectation)
end
