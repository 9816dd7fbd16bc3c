-- values.lua: `m`, the metric values that formulas read. It is strict: an unscored metric makes
-- the formula unscored, a name that does not exist is an error of the suite.

local check = require "evalhost.check"

local values = {}

-- What reading an unscored metric raises. `code` keeps it whole on its way through handlers.
local SIGNAL = "unscored_read"

-- The key of its state in an m; nobody else has it.
local STATE = {}

local function state_of(m)
  return rawget(m, STATE)
end

---@class evalhost.Values
---@field [string] number

local function names(results)
  local list = {}
  for name in pairs(results) do
    list[#list + 1] = name
  end
  table.sort(list)
  return list
end

local function detail(m, name)
  local results = state_of(m).results
  local result = results[name]
  if not result then
    error(("m:detail(\"%s\"): no such metric%s"):format(tostring(name),
      check.hint(name, names(results))), 2)
  end
  return result.detail
end

local meta = { __name = "evalhost.values" }

function meta.__index(m, name)
  local state = state_of(m)
  local result = state.results[name] or name == "score" and state.score or nil
  if result == nil then
    if name == "detail" then
      return detail
    end
    error(("m.%s: the suite has no such metric%s"):format(tostring(name),
      check.hint(name, names(state.results))), 2)
  end
  if result.value == nil then
    state.read = state.read or name
    error({ code = SIGNAL, metric = name, message = ("%s is unscored: %s"):format(name,
      result.reason or result.unscored) }, 2)
  end
  return result.value
end

function meta.__newindex(_, name)
  error(("m.%s: metric values cannot be assigned"):format(tostring(name)), 2)
end

--- Values of one case. results: NAME -> { value | unscored, reason, detail }; score, if given, is
--- one more of them.
---@param results table<string, table>
---@param score table|nil
---@return evalhost.Values
function values.new(results, score)
  return setmetatable({ [STATE] = { results = results, score = score } }, meta)
end

--- The first unscored metric that was read, even when the formula hid that with a pcall.
---@param m evalhost.Values
---@return string|nil
function values.unscored_read(m)
  return state_of(m).read
end

--- Asks without raising.
---@param m evalhost.Values
---@param name string
---@return boolean
function values.scored(m, name)
  local state = getmetatable(m) == meta and state_of(m)
  local result = state and state.results[name]
  return result ~= nil and result.value ~= nil
end

return values
