-- targets/tool_calls.lua: one tool call of a model: its arguments read, its tool run, what came out
-- recorded and put into words for the model.

local fiber = require "evalhost.native.fiber"
local json = require "evalhost.native.json"
local system = require "evalhost.native.os"
local check = require "evalhost.check"
local outcome = require "evalhost.outcome"
local secrets = require "evalhost.secrets"

local tool_calls = {}

--- So many calls of a case are run and recorded.
tool_calls.most = 256

--- Drops the calls of a reply that are too many. True if there were any.
---@param completion evalhost.provider.Completion
---@param had integer calls so far
---@return boolean
function tool_calls.limit(completion, had)
  local room = tool_calls.most - had
  local calls = completion.tool_calls
  if #calls <= room then
    return false
  end
  for i = #calls, room + 1, -1 do
    calls[i] = nil
  end
  return true
end

local function names_of(by_name)
  local names = {}
  for name in pairs(by_name) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- ok, value or message. A deadline of the case passes through; all else that a tool throws is the
-- tool's error.
local function protected(tool, args, ctx)
  local locals = fiber.locals()
  locals.phase = "tool"
  local ok, value, problem = fiber.timeout(math.huge, tool.run, args, ctx)
  locals.phase = nil
  if not ok then
    return false, fiber.text(value)
  elseif value == nil and problem ~= nil then
    return false, fiber.text(problem)
  end
  return true, value
end

-- The text that the model gets, or nil and why there is none.
local function told(value)
  if type(value) == "string" then
    return value
  elseif value == nil then
    return "null"
  end
  local encoded, err = json.encode(value, { repair = true })
  if not encoded then
    return nil, "the tool's result cannot be written as JSON: " .. err.message
  end
  return encoded
end

-- The tool to run, or nil and why there is none.
local function find(by_name, record)
  local tool = by_name[record.name]
  if not tool then
    return nil, ("unknown tool: %s%s"):format(record.name,
      check.hint(record.name, names_of(by_name)))
  elseif record.args_unparseable then
    return nil, "the arguments are not a JSON object"
  end
  return tool
end

--- Runs one call. Whatever goes wrong goes into the record's `error`, and to the model as
--- {"error": ...}.
---@async
---@param by_name table<string, table> the tools
---@param call evalhost.provider.Call
---@param ctx table|nil handed to the tool
---@return table record { name, arguments, result, error, latency_ms, args_unparseable }
---@return string content
---@return string|nil flag double_encoded, args_unparseable
function tool_calls.run(by_name, call, ctx)
  local args, flag = outcome.arguments(call.arguments)
  local record = { name = call.name, arguments = args or call.arguments }
  record.args_unparseable = args == nil or nil
  local tool, problem = find(by_name, record)
  local content
  local start = system.mono()
  if tool then
    local ok, value = protected(tool, args, ctx)
    if ok then
      content, problem = told(value)
    else
      problem = value
    end
    record.result = content and value or nil
  end
  record.latency_ms = (system.mono() - start) * 1000
  if problem then
    record.error = secrets.redact(problem)
    content = json.encode({ error = record.error }, { repair = true })
  end
  return record, content, flag
end

return tool_calls
