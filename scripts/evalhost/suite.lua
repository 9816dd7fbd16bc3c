-- suite.lua: eval.suite: checks what a suite says, all of it, before anything runs.

local bounds = require "evalhost.bounds"
local check = require "evalhost.check"
local metric = require "evalhost.metric"

local suite = {}

---@class evalhost.Suite
---@field name string
---@field cases any
---@field targets table<string, any>
---@field target string|nil the default one's name
---@field metrics { name: string, metric: evalhost.Metric|function }[] in the order shown
---@field by_name table<string, evalhost.Metric|function>
---@field score function|nil
---@field pass table|nil { kind = "score"|"bounds"|"function", bound, bounds, fn }
---@field params table<string, any>
---@field thresholds { level: string, figure: string, bound: evalhost.Bound }[]
---@field gate string|nil the deciding level
---@field tolerance { errors: number, unscored: number }
---@field limits { concurrency: integer, case_timeout: number, judge_timeout: number }
---@field repeats { n: integer, reduce: string, k: integer|nil }
local Suite = {}
Suite.__index = Suite
Suite.__name = "evalhost.suite"

local FIELDS = {
  name = "string", cases = "table|function", targets = "table", target = "string|function",
  metrics = "table", score = "function", pass = "number|table|function", params = "table",
  thresholds = "table", gate = "string", tolerance = "table", limits = "table",
  repeats = "table", preflight = "function", report = "function", setup = "function",
  teardown = "function", prices = "table",
}

local RESERVED = { score = true, pass_rate = true, cost_usd = true }

local FIXED_FIGURES = {
  "score", "score.best", "score.min", "pass_rate", "cost_usd", "tokens.total",
  "latency_ms.p50", "latency_ms.p95", "latency_ms.p99", "latency_ms.mean",
}

-- A suite ends with `return eval.suite{...}`, a tail call, so the stack does not know its line:
-- problems name their key (the last word is searched in the file by load.lua).
local function fail(key, message, ...)
  local text = "eval.suite: " .. message:format(...)
  error({ code = "suite", key = key:match "[^.]*$", message = text }, 0)
end

