-- metrics/operands.lua: what the text metrics compare: a field of the outcome with a value of the
-- suite's, or with the field of the same name that the case expects.

local json = require "evalhost.native.json"
local metric = require "evalhost.metric"
local native_text = require "evalhost.native.text"

local operands = {}

local function present(value)
  if value == json.null then
    return nil
  end
  return value
end

--- The outcome's field `of` as text: a table as canonical JSON, nothing as "".
---@param outcome table
---@param of string
---@return string
function operands.text(outcome, of)
  return operands.as_text(present(outcome[of]))
end

--- A value as text.
---@param value any
---@return string
function operands.as_text(value)
  if value == nil then
    return ""
  elseif type(value) == "table" then
    return json.encode(value, { canonical = true, repair = true }) or ""
  end
  return tostring(value)
end

--- What is expected: the option `value`, else case.expected[of]; or nil and an unscored value.
---@param options table with `value` and `of`
---@param case table
---@return any expected
---@return evalhost.Unscored|nil
function operands.expected(options, case)
  if options.value ~= nil then
    return options.value
  end
  local expected = present(case.expected and case.expected[options.of])
  if expected == nil then
    return nil, metric.unscored("no_expected_" .. options.of,
      ("the case expects no %s"):format(options.of))
  end
  return expected
end

--- A short form of a value for reasons, quoted, on one line.
---@param value any
---@return string
function operands.show(value)
  local shown = type(value) == "string" and value or operands.as_text(value)
  shown = native_text.cut(shown, 80, "...")
  return type(value) == "string" and ('"%s"'):format(shown) or shown
end

return operands
