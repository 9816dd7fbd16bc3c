-- providers/init.lua: the model APIs that targets and judges can speak, by name.
--
-- A provider is a table of functions:
--   settings(options)           -> settings | nil, err   where to ask, with which key and model
--   complete(settings, request) -> completion | nil, err one model call, with retries
--   assistant(completion)       -> message               the model's turn, to send back
--   tool_result(call, text)     -> message               the answer to one of its tool calls
-- so a dialect is added by adding a file, and its name below.

local check = require "evalhost.check"

---@class evalhost.provider.Options
---@field model string|nil
---@field base_url string|nil
---@field api_key_env string|nil the name of the environment variable that holds the key

---@class evalhost.provider.Request
---@field messages table[]
---@field tools table[]|nil { name, description, parameters }
---@field temperature number|nil
---@field max_tokens integer|nil
---@field schema { name: string, schema: table }|nil the reply must be one such JSON object
---@field stream boolean|nil

---@class evalhost.provider.Call
---@field id string
---@field name string
---@field arguments string as the model wrote them

---@class evalhost.provider.Completion
---@field text string|nil
---@field flags string[] refused, truncated_output
---@field tool_calls evalhost.provider.Call[]
---@field usage { input_tokens: integer, output_tokens: integer, total_tokens: integer }|nil
---@field model string|nil
---@field finish_reason string|nil
---@field other_parts string[]|nil kinds of content that are not text

local providers = {}

local names = { "openai" }

--- The provider of that name; raises at `level` for an unknown one.
---@param name string
---@param what string the function's name, for the message
---@param level integer|nil
---@return table
function providers.get(name, what, level)
  for _, known in ipairs(names) do
    if known == name then
      return require("evalhost.providers." .. known)
    end
  end
  error(("%s: unknown provider '%s'%s"):format(what, name, check.hint(name, names)),
    (level or 1) + 1)
end

local settled = setmetatable({}, { __mode = "k" })

--- Where and how a target or judge asks its model: settled once, at its first use. A failure (no
--- key) is not kept.
---@param o table its options, with `api`
---@return table|nil settings
---@return table|nil err
function providers.settings(o)
  local settings = settled[o]
  if settings then
    return settings
  end
  local made, err = o.api.settings(o)
  settled[o] = made
  return made, err
end

return providers
