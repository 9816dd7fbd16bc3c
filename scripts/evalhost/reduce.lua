-- reduce.lua: several attempts at one case become one result. A single attempt stays as it is.

local json = require "evalhost.native.json"

local reduce = {}

local function median(list)
  table.sort(list)
  local middle = (#list + 1) / 2
  return (list[math.floor(middle)] + list[math.ceil(middle)]) / 2
end

local function mean(list)
  local sum = 0
  for _, value in ipairs(list) do
    sum = sum + value
  end
  return sum / #list
end

local reducers = {
  mean = mean, median = median, majority = mean, at_least_k = mean,
  max = function(list) return math.max(table.unpack(list)) end,
}

local function numbers(attempts, get)
  local list = {}
  for _, attempt in ipairs(attempts) do
    local value = get(attempt)
    if type(value) == "number" then
      list[#list + 1] = value
    end
  end
  return list
end

-- Attempts without a verdict (errors, unscored) are neither passes nor fails: the case is decided
-- when the rest decides it whatever they would have been, and else has their verdict.
local function verdict(attempts, repeats)
  local counts = {}
  for _, attempt in ipairs(attempts) do
    counts[attempt.verdict] = (counts[attempt.verdict] or 0) + 1
  end
  local n, passed, failed = #attempts, counts.pass or 0, counts.fail or 0
  if repeats.reduce == "at_least_k" then
    if passed >= repeats.k then
      return "pass"
    elseif n - failed < repeats.k then
      return "fail"
    end
  elseif passed * 2 > n then
    return "pass"
  elseif failed > 0 and failed * 2 >= n then
    return "fail"
  end
  for _, name in ipairs { "error", "unscored", "cancelled", "scored" } do
    if counts[name] then
      return name
    end
  end
  return "fail"
end
reduce.verdict = verdict

-- attempts: { verdict, score, m, d, l, c, i, o, t }
local function combine(attempts, repeats)
  local first = attempts[1]
  if #attempts == 1 then
    return { verdict = first.verdict, score = first.score, m = first.m, d = first.d,
      attempts = attempts, id = first.id }
  end
  local fold = reducers[repeats.reduce]
  local function folded(get)
    local list = numbers(attempts, get)
    return #list > 0 and fold(list) or nil
  end
  local function all(field)
    local result = {}
    for _, attempt in ipairs(attempts) do
      for name in pairs(attempt[field] or {}) do
        if result[name] == nil then
          result[name] = folded(function(one) return one[field] and one[field][name] end)
            or json.null
        end
      end
    end
    return result
  end
  return { verdict = verdict(attempts, repeats), m = all "m", d = all "d", id = first.id,
    score = folded(function(one) return one.score end), attempts = attempts }
end

--- Streams the cases of a stored run: { id, verdict, score, m, d, attempts }, in order, for a
--- generic for. With { records = true } each attempt has its canonical case as `record`.
---@param stored evalhost.native.store.run
---@param repeats { n: integer, reduce: string, k: integer|nil }
---@param options { records: boolean }|nil
---@return fun(): table|nil
function reduce.cases(stored, repeats, options)
  local step, _, _, closing = stored:results(options or { records = false })
  local function read()
    local index, _, id, case_verdict, score, figures, text = step()
    if index == nil then
      return nil
    end
    local attempt = assert(json.decode(figures))
    attempt.index, attempt.id, attempt.verdict = index, id, case_verdict
    attempt.score, attempt.record = score, text
    return attempt
  end
  local ahead = read()
  return function()
    if not ahead then
      return nil
    end
    local attempts = {}
    repeat
      attempts[#attempts + 1] = ahead
      ahead = read()
    until not ahead or ahead.index ~= attempts[1].index
    return combine(attempts, repeats)
  end, nil, nil, closing
end

return reduce
