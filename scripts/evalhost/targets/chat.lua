-- targets/chat.lua: a model with tools as the target: the agent loop.

local fiber = require "evalhost.native.fiber"
local json = require "evalhost.native.json"
local check = require "evalhost.check"
local errors = require "evalhost.http_errors"
local providers = require "evalhost.providers"
local targets = require "evalhost.targets"
local tool_calls = require "evalhost.targets.tool_calls"

local fields = {
  model = "string", system = "string", tools = "list", temperature = "number",
  max_tokens = "integer", max_turns = { "integer", 10 }, stream = { "boolean", false },
  provider = { "string", "openai" }, base_url = "string", api_key_env = "string",
  messages = "function",
}

local WHAT = "eval.targets.chat"

local function check_tools(list, level)
  local by_name, names = {}, {}
  for i, tool in ipairs(list or {}) do
    local at = ("%s: tools[%d]"):format(WHAT, i)
    if type(tool) ~= "table" or type(tool.name) ~= "string" or tool.name == "" then
      error(at .. " must be a table with a name", level + 1)
    elseif not check.is_callable(tool.run) then
      error(("%s (%s): run must be a function"):format(at, tool.name), level + 1)
    elseif tool.parameters ~= nil and type(tool.parameters) ~= "table" then
      error(("%s (%s): parameters must be a JSON Schema"):format(at, tool.name), level + 1)
    elseif by_name[tool.name] then
      error(("%s: a second tool named %s"):format(at, tool.name), level + 1)
    end
    by_name[tool.name] = tool
    names[i] = tool.name
  end
  return by_name, names
end

local function content_of(input)
  if type(input) == "table" then
    return json.encode(input, { repair = true }) or ""
  end
  return tostring(input == nil and "" or input)
end

local function is_messages(input)
  return type(input) == "table" and type(input[1]) == "table" and type(input[1].role) == "string"
end

--- The conversation as it begins: the suite's messages, else the case's input, which is a text or a
--- list of messages; the system prompt goes first unless there is one.
---@param o table the target's options
---@param case table
---@return table[]
local function first_messages(o, case)
  local list, given = {}, { { role = "user", content = content_of(case.input) } }
  if o.messages then
    given = o.messages(case)
    if type(given) ~= "table" then
      error(WHAT .. ": messages must return a list of messages", 0)
    end
  elseif is_messages(case.input) then
    given = case.input
  end
  if o.system and not (given[1] and given[1].role == "system") then
    list[1] = { role = "system", content = o.system }
  end
  for _, message in ipairs(given) do
    list[#list + 1] = message
  end
  return list
end

-- Sums what each turn reported; one turn without a report, and the sum would be wrong: no usage.
local function add_usage(state, usage)
  local sum = state.usage
  if not usage or not sum then
    state.usage = nil
    return
  end
  for key, value in pairs(usage) do
    sum[key] = (sum[key] or 0) + value
  end
end

local function outcome_of(state, completion)
  local usage = state.usage
  local flags = {}
  for _, list in ipairs { completion and completion.flags or {}, state.flags } do
    for _, flag in ipairs(list) do
      flags[#flags + 1] = flag
    end
  end
  return {
    answer = completion and completion.text or nil,
    other_parts = completion and completion.other_parts or nil,
    tool_calls = json.array(state.calls),
    usage = usage and next(usage) and usage or nil,
    messages = state.messages,
    model = state.model,
    flags = flags,
  }
end

local function fail(state, err)
  err.partial = outcome_of(state)
  return nil, err
end

local function add_flag(state, flag)
  for _, known in ipairs(state.flags) do
    if known == flag then
      return
    end
  end
  state.flags[#state.flags + 1] = flag
end

local function run_calls(o, state, completion, ctx)
  state.messages[#state.messages + 1] = o.api.assistant(completion)
  for _, call in ipairs(completion.tool_calls) do
    local record, content, flag = tool_calls.run(o.by_name, call, ctx)
    state.calls[#state.calls + 1] = record
    state.messages[#state.messages + 1] = o.api.tool_result(call, content)
    if flag then
      add_flag(state, flag)
    end
  end
end

local function converse(o, settings, state, ctx)
  for _ = 1, o.max_turns do
    local completion, err = o.api.complete(settings, {
      messages = state.messages, tools = o.tools, temperature = o.temperature,
      max_tokens = o.max_tokens, stream = o.stream,
    })
    if not completion then
      return fail(state, err)
    end
    state.model = completion.model or settings.model
    add_usage(state, completion.usage)
    if tool_calls.limit(completion, #state.calls) then
      add_flag(state, "tool_calls_truncated")
    end
    if #completion.tool_calls == 0 then
      state.messages[#state.messages + 1] = o.api.assistant(completion)
      return outcome_of(state, completion)
    end
    run_calls(o, state, completion, ctx)
  end
  return fail(state, errors.new("max_turns",
    ("the model still called tools after %d turns"):format(o.max_turns)))
end

---@class evalhost.targets.ChatOptions
---@field model string|nil else OPENAI_MODEL
---@field system string|nil the system prompt
---@field tools table[]|nil { name, description, parameters = JSON Schema, run = function(args,
--- ctx) -> value | nil, err }
---@field temperature number|nil
---@field max_tokens integer|nil
---@field max_turns integer|nil model calls per case, 10
---@field stream boolean|nil
---@field provider string|nil "openai"
---@field base_url string|nil else OPENAI_BASE_URL
---@field api_key_env string|nil the variable that holds the key, OPENAI_API_KEY
---@field messages (fun(case: table): table[])|nil the conversation, instead of the case's input

--- A model as the target. Its tool calls run one after the other, in the order in which it made
--- them; what a tool returns, and what goes wrong in it, is told to the model. Ends with the first
--- turn without tool calls. Errors: those of the HTTP client, `max_turns`; err.partial is the
--- outcome so far.
---@param options evalhost.targets.ChatOptions
---@return evalhost.Target
return function(options)
  local o = check.options(options, fields, WHAT)
  local names
  if o.max_turns < 1 then
    error(WHAT .. ": max_turns must be at least 1", 2)
  end
  o.api = providers.get(o.provider, WHAT, 2)
  o.by_name, names = check_tools(o.tools, 2)
  return targets.describe {
    kind = "chat",
    tools = names,
    model = o.model,
    requires = function()
      local settings, err = providers.settings(o)
      if not settings then
        return nil, err
      end
      return true
    end,
    fn = function(case, ctx)
      local settings, err = providers.settings(o)
      if not settings then
        return nil, err
      end
      fiber.locals().phase = nil
      return converse(o, settings, {
        messages = first_messages(o, case), calls = {}, flags = {}, usage = {},
      }, ctx)
    end,
  }
end
