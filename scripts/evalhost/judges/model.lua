-- judges/model.lua: a metric whose value a model gives: asks, reads the verdict, asks once more if
-- it cannot be used; then unscored, with the reason. Shared by all judges.

local native = require "evalhost.native.ground"
local json = require "evalhost.native.json"
local system = require "evalhost.native.os"
local check = require "evalhost.check"
local evidence = require "evalhost.evidence"
local metric = require "evalhost.metric"
local prompt = require "evalhost.judges.prompt"
local providers = require "evalhost.providers"
local verdict = require "evalhost.judges.verdict"

local model = {}

local TRIES = 2   -- of verdicts; the HTTP client has its own for broken replies
local LOW = 0.7   -- below it, absent keywords are named

local fields = {
  model = "string", temperature = "number", base_url = "string", api_key_env = "string",
  prompt = "string", max_tokens = "integer", echo = { "boolean", false },
}

local function has_flag(list, name)
  for _, flag in ipairs(list) do
    if flag == name then
      return true
    end
  end
  return false
end

local function add_flag(outcome, name)
  if outcome.flags and not has_flag(outcome.flags, name) then
    outcome.flags[#outcome.flags + 1] = name
  end
end

-- What stands in the way of reading a verdict in this reply.
local function unusable(completion)
  if has_flag(completion.flags, "refused") then
    return metric.unscored("judge_refused", "the judge refused: " .. (completion.text or ""))
  elseif has_flag(completion.flags, "truncated_output") then
    return metric.unscored("judge_truncated", "the judge's verdict was cut at its length limit")
  end
end

local function unscored(err)
  local code = err.code:find "^judge_" and err.code or "judge_" .. err.code
  return metric.unscored(code, err.message)
end

-- One call: a verdict; or nil and why not; true at the end if another call may help.
local function once(kind, o, settings, data)
  local token = o.echo and prompt.random_name() or nil
  local form = token and setmetatable({ token = token }, { __index = kind.form }) or kind.form
  local completion, err = o.api.complete(settings, {
    messages = prompt.messages(o.prompt or kind.instructions, data, token),
    temperature = o.temperature,
    max_tokens = o.max_tokens,
    schema = token and prompt.schema(kind.name, form, kind.order) or o.schema,
  })
  if not completion then
    return nil, unscored(err), false
  end
  local problem = unusable(completion)
  if problem then
    return nil, problem, true
  end
  local read, why = verdict.read(completion.text, form)
  if not read then
    return nil, unscored(why), true
  end
  return read
end

local function ask(kind, o, settings, data)
  local read, problem, again
  for _ = 1, TRIES do
    read, problem, again = once(kind, o, settings, data)
    if read or not again then
      break
    end
  end
  return read, problem
end

-- The seed's hint: why a low value may surprise.
local function with_absent(reason, value, case, outcome)
  local keywords = evidence.keywords(case)
  if value >= LOW or #keywords == 0 then
    return reason
  end
  local _, absent = native.keywords(outcome.answer, keywords)
  if #absent == 0 then
    return reason
  end
  return ("%s\nexpected keywords not in the answer: %s"):format(reason, table.concat(absent, ", "))
end

local function detail_of(kind, read)
  local detail
  for key, number in pairs(read.numbers) do
    if key ~= kind.form.value then
      detail = detail or {}
      detail[key] = number
    end
  end
  return detail
end

local function judge(kind, o, case, outcome)
  if evidence.blank(outcome.answer) then
    return { value = 0, reason = "blank answer" }
  end
  local settings, err = providers.settings(o)
  if not settings then
    return unscored(err)
  end
  if verdict.looks_like(outcome.answer, kind.form) then
    add_flag(outcome, "verdict_in_answer")
  end
  local read, problem = ask(kind, o, settings, kind.data(case, outcome))
  if not read then
    return problem
  elseif read.coerced then
    add_flag(outcome, "coerced")
  end
  return {
    value = read.value,
    reason = with_absent(read.texts.reasoning, read.value, case, outcome),
    detail = detail_of(kind, read),
  }
end

local function env(name)
  local value = system.env(name)
  return value ~= "" and value or nil
end

---@class evalhost.judges.Options
---@field model string|nil else OPENAI_MODEL, else the judge's own
---@field temperature number|nil
---@field base_url string|nil else OPENAI_BASE_URL
---@field api_key_env string|nil the variable that holds the key, OPENAI_API_KEY
---@field prompt string|nil replaces the built-in instructions
---@field max_tokens integer|nil
---@field echo boolean|nil the judge must repeat a token of each call

---@class evalhost.judges.Kind
---@field name string
---@field label string
---@field help string
---@field model string the model where nobody names one
---@field temperature number
---@field instructions string
---@field form evalhost.verdict.Form
---@field order string[] the keys of its numbers
---@field data fun(case: table, outcome: table): table what is judged
---@field builtin fun(case: table, outcome: table): any the model-free replacement
---@field meanings table|nil

--- A judge of this kind with a suite's options. Mistakes in them are reported where the caller's
--- caller stands.
---@param kind evalhost.judges.Kind
---@param options evalhost.judges.Options|nil
---@return evalhost.Metric
function model.judge(kind, options)
  local o = check.options(options, fields, "eval.judges." .. kind.name, 3)
  o.model = o.model or env "OPENAI_MODEL" or kind.model
  o.temperature = o.temperature or kind.temperature
  o.schema = prompt.schema(kind.name, kind.form, kind.order)
  o.api = providers.get("openai", "eval.judges." .. kind.name)
  return metric.describe {
    label = kind.label,
    help = kind.help,
    range = { 0, 1 },
    meanings = kind.meanings,
    fn = function(case, outcome)
      return judge(kind, o, case, outcome)
    end,
    judge = {
      model = o.model,
      base_url = o.base_url,
      api_key_env = o.api_key_env or "OPENAI_API_KEY",
      provider = "openai",
      settings = function()
        return providers.settings(o)
      end,
      builtin = function(case, outcome)
        if evidence.blank(outcome.answer) then
          return { value = 0, reason = "blank answer" }
        end
        return kind.builtin(case, outcome)
      end,
    },
  }
end

--- What every judge is shown: the question, the tools' outputs with their arguments, the answer.
---@param case table
---@param outcome table
---@return table
function model.data(case, outcome)
  local calls = {}
  for i, call in ipairs(outcome.tool_calls or {}) do
    calls[i] = {
      tool = call.name, arguments = call.arguments, result = call.result, error = call.error,
    }
  end
  return {
    query = evidence.query(case),
    tool_outputs = json.array(calls),
    response = outcome.answer,
  }
end

return model
