-- metrics/tools.lua: the calls that were expected against those that were made.
--
-- case.expected.tools is a list of { name, arguments }, outcome.tool_calls the calls in the order
-- made. Without expected tools all of these are unscored (`no_expected_tools`); an empty list means
-- that no tool is needed.

local native = require "evalhost.native.calls"
local check = require "evalhost.check"
local metric = require "evalhost.metric"

local tools = {}

local unscored_words = {
  no_expected_tools = "the case says nothing about tools",
  match_limit = "a field's pattern needed too many steps",
  too_large = "too many calls to compare",
}

local function describe(fields, compare)
  fields.range = { 0, 1 }
  fields.fn = function(case, outcome)
    local value, reason, detail = compare(case.expected and case.expected.tools,
      outcome.tool_calls)
    if value == nil then
      return metric.unscored(reason, unscored_words[reason] or reason)
    end
    return { value = value, reason = reason ~= "" and reason or nil, detail = detail }
  end
  return metric.describe(fields)
end

local function one_of(value, choices, what)
  for _, choice in ipairs(choices) do
    if value == choice then
      return value
    end
  end
  error(("%s must be \"%s\""):format(what, table.concat(choices, "\" or \"")), 3)
end

--- tool_selection in [0, 1]: |expected ∩ actual| / |expected| over multisets of names; extra calls
--- are free; nothing expected is 1. `as = "set"`: over sets. `none_expected = "no_calls"`: where
--- nothing is expected, 1 only if nothing was called. Detail: missing, extra. (FinAgent guide)
---@param options { as: "multiset"|"set"|nil, none_expected: "no_calls"|nil }|nil
---@return evalhost.Metric
function tools.tool_selection(options)
  local o = check.options(options, { as = { "string", "multiset" }, none_expected = "string" },
    "eval.metrics.tool_selection")
  one_of(o.as, { "multiset", "set" }, "eval.metrics.tool_selection: as")
  one_of(o.none_expected or "pass", { "pass", "no_calls" },
    "eval.metrics.tool_selection: none_expected")
  return describe({
    label = "Tool Selection",
    help = "share of the expected tools that were called",
    meanings = {
      good = "Agent reliably chooses correct tools",
      acceptable = "Mostly correct, occasional mistakes",
      needs_work = "Frequently selects wrong tools",
    },
  }, function(expected, actual)
    return native.tool_selection(expected, actual, o)
  end)
end

local rule_fields = {
  pairing = "string", case = "boolean", tolerance = "number", relative = "number",
  arrays = "string", coerce = "boolean", extra = "string", accept = "table", ignore = "list",
  defaults = "table", pattern = "table", test = "table", fields = "table", tools = "table",
}

---@class evalhost.metrics.FieldOptions how fields are compared
---@field case boolean|nil true: strings exactly; else equal after case folding
---@field tolerance number|nil numbers: abs(a - b) <= max(tolerance, relative * max(abs a, abs b));
--- both 1e-9; two integers compare exactly unless one is given
---@field relative number|nil
---@field arrays "ordered"|"any_order"|"subset"|nil
---@field coerce boolean|nil "7" = 7, "true" = true
---@field extra "free"|"forbidden"|nil fields that were not expected
---@field accept table<string, any[]>|nil by path: other values that match too
---@field ignore string[]|nil paths, with stars, that do not count
---@field defaults table<string, any>|nil by path: what an absent field stands for
---@field pattern table<string, string>|nil by path: a PCRE2 pattern that the value must match
---@field test table<string, fun(actual: any, expected: any): boolean>|nil by path
---@field fields table<string, table>|nil by path: these options for one field and all below it

---@class evalhost.metrics.ArgumentOptions: evalhost.metrics.FieldOptions
---@field pairing "in_order"|"best"|"position"|nil which call is compared with which
---@field tools table<string, evalhost.metrics.FieldOptions>|nil by tool name

--- argument_match in [0, 1]: the mean, over expected calls, of the share of expected fields that
--- match in the paired call. An expected call without a partner is 0, one without fields is 1 if it
--- has a partner; nothing expected is 1. Each expected call takes the first unused call of its name
--- (`pairing`). Strings match after case folding, numbers within 1e-9, objects field by field,
--- arrays in order. Arguments that cannot be parsed are 0 (`args_unparseable`). The reason has one
--- line per expected call. Detail: calls, flags. (FinAgent guide)
---@param options evalhost.metrics.ArgumentOptions|nil
---@return evalhost.Metric
function tools.argument_match(options)
  local o = check.options(options, rule_fields, "eval.metrics.argument_match")
  local ok, rules = pcall(native.rules, o)
  if not ok then
    error("eval.metrics.argument_match: " .. tostring(rules), 2)
  end
  return describe({
    label = "Argument Match",
    help = "share of the expected arguments that match",
    meanings = {
      good = "Accurately extracts parameters",
      acceptable = "Usually correct, minor parsing issues",
      needs_work = "Struggles with parameter extraction",
    },
  }, function(expected, actual)
    return native.argument_match(expected, actual, rules)
  end)
end

--- tools_exact {0, 1}: the same tools were called, each as often as expected; `order = true`: in
--- the expected order too. Detail: missing, extra.
---@param options { order: boolean|nil }|nil
---@return evalhost.Metric
function tools.tools_exact(options)
  local o = check.options(options, { order = { "boolean", false } }, "eval.metrics.tools_exact")
  return describe({ label = "Tools Exact", help = "exactly the expected tools" },
    function(expected, actual)
      return native.tools_exact(expected, actual, o)
    end)
end

--- tool_minimality {0, 1}: as many calls as expected. Detail: missing, extra.
---@return evalhost.Metric
function tools.tool_minimality(options)
  check.options(options, {}, "eval.metrics.tool_minimality")
  return describe({ label = "Tool Minimality", help = "no more calls than needed" },
    function(expected, actual)
      return native.tool_minimality(expected, actual)
    end)
end

return tools
