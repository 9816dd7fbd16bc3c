-- metrics/text.lua: plain checks of a text.
--
-- Each looks at the outcome's answer, or at the field that `of` names; numbers and tables are seen
-- as JSON. A blank or missing answer is measured like any other.

local json = require "evalhost.native.json"
local native = require "evalhost.native.text"
local check = require "evalhost.check"
local embedded = require "evalhost.embedded_json"
local metric = require "evalhost.metric"
local operands = require "evalhost.metrics.operands"

local text = {}

local function options_of(given, name, fields)
  fields.of = { "string", "answer" }
  local checked = check.options(given, fields, "eval.metrics." .. name, 3)
  return checked -- no tail call: the level of errors counts frames
end

local function describe(label, help, fn)
  return metric.describe { label = label, help = help, range = { 0, 1 }, fn = fn }
end

-- 1, or 0 with a reason, which is made only then.
local function verdict(met, reason, ...)
  if met then
    return 1
  end
  local parts = table.pack(...)
  for i = 1, parts.n do
    parts[i] = type(parts[i]) == "function" and parts[i]() or parts[i]
  end
  return { value = 0, reason = reason:format(table.unpack(parts, 1, parts.n)) }
end

-- For verdict: a value's short form, when it is wanted.
local function shown(value)
  return function()
    return value == nil and "nothing" or operands.show(value)
  end
end

local function same(a, b, fold)
  if type(a) == "string" and type(b) == "string" then
    return a == b or fold and native.fold(a) == native.fold(b)
  elseif type(a) == "table" and type(b) == "table" then
    return operands.as_text(a) == operands.as_text(b)
  end
  return a == b
end

--- equals {0, 1}: outcome[of] equals `value`, or case.expected[of] without a value: strings
--- exactly (`fold = true`: after Unicode case folding), numbers as numbers, tables deeply; values
--- of different types are not equal. Unscored `no_expected_X` where the case expects no X.
---@param options { of: string|nil, value: any, fold: boolean|nil }|nil
---@return evalhost.Metric
function text.equals(options)
  local o = options_of(options, "equals", { value = "any", fold = "boolean" })
  return describe("Equals", "the same value", function(case, outcome)
    local expected, unscored = operands.expected(o, case)
    if unscored then
      return unscored
    end
    local actual = outcome[o.of]
    return verdict(same(actual, expected, o.fold), "%s: expected %s, got %s", o.of,
      shown(expected), shown(actual))
  end)
end

-- A check of whether the text has the expected text in it, by `found(text, expected)`.
local function search(name, label, verb, fields, found)
  return function(options)
    fields.value = "string"
    local o = options_of(options, name, fields)
    if o.value == "" then
      error(("eval.metrics.%s: value must not be empty"):format(name), 2)
    end
    return describe(label, verb .. " a text", function(case, outcome)
      local expected, unscored = operands.expected(o, case)
      if unscored then
        return unscored
      end
      expected = operands.as_text(expected)
      return verdict(found(operands.text(outcome, o.of), expected, o), "%s: it does not %s %s",
        o.of, verb, shown(expected))
    end)
  end
end

--- contains {0, 1}: the text has `value` (or case.expected[of]) in it, byte for byte.
---@type fun(options: { of: string|nil, value: string|nil }|nil): evalhost.Metric
text.contains = search("contains", "Contains", "contain", {}, function(actual, expected)
  return actual:find(expected, 1, true) ~= nil
end)

--- icontains {0, 1}: contains after Unicode case folding.
---@type fun(options: { of: string|nil, value: string|nil }|nil): evalhost.Metric
text.icontains = search("icontains", "Contains (any case)", "contain", {},
  function(actual, expected)
    return native.fold(actual):find(native.fold(expected), 1, true) ~= nil
  end)

