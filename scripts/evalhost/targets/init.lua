-- targets/init.lua: the targets that come with the library, and how one is described.

local check = require "evalhost.check"

local targets = {}

---@class evalhost.Target a callable table
---@field fn fun(case: table, ctx: table): table|string|nil, any
---@field kind string "chat", "http", "function"
---@field tools string[]|nil the names of the tools that it knows
---@field model string|nil
---@field requires (fun(): boolean|nil, table|nil)|nil asked before the first case
local Target = {}
Target.__index = Target
Target.__name = "evalhost.target"

function Target:__call(case, ctx)
  return self.fn(case, ctx)
end

--- Describes a function as a target. `requires` says before any case whether it can work at all
--- (true), or why not (nil, err): a key that is not set.
---@param options table fn, kind, tools, model, requires: the fields of a target
---@return evalhost.Target
function targets.describe(options)
  local fields = check.options(options, {
    fn = "function", kind = { "string", "function" }, tools = "list", model = "string",
    requires = "function",
  }, "eval.target")
  if fields.fn == nil then
    error("eval.target: the function is missing (fn = ...)", 2)
  end
  return setmetatable(fields, Target)
end

---@param value any
---@return boolean
function targets.is(value)
  return getmetatable(value) == Target
end

--- Can the target work at all (its key is set)? True, or nil and why not.
---@param target any
---@return boolean|nil
---@return table|nil err
function targets.ready(target)
  if targets.is(target) and target.requires then
    return target.requires()
  end
  return true
end

--- The names of the tools that a target knows; nil if it does not say. A plain table with `tools`
--- will do as well: a list of names, or of tables with a name.
---@param target any
---@return string[]|nil
function targets.tool_names(target)
  local tools = type(target) == "table" and target.tools
  if type(tools) ~= "table" then
    return nil
  end
  local names = {}
  for _, tool in ipairs(tools) do
    names[#names + 1] = type(tool) == "table" and tool.name or tool
  end
  return names
end

return setmetatable(targets, {
  __index = function(t, name) -- chat and http need describe: load them late
    if name == "chat" or name == "http" then
      local made = require("evalhost.targets." .. name)
      rawset(t, name, made)
      return made
    end
  end,
})
