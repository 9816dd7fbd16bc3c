-- bounds.lua: bounds on figures: 0.7 means >= 0.7; "> 0.80", "<= 5000", "== 1" say it in full.

local bounds = {}

-- Two numbers this close count as equal, so that 0.1 + 0.2 >= 0.3 holds.
local EPSILON = 1e-12

local OPERATORS = { [">"] = true, [">="] = true, ["<"] = true, ["<="] = true, ["=="] = true }

---@class evalhost.Bound
---@field op string one of > >= < <= ==
---@field limit number

--- Reads a bound as a suite writes it.
---@param spec number|string
---@return evalhost.Bound|nil
---@return string|nil problem
function bounds.parse(spec)
  if type(spec) == "number" then
    if spec ~= spec then
      return nil, "a bound cannot be NaN"
    end
    return { op = ">=", limit = spec }
  elseif type(spec) == "string" then
    local op, number = spec:match "^%s*([<>=]+)%s*(.-)%s*$"
    local limit = tonumber(number)
    if op and OPERATORS[op] and limit then
      return { op = op, limit = limit }
    end
    return nil, ("'%s' is no bound; write a number, or \"> 0.8\", \">= 0.8\", \"< 1\", \"<= 1\" "
      .. "or \"== 1\""):format(spec)
  end
  return nil, ("a bound is a number or a string such as \"> 0.8\", got a %s"):format(type(spec))
end

---@param bound evalhost.Bound
---@param value number
---@return boolean
function bounds.met(bound, value)
  local equal = math.abs(value - bound.limit) <= EPSILON
  if bound.op == ">=" then
    return equal or value > bound.limit
  elseif bound.op == "<=" then
    return equal or value < bound.limit
  elseif bound.op == "==" then
    return equal
  elseif bound.op == ">" then
    return not equal and value > bound.limit
  end
  return not equal and value < bound.limit
end

---@param bound evalhost.Bound
---@return string such as ">= 0.7"
function bounds.text(bound)
  return ("%s %.14g"):format(bound.op, bound.limit)
end

return bounds