--- starts_with {0, 1}: the text begins with `value` (or case.expected[of]); `fold = true` in any
--- case.
---@type fun(options: { of: string|nil, value: string|nil, fold: boolean|nil }|nil): evalhost.Metric
text.starts_with = search("starts_with", "Starts with", "start with", { fold = "boolean" },
  function(actual, expected, o)
    if o.fold then
      actual, expected = native.fold(actual), native.fold(expected)
    end
    return actual:sub(1, #expected) == expected
  end)

--- regex {0, 1}: the Perl-compatible pattern (PCRE2, UTF-8) matches somewhere in the text;
--- `icase = true` in any case. A pattern that is wrong raises here; a search that needs too many
--- steps is unscored `match_limit`.
---@param options { pattern: string, of: string|nil, icase: boolean|nil }
---@return evalhost.Metric
function text.regex(options)
  local o = options_of(options, "regex", { pattern = "string", icase = "boolean" })
  if o.pattern == nil then
    error("eval.metrics.regex: pattern is missing", 2)
  end
  local compiled, err = native.regex(o.pattern, { icase = o.icase })
  if not compiled then
    error(("eval.metrics.regex: pattern: %s (at byte %d)"):format(err.message, err.offset or 0), 2)
  end
  return describe("Regex", "matches a pattern", function(_, outcome)
    local found, problem = compiled:test(native.repair(operands.text(outcome, o.of)))
    if problem then
      return metric.unscored(problem.code, problem.message)
    end
    return verdict(found, "%s: no match for /%s/", o.of, o.pattern)
  end)
end

--- one_of {0, 1}: outcome[of] equals one of `values` (or of case.expected[of], a list), as `equals`
--- compares.
---@param options { values: any[]|nil, of: string|nil, fold: boolean|nil }|nil
---@return evalhost.Metric
function text.one_of(options)
  local o = options_of(options, "one_of", { values = "list", fold = "boolean" })
  if o.values and #o.values == 0 then
    error("eval.metrics.one_of: values must not be empty", 2)
  end
  return describe("One of", "equals one of several values", function(case, outcome)
    local values, unscored = operands.expected({ of = o.of, value = o.values }, case)
    if unscored then
      return unscored
    end
    local actual = outcome[o.of]
    for _, value in ipairs(type(values) == "table" and values or { values }) do
      if same(actual, value, o.fold) then
        return 1
      end
    end
    return verdict(false, "%s: %s is none of %s", o.of, shown(actual), shown(values))
  end)
end

-- A count, or whether it lies within bounds.
local function counted(name, label, unit, count)
  return function(options)
    local o = options_of(options, name, { min = "number", max = "number" })
    if o.min and o.max and o.min > o.max then
      error(("eval.metrics.%s: min is above max"):format(name), 2)
    end
    local bounded = o.min or o.max
    return metric.describe {
      label = label,
      help = bounded and ("number of %s within bounds"):format(unit) or "number of " .. unit,
      range = bounded and { 0, 1 } or { 0, math.huge },
      fn = function(_, outcome)
        local n = count(operands.text(outcome, o.of))
        if not bounded then
          return n
        end
        return verdict((not o.min or n >= o.min) and (not o.max or n <= o.max),
          "%s: %d %s, wanted %s to %s", o.of, n, unit, o.min or 0, o.max or "any")
      end,
    }
  end
end

--- length {0, 1}: the text has `min` to `max` characters (code points). Without either: how many.
---@type fun(options: { min: number|nil, max: number|nil, of: string|nil }|nil): evalhost.Metric
text.length = counted("length", "Length", "characters", native.length)

--- word_count {0, 1}: the text has `min` to `max` words (runs of letters and digits; each Han
--- character is one). Without either: how many.
---@type fun(options: { min: number|nil, max: number|nil, of: string|nil }|nil): evalhost.Metric
text.word_count = counted("word_count", "Word count", "words", function(value)
  return #native.words(value)
end)

--- is_json {0, 1}: the whole text is one JSON value (RFC 8259, no equal keys; white space around it
--- is fine).
---@param options { of: string|nil }|nil
---@return evalhost.Metric
function text.is_json(options)
  local o = options_of(options, "is_json", {})
  return describe("Is JSON", "the text is one JSON value", function(_, outcome)
    local _, err = json.valid(operands.text(outcome, o.of))
    return verdict(err == nil, "%s: %s", o.of, err and err.message)
  end)
end

--- contains_json {0, 1}: somewhere in the text stands a JSON object or array.
---@param options { of: string|nil }|nil
---@return evalhost.Metric
function text.contains_json(options)
  local o = options_of(options, "contains_json", {})
  return describe("Contains JSON", "a JSON object or array stands in the text",
    function(_, outcome)
      return verdict(#embedded.find(operands.text(outcome, o.of), 1) > 0,
        "%s: no JSON object or array in it", o.of)
    end)
end

return text
