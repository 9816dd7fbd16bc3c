-- init.lua: `require "evalhost"`: everything that suites use, in one table.

local all = require "evalhost.all"
local cases = require "evalhost.cases"
local check = require "evalhost.check"
local fiber = require "evalhost.native.fiber"
local fs = require "evalhost.native.fs"
local json = require "evalhost.native.json"
local metric = require "evalhost.metric"
local os_ = require "evalhost.native.os"
local paths = require "evalhost.paths"
local suite = require "evalhost.suite"
local values = require "evalhost.values"

---@class evalhost
---@field metrics evalhost.metrics what can be measured natively
---@field judges evalhost.judges metrics whose value a model gives, or the built-in judge
---@field targets evalhost.targets ready-made systems under test
---@field columns table<string, table> mappings from rows to cases
---@field http evalhost.http
---@field csv evalhost.csv
---@field stats evalhost.native.stats
---@field text evalhost.native.text
local eval = {}

-- Loaded when first used, so that a small suite starts quickly.
local lazy = {
  columns = "evalhost.columns", csv = "evalhost.csv", http = "evalhost.http",
  judges = "evalhost.judges", metrics = "evalhost.metrics", process = "evalhost.native.process",
  stats = "evalhost.native.stats", targets = "evalhost.targets", text = "evalhost.native.text",
}

setmetatable(eval, {
  __index = function(_, name)
    local module = lazy[name]
    if not module then
      local known = {}
      for key in pairs(lazy) do
        known[#known + 1] = key
      end
      for key in pairs(eval) do
        known[#known + 1] = key
      end
      error(("eval.%s does not exist%s"):format(tostring(name), check.hint(name, known)), 2)
    end
    local value = require(module)
    rawset(eval, name, value)
    return value
  end,
})

eval.all = all
eval.suite = suite.new
eval.cases = cases.new
eval.metric = metric.new
eval.unscored = metric.unscored
eval.scored = values.scored
eval.path = paths.resolve

--- Waits without blocking other cases. The time counts as active work.
---@async
---@param seconds number
eval.sleep = fiber.sleep

--- The text of a file, relative to the suite's folder. Raises when it cannot be read.
---@param path string
---@return string
function eval.read(path)
  local text, err = fs.read(paths.resolve(path))
  if not text then
    error(("eval.read(\"%s\"): %s"):format(path, err.message), 2)
  end
  return text
end

--- An environment variable, else the default, else nil. An empty variable counts as absent.
---@param name string
---@param default string|nil
---@return string|nil
function eval.env(name, default)
  local value = os_.env(name)
  if value == nil or value == "" then
    return default
  end
  return value
end

---@class evalhost.json: evalhost.native.json
eval.json = setmetatable({}, { __index = json })

--- The value of a JSON file, relative to the suite's folder. Raises, naming file, line and column,
--- when it is missing or malformed.
---@param path string
---@return any
function eval.json.load(path)
  local text, err = fs.read(paths.resolve(path))
  if not text then
    error(("eval.json.load(\"%s\"): %s"):format(path, err.message), 2)
  end
  local value, problem = json.decode(text, { bom = true })
  if value == nil then
    error(("%s:%d:%d: %s"):format(path, problem.line, problem.column, problem.message), 2)
  end
  return value
end

return eval