local function sorted_keys(t)
  local list = {}
  for key in pairs(t) do
    list[#list + 1] = tostring(key)
  end
  table.sort(list)
  return list
end

local function check_targets(given)
  local targets, default = given.targets, given.target
  if check.is_callable(default) then
    if targets then
      fail("target", "give either targets = { NAME = ... } or target = function, not both")
    end
    return { default = default }, "default"
  end
  if type(targets) ~= "table" or next(targets) == nil then
    fail("targets", "targets is missing: targets = { NAME = function(case, ctx) ... end }")
  end
  for name, target in pairs(targets) do
    if type(name) ~= "string" or not name:match "^[%w_%-%.]+$" then
      fail(tostring(name), "targets: '%s' is no name (letters, digits, _ - .)", tostring(name))
    end
    if not check.is_callable(target) then
      fail(name, "targets.%s must be a function or a target such as eval.targets.chat{...}, "
        .. "got a %s", name, check.type_name(target))
    end
  end
  if default ~= nil and targets[default] == nil then
    fail("target", "target = \"%s\" is not among the targets%s", default,
      check.hint(default, sorted_keys(targets)))
  end
  return targets, default
end

local function check_metrics(given)
  local list, by_name = {}, {}
  for name, value in pairs(given) do
    if type(name) ~= "string" or not name:match "^[a-z][a-z0-9_]*$" then
      fail(tostring(name), "metrics: '%s' is no metric name (a-z, 0-9, _; a letter first)",
        tostring(name))
    end
    if RESERVED[name] then
      fail(name, "metrics: the name '%s' is reserved", name)
    end
    if not check.is_callable(value) then
      fail(name, "metrics.%s must be a function or a metric such as eval.metrics.equals{...}, "
        .. "got a %s", name, check.type_name(value))
    end
    list[#list + 1] = { name = name, metric = value }
    by_name[name] = value
  end
  if #list == 0 then
    fail("metrics", "metrics is empty: a suite measures at least one thing")
  end
  -- Source order: constructors carry a serial number; plain functions follow by name.
  table.sort(list, function(a, b)
    local sa = metric.is(a.metric) and a.metric.serial or math.huge
    local sb = metric.is(b.metric) and b.metric.serial or math.huge
    if sa ~= sb then
      return sa < sb
    end
    return a.name < b.name
  end)
  return list, by_name
end

local function parse_bound(spec, where)
  local bound, problem = bounds.parse(spec)
  if not bound then
    fail(where, "%s: %s", where, problem)
  end
  return bound
end

local function check_pass(given, by_name)
  local pass = given.pass
  if pass == nil then
    return nil
  elseif type(pass) == "number" then
    if not given.score then
      fail("pass", "pass = number is a bound on the score, and the suite has no score function")
    end
    return { kind = "score", bound = parse_bound(pass, "pass") }
  elseif check.is_callable(pass) then
    return { kind = "function", fn = pass }
  end
  local list = {}
  for _, name in ipairs(sorted_keys(pass)) do
    if name == "score" and not given.score then
      fail("score", "pass.score: the suite has no score function")
    elseif name ~= "score" and not by_name[name] then
      fail(name, "pass.%s: no metric of that name%s", name, check.hint(name, sorted_keys(by_name)))
    end
    list[#list + 1] = { name = name, bound = parse_bound(pass[name], "pass." .. name) }
  end
  if #list == 0 then
    fail("pass", "pass = {} says nothing; leave it out, or name a metric")
  end
  return { kind = "bounds", bounds = list }
end

local function check_figure(figure, given, by_name, where)
  local head = figure:match "^([a-z][a-z0-9_]*)%.[%w_]+$"
  if by_name[figure] or head and by_name[head] then
    return
  end
  for _, known in ipairs(FIXED_FIGURES) do
    if figure == known then
      if figure:match "^score" and not given.score then
        fail(where, "%s: the suite has no score function", where)
      elseif figure == "pass_rate" and given.pass == nil then
        fail(where, "%s: the suite has no pass rule", where)
      end
      return
    end
  end
  local known = sorted_keys(by_name)
  table.move(FIXED_FIGURES, 1, #FIXED_FIGURES, #known + 1, known)
  fail(where, "%s: no such figure%s", where, check.hint(figure, known))
end

local function check_thresholds(given, by_name)
  local list = {}
  local levels = given.thresholds or {}
  if given.pass ~= nil and next(levels) == nil then
    levels = { pass = { pass_rate = 1 } }
  end
  for _, level in ipairs(sorted_keys(levels)) do
    if type(levels[level]) ~= "table" then
      fail(level, "thresholds.%s must be a table { FIGURE = bound }, got a %s", level,
        check.type_name(levels[level]))
    end
    for _, figure in ipairs(sorted_keys(levels[level])) do
      local where = ("thresholds.%s.%s"):format(level, figure)
      check_figure(figure, given, by_name, where)
      list[#list + 1] =
        { level = level, figure = figure, bound = parse_bound(levels[level][figure], where) }
    end
  end
  local names = sorted_keys(levels)
  local gate = given.gate or levels.minimum and "minimum" or #names == 1 and names[1] or nil
  if gate and not levels[gate] then
    fail("gate", "gate = \"%s\" is not a level of thresholds%s", gate, check.hint(gate, names))
  elseif not gate and #names > 0 then
    fail("thresholds", "thresholds has several levels (%s) and none is called minimum: say which "
      .. "decides with gate = \"...\"", table.concat(names, ", "))
  end
  return list, gate
end

local function check_params(params)
  for name, value in pairs(params) do
    local kind = type(value)
    if type(name) ~= "string" or not name:match "^[%a_][%w_]*$" then
      fail(tostring(name), "params: '%s' is no name", tostring(name))
    elseif kind ~= "number" and kind ~= "string" and kind ~= "boolean" then
      fail(name, "params.%s must be a number, a string or a boolean, got a %s", name, kind)
    elseif value ~= value or kind == "number" and math.abs(value) == math.huge then
      fail(name, "params.%s must be finite, got %s", name, value)
    end
  end
  return params
end

local PRICE_FIELDS = { "number", "number", "number", input = "number", cached_input = "number",
  output = "number" }

local function check_prices(prices)
  for model, price in pairs(prices) do
    local where = ("prices[%q]"):format(tostring(model))
    if type(price) ~= "table" then
      fail(tostring(model), "%s must be { input, cached_input, output }, USD per million tokens",
        where)
    end
    check.options(price, PRICE_FIELDS, "eval.suite: " .. where, 0)
    for key, value in pairs(price) do
      if value < 0 or value ~= value then
        fail(tostring(model), "%s: %s must not be below 0, got %s", where, key, value)
      end
    end
  end
  return prices
end

local function at_least(value, least, where, whole)
  if value < least or value ~= value or whole and value ~= math.floor(value) then
    fail(where, "%s must be %s of at least %s, got %s", where,
      whole and "a whole number" or "a number", least, value)
  end
end

local REDUCERS = { mean = true, median = true, majority = true, max = true, at_least_k = true }

local function check_numbers(result)
  local limits, tolerance, repeats = result.limits, result.tolerance, result.repeats
  at_least(limits.concurrency, 1, "limits.concurrency", true)
  at_least(limits.case_timeout, 0.001, "limits.case_timeout")
  at_least(limits.judge_timeout, 0.001, "limits.judge_timeout")
  at_least(tolerance.errors, 0, "tolerance.errors")
  at_least(tolerance.unscored, 0, "tolerance.unscored")
  at_least(repeats.n, 1, "repeats.n", true)
  if not REDUCERS[repeats.reduce] then
    fail("reduce", "repeats.reduce = \"%s\" is unknown%s", repeats.reduce,
      check.hint(repeats.reduce, sorted_keys(REDUCERS)))
  end
  if repeats.reduce == "at_least_k" then
    at_least(repeats.k or 0, 1, "repeats.k (which at_least_k needs)", true)
  end
end

local function build(given)
  local result = {}
  for _, key in ipairs { "name", "cases", "score", "preflight", "report", "setup", "teardown" } do
    result[key] = given[key]
  end
  if not result.name then
    fail("suite", "name is missing: name = \"my_suite\"")
  elseif not result.name:match "^[a-z0-9_-]+$" then
    fail("name", "name = \"%s\": use a-z, 0-9, _ and -", result.name)
  end
  if result.cases == nil then
    fail("suite", "cases is missing: cases = eval.cases(\"file.csv\"), a list or an iterator")
  elseif given.metrics == nil then
    fail("suite", "metrics is missing: metrics = { NAME = eval.metrics.equals{...} }")
  end
  result.targets, result.target = check_targets(given)
  result.metrics, result.by_name = check_metrics(given.metrics)
  result.pass = check_pass(given, result.by_name)
  result.params = check_params(given.params or {})
  result.thresholds, result.gate = check_thresholds(given, result.by_name)
  result.limits = check.options(given.limits, { concurrency = { "number", 16 },
    case_timeout = { "number", 60 }, judge_timeout = { "number", 60 } },
    "eval.suite: limits", 0)
  result.tolerance = check.options(given.tolerance, { errors = { "number", 0 },
    unscored = { "number", 0 } }, "eval.suite: tolerance", 0)
  result.repeats = check.options(given.repeats, { n = { "number", 1 },
    reduce = { "string", "mean" }, k = "number" }, "eval.suite: repeats", 0)
  result.prices = check_prices(given.prices or {})
  check_numbers(result)
  return setmetatable(result, Suite)
end

--- Describes a suite. Raises { code, key, message } with the nearest known key when something is
--- unknown, of a wrong type, or impossible.
---@param given table see API: "eval.suite"
---@return evalhost.Suite
function suite.new(given)
  given = check.options(given, FIELDS, "eval.suite", 0)
  return build(given)
end

---@param value any
---@return boolean
function suite.is(value)
  return getmetatable(value) == Suite
end

return suite
