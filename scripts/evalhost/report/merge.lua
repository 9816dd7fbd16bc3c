-- report/merge.lua: the canonical case of several attempts.

local json = require "evalhost.native.json"
local record = require "evalhost.record"

local merge = {}

-- What stands at the case already.
local SHARED = { "id", "input", "expected", "metadata", "attempts" }

-- The attempt that speaks for the case: the first with the case's verdict.
local function leader(attempts, verdict)
  for _, attempt in ipairs(attempts) do
    if attempt.verdict == verdict then
      return attempt
    end
  end
  return attempts[1]
end

local function union(attempts)
  local flags, seen = json.array(), {}
  for _, attempt in ipairs(attempts) do
    for _, flag in ipairs(attempt.flags) do
      if not seen[flag] then
        seen[flag] = true
        flags[#flags + 1] = flag
      end
    end
  end
  return flags
end

local function cost(attempts)
  local sum
  for _, attempt in ipairs(attempts) do
    if type(attempt.cost_usd) == "number" then
      sum = (sum or 0) + attempt.cost_usd
    end
  end
  return sum
end

local function metrics(lead, folded)
  local result = {}
  for name, given in pairs(lead.metrics) do
    local value = folded[name]
    result[name] = { value = value, reason = given.reason, detail = given.detail,
      judge = given.judge, unscored = value == json.null and given.unscored or nil }
  end
  for name, value in pairs(folded) do -- measured by another attempt only
    result[name] = result[name] or { value = value }
  end
  return result
end

--- Attempts at one case as one: verdict, score and metrics as reduced, the rest from the first
--- attempt with that verdict; `repeat` is their number.
---@param reduced table what reduce.cases gives, with records
---@return table case
function merge.case(reduced)
  local attempts = json.array()
  for i, attempt in ipairs(reduced.attempts) do
    attempts[i] = assert(json.decode(attempt.record))
  end
  local lead = leader(attempts, reduced.verdict)
  local case = {}
  for key, value in pairs(lead) do
    case[key] = value
  end
  case["repeat"], case.verdict, case.score = #attempts, reduced.verdict, reduced.score
  case.metrics, case.flags = metrics(lead, reduced.m), union(attempts)
  case.cost_usd = cost(attempts)
  for _, attempt in ipairs(attempts) do
    for _, key in ipairs(SHARED) do
      attempt[key] = nil
    end
    record.mark_attempt(attempt)
  end
  case.attempts = attempts
  return record.mark(case)
end

return merge
