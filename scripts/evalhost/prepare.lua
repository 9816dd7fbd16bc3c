-- prepare.lua: everything that is settled before the first case: suite, params, target, judges,
-- data. A problem here is the user's to mend; nothing has been run (exit code 2).

local cases = require "evalhost.cases"
local check = require "evalhost.check"
local digest = require "evalhost.native.digest"
local fs = require "evalhost.native.fs"
local json = require "evalhost.native.json"
local judges = require "evalhost.judges"
local load_suite = require "evalhost.load"
local metric = require "evalhost.metric"
local readers = require "evalhost.readers"
local targets = require "evalhost.targets"
local text = require "evalhost.native.text"

local prepare = {}

local function sorted_keys(t)
  local list = {}
  for key in pairs(t) do
    list[#list + 1] = key
  end
  table.sort(list)
  return list
end

-- --param K=V, V read as the type of the default.
local function apply_params(params, given)
  local result = {}
  for name, value in pairs(params) do
    result[name] = value
  end
  for _, setting in ipairs(given or {}) do
    local name, value = setting:match "^([^=]+)=(.*)$"
    if not name then
      return nil, ("--param %s: write NAME=VALUE"):format(setting)
    elseif params[name] == nil then
      return nil, ("--param %s: the suite has no such parameter%s"):format(name,
        check.hint(name, sorted_keys(params)))
    end
    local kind = type(params[name])
    if kind == "number" then
      local number = tonumber(value)
      value = math.tointeger(number) or number
      if number and math.abs(number) == math.huge then
        value = nil
      end
    elseif kind == "boolean" then
      value = ({ ["true"] = true, ["false"] = false })[value]
    end
    if value == nil then
      return nil, ("--param %s: expected a %s"):format(setting, kind)
    end
    result[name] = value
  end
  return result
end

local function pick_target(suite, wanted)
  local names = sorted_keys(suite.targets)
  local name = wanted or suite.target or #names == 1 and names[1] or nil
  if not name then
    return nil, ("the suite has several targets and no default; choose one with --target: %s")
      :format(table.concat(names, ", "))
  elseif suite.targets[name] == nil then
    return nil, ("--target %s: the suite has no such target%s"):format(name,
      check.hint(name, names))
  end
  return name
end

local JUDGES = { auto = true, builtin = true, openai = true }

-- Which function measures each metric, and who judges.
local function pick_metrics(suite, mode)
  local list, names = {}, {}
  if not JUDGES[mode] then
    return nil, ("--judge %s is unknown%s"):format(mode, check.hint(mode, sorted_keys(JUDGES)))
  end
  for _, entry in ipairs(suite.metrics) do
    local one = { name = entry.name, metric = entry.metric,
      fn = metric.is(entry.metric) and entry.metric.fn or entry.metric }
    if metric.is(entry.metric) and entry.metric.judge then
      local fn, name = judges.resolve(entry.metric, mode)
      if not fn then
        return nil, name
      end
      one.fn, one.judge = fn, name
      names[entry.name] = name
    end
    list[#list + 1] = one
  end
  return list, names
end

-- The order in which metrics are measured: judges last, so that a slow one takes nothing else with
-- it.
local function judges_last(metrics)
  local order = {}
  for _, judged in ipairs { false, true } do
    for _, entry in ipairs(metrics) do
      if (entry.judge ~= nil) == judged then
        order[#order + 1] = entry
      end
    end
  end
  return order
end

-- The tools that the target says it has; a plain function says nothing, then those of the suite's
-- other targets count, which are the same as a rule.
local function known_tools(suite, target)
  local known, seen = {}, {}
  local function add(one)
    for _, name in ipairs(targets.is(one) and one.tools or {}) do
      if not seen[name] then
        seen[name] = true
        known[#known + 1] = name
      end
    end
  end
  add(target)
  if #known == 0 then
    for _, one in pairs(suite.targets) do
      add(one)
    end
  end
  table.sort(known)
  return known, seen
end

-- Expected tools that no target has: warnings with the right name.
local function check_tools(plan, suite, target)
  local known, set = known_tools(suite, target)
  local warned, warnings = {}, {}
  if #known == 0 then
    return warnings
  end
  plan.visit(function(case, _, row)
    for _, tool in ipairs(case.expected.tools or {}) do
      if not set[tool.name] and not warned[tool.name] then
        warned[tool.name] = true
        local near = text.nearest(tool.name, known)
        warnings[#warnings + 1] = ("row %d expects the tool '%s', which the target does not "
          .. "have%s"):format(row, tool.name, near
          and ("; did you mean %s? use the internal name"):format(near)
          or "; it has " .. table.concat(known, ", "))
      end
    end
  end, function() end)
  return warnings
end

local function fingerprint(run, suite, plan)
  return digest.sha256(json.encode({
    code = load_suite.code_hash(suite), cases = plan.fingerprint, target = run.target_name,
    params = run.params, judges = run.judges, seed = run.seed, repeats = suite.repeats,
    limits = { run.case_timeout, run.judge_timeout },
  }, { canonical = true, repair = true }))
end

local function filter_of(pattern)
  if not pattern then
    return nil
  end
  local regex, err = text.regex(pattern)
  if not regex then
    return nil, ("--filter: %s"):format(err.message)
  end
  return regex
end

local function seed_of(given)
  if not given then
    return 0
  end
  local seed = math.tointeger(tonumber(given))
  if not seed then
    return nil, ("--seed needs a whole number, got '%s'"):format(given)
  end
  return seed
end

-- --cases FILE: other data, the suite's mapping. `-` and pipes are kept in a file first.
local function other_cases(suite, path, run)
  if path ~= "-" and fs.is_regular(path) then
    return cases.replace(suite.cases, path)
  elseif path ~= "-" and not fs.exists(path) then
    return nil, ("--cases %s: no such file"):format(path)
  end
  local spooled, err = fs.spool(path)
  if not spooled then
    return nil, ("--cases %s: %s"):format(path, err.message)
  end
  run.spooled = spooled
  local replaced = cases.replace(suite.cases, spooled)
  replaced.format = cases.is(suite.cases)
    and (suite.cases.format or readers.format_of(suite.cases.path)) or "jsonl"
  replaced.given = "standard input"
  return replaced
end

---@class evalhost.Problem
---@field message string
---@field problems table[]|nil rows of a dataset
---@field name string|nil the dataset's name

--- Settles everything. Returns the run and its plan, or nil and a problem to print.
---@param options table the command line
---@return table|nil run
---@return table plan_or_problem
function prepare.run(options)
  local suite, problem, traceback = load_suite.load(options.operands[1])
  if not suite then
    return nil, { message = problem, traceback = options.verbose and traceback or nil }
  end
  local run = { suite = suite, options = options }
  run.params, problem = apply_params(suite.params, options.param)
  if not run.params then
    return nil, { message = problem }
  end
  run.target_name, problem = pick_target(suite, options.target)
  if not run.target_name then
    return nil, { message = problem }
  end
  run.seed, problem = seed_of(options.seed)
  if not run.seed then
    return nil, { message = problem }
  end
  run.target = suite.targets[run.target_name]
  local ok, err = true, nil
  if targets.is(run.target) and run.target.requires then
    ok, err = run.target.requires()
  end
  if not ok and options.command ~= "check" then
    return nil, { message = ("target %s: %s"):format(run.target_name, err.message) }
  end
  run.metrics, run.judges = pick_metrics(suite, options.judge or "auto")
  if not run.metrics then
    return nil, { message = run.judges }
  end
  run.measured = judges_last(run.metrics)
  run.case_timeout = options.timeout or suite.limits.case_timeout
  run.judge_timeout = suite.limits.judge_timeout
  suite.repeats.n = options["repeat"] or suite.repeats.n
  return prepare.data(run, suite, options)
end

-- The data, its plan, and what depends on them.
local function with_data(run, suite, options)
  local data, problem = suite.cases
  if options.cases then
    data, problem = other_cases(suite, options.cases, run)
    if not data then
      return nil, { message = problem }
    end
  end
  run.data_name = cases.is(data) and data.given or nil
  local filter
  filter, problem = filter_of(options.filter)
  if problem then
    return nil, { message = problem }
  end
  local plan, problems = cases.plan(data, { filter = filter, limit = options.limit })
  if not plan then
    return nil, { message = "the test data has problems; nothing was run", problems = problems,
      name = run.data_name }
  elseif plan.total == 0 then
    return nil, { message = plan.rows == 0 and "the test data holds no cases"
      or ("--filter %s matches none of the %d cases"):format(options.filter, plan.rows) }
  end
  run.fingerprint = fingerprint(run, suite, plan)
  run.warnings = plan.once and {} or check_tools(plan, suite, run.target)
  if plan.warning then
    table.insert(run.warnings, 1, plan.warning)
  end
  return run, plan
end

--- The last part of it: the data. What was spooled goes where it cannot be used.
---@param run table
---@param suite evalhost.Suite
---@param options table
---@return table|nil run
---@return table plan_or_problem
function prepare.data(run, suite, options)
  local ready, plan = with_data(run, suite, options)
  if not ready and run.spooled then
    fs.remove(run.spooled)
  end
  return ready, plan
end

return prepare
