-- metric.lua: what a metric is: a callable with a description; and what it may return.

local check = require "evalhost.check"
local fiber = require "evalhost.native.fiber"
local json = require "evalhost.native.json"

local metric = {}

local REPAIR = { repair = true } -- of invalid UTF-8

local math_type = math.type

---@class evalhost.Metric
---@field fn fun(case: table, outcome: table, ctx: table): any, string?, table?
---@field range {[1]: number, [2]: number}|nil the values it may take; nil = any finite number
---@field better "higher"|"lower"
---@field label string|nil how tables name it
---@field help string|nil one line
---@field unit string|nil such as "ms"
---@field meanings {good: string, acceptable: string, needs_work: string}|nil
---@field judge table|nil present on judges: model, base_url, api_key_env, builtin
---@field serial integer order of construction
local Metric = {}
Metric.__index = Metric
Metric.__name = "evalhost.metric"

function Metric:__call(case, outcome, ctx)
  return self.fn(case, outcome, ctx)
end

local serial = 0

local function is_range(range)
  local low, high = range[1], range[2]
  return type(low) == "number" and type(high) == "number" and low <= high
end

local FIELDS = {
  fn = "function", [1] = "function", range = "table", better = { "string", "higher" },
  label = "string", help = "string", unit = "string", meanings = "table", judge = "table",
}

-- level: whose mistake it is; 2 is the caller's.
local function describe(options, level)
  local fields = check.options(options, FIELDS, "eval.metric", level + 1)
  local fn = fields.fn or fields[1]
  if fn == nil then
    error("eval.metric: the function is missing (fn = ...)", level + 1)
  elseif fields.range and not is_range(fields.range) then
    error("eval.metric: range must be { LOW, HIGH }, two numbers in order", level + 1)
  elseif fields.better ~= "higher" and fields.better ~= "lower" then
    error("eval.metric: better must be \"higher\" or \"lower\"", level + 1)
  end
  serial = serial + 1
  fields[1], fields.fn, fields.serial = nil, fn, serial
  return setmetatable(fields, Metric)
end

--- Describes a function as a metric. A plain function is a metric too, of any finite range.
---@param options table
---@return evalhost.Metric
function metric.describe(options)
  local described = describe(options, 2)
  return described
end

--- eval.metric: what a suite describes; its label is what tables show.
---@param options table
---@return evalhost.Metric
function metric.new(options)
  local described = describe(options, 2)
  described.suite_label = described.label
  return described
end

---@param value any
---@return boolean
function metric.is(value)
  return getmetatable(value) == Metric
end

---@class evalhost.Unscored
---@field code string
---@field message string
local Unscored = {}
Unscored.__index = Unscored
Unscored.__name = "evalhost.unscored"
function Unscored:__tostring()
  return self.message
end

--- A value that says: this could not be measured. One argument is the reason; with two, the first
--- is its code.
---@param code string
---@param message string|nil
---@return evalhost.Unscored
function metric.unscored(code, message)
  if type(code) ~= "string" then
    error("eval.unscored: the reason must be a string", 2)
  end
  local text = message or code
  return setmetatable({ code = message and code or "unscored", message = text }, Unscored)
end

---@param value any
---@return boolean
function metric.is_unscored(value)
  return getmetatable(value) == Unscored
end

local function scored(value, reason, detail)
  return { value = value, reason = reason, detail = detail }
end

local function broken(code, message)
  return { unscored = code, reason = message }
end

local function safe_reason(reason)
  if reason == nil or type(reason) == "string" then
    return reason
  end
  return fiber.text(reason)
end

--- What a metric returned, as the record keeps it: { value, reason, detail } or
--- { unscored = code, reason }. Values outside of the declared range are unscored, never clamped.
---@param described evalhost.Metric|function
---@return table
function metric.result(described, value, reason, detail)
  local range = getmetatable(described) == Metric and described.range
  if value == true or value == false then
    value = value and 1 or 0
  end
  if range and math_type(value) and value >= range[1] and value <= range[2] and detail == nil
    and (reason == nil or type(reason) == "string") then
    return { value = value, reason = reason } -- as it should be
  end
  if type(value) == "table" and not metric.is_unscored(value) then
    value, reason, detail = value.value, value.reason or reason, value.detail or detail
  end
  reason = safe_reason(reason)
  if metric.is_unscored(value) then
    return broken(value.code, value.message)
  elseif value == nil then
    return broken("scorer_nil", reason or "the metric returned nil")
  elseif type(value) == "boolean" then
    value = value and 1 or 0
  elseif type(value) ~= "number" then
    return broken("scorer_type", ("the metric returned a %s, not a number"):format(type(value)))
  end
  if value ~= value or value == math.huge or value == -math.huge then
    return broken("scorer_nan", ("the metric returned %s"):format(value))
  end
  if range and (value < range[1] or value > range[2]) then
    return broken("scorer_range", ("the metric returned %.14g, outside of its range %.14g to %.14g")
      :format(value, range[1], range[2]))
  end
  if type(detail) ~= "table" then
    return scored(value, reason)
  end
  local _, err = json.encode(detail, REPAIR)
  if err then
    return broken("scorer_detail", ("the metric's detail cannot be kept as JSON: %s"):format(
      err.message))
  end
  return scored(value, reason, detail)
end

return metric
