-- cases.lua: test data: where it comes from, and the plan of a run.
-- Files are read twice: first validated whole (all problems, nothing is run if there is one),
-- then streamed, so that memory does not grow with their length.

local check = require "evalhost.check"
local columns = require "evalhost.columns"
local digest = require "evalhost.native.digest"
local fiber = require "evalhost.native.fiber"
local idset = require "evalhost.native.idset"
local paths = require "evalhost.paths"
local readers = require "evalhost.readers"
local rows = require "evalhost.rows"

local cases = {}

local MAX_PROBLEMS = 20
-- After so many rows the loop gets a turn (signals, progress).
local ROWS_PER_TURN = 64

---@class evalhost.Cases
---@field path string|nil
---@field format string|nil
---@field columns table|nil
---@field map fun(row: table, n: integer): table|nil
---@field id fun(case: table): string
local Cases = {}
Cases.__index = Cases
Cases.__name = "evalhost.cases"

--- Test data in a file, relative to the suite's folder.
---@param path string
---@param options {format?: string, columns?: table, map?: function, id?: function}|nil
---@return evalhost.Cases
function cases.new(path, options)
  if type(path) ~= "string" then
    error("eval.cases: expected a path, got a " .. check.type_name(path), 2)
  end
  local result = check.options(options, {
    format = "string", columns = "table", map = "function", id = "function",
  }, "eval.cases")
  if result.format and not readers.formats[result.format] then
    error(("eval.cases: format = \"%s\" is unknown; known: csv, json, jsonl"):format(
      result.format), 2)
  end
  local problem = result.columns and columns.problem(result.columns)
  if problem then
    error("eval.cases: " .. problem, 2)
  end
  result.given, result.path = path, paths.resolve(path)
  return setmetatable(result, Cases)
end

---@param value any
---@return boolean
function cases.is(value)
  return getmetatable(value) == Cases
end

--- The same mapping over other data: what --cases FILE means.
---@param value any a suite's `cases`
---@param path string
---@return evalhost.Cases
function cases.replace(value, path)
  local result = { given = path, path = path }
  if cases.is(value) then
    result.columns, result.map, result.id = value.columns, value.map, value.id
  end
  return setmetatable(result, Cases)
end

-- What a suite's `cases` is made of: open() gives an iterator (row, line | nil, problem).
local function source_of(value)
  if cases.is(value) then
    local format = value.format or readers.format_of(value.path)
    if not format then
      return nil, ("%s: cannot tell the format from the name; say format = \"csv\", \"json\" or "
        .. "\"jsonl\""):format(value.given)
    end
    return {
      path = value.path, name = value.given, mapping = value.columns, map = value.map,
      id = value.id, format = format,
      open = function() return readers.open(value.path, format, value.columns) end,
    }
  elseif check.is_callable(value) then
    return { name = "the iterator", once = true, open = function()
      return { next = function()
        local ok, row = fiber.timeout(math.huge, value)
        if not ok then
          return nil, { message = "the iterator: " .. fiber.text(row), fatal = true }
        end
        return row
      end }
    end }
  elseif check.is(value, "list") then
    return { name = "cases", open = function()
      local i = 0
      return { next = function()
        i = i + 1
        return value[i]
      end }
    end }
  end
  return nil, "cases must be eval.cases(...), a list, or an iterator function"
end

-- Calls visit(case, problem, n) for every row.
local function each(source, visit)
  local reader, err = source.open()
  if not reader then
    return nil, err
  end
  source.warning = reader.warning
  local seen, n = idset.new(), 0
  while true do
    local row, line_or_problem = reader.next()
    if row == nil and line_or_problem == nil then
      break
    end
    n = n + 1
    if n % ROWS_PER_TURN == 0 then
      fiber.sleep(0)
    end
    local stop
    if row == nil then
      line_or_problem.row = line_or_problem.row or n
      stop = visit(nil, line_or_problem, n) or line_or_problem.fatal
    else
      local case, problems = rows.case_of(source, row, n, seen)
      for _, problem in ipairs(problems) do
        problem.row, problem.line = problem.row or n, problem.line or line_or_problem
        stop = visit(nil, problem, n)
      end
      if case then
        stop = visit(case, nil, n)
      end
    end
    if stop then
      break
    end
  end
  if reader.close then
    reader.close()
  end
  return true
end

-- The earlier row of an id that is used twice: a second look, only when there is a problem.
local function name_first_rows(source, problems)
  local wanted, last = {}, 0
  for _, problem in ipairs(problems) do
    if problem.id then
      wanted[problem.id] = wanted[problem.id] or {}
      table.insert(wanted[problem.id], problem)
      last = problem.row
    end
  end
  if last == 0 then
    return
  end
  each(source, function(case, _, n)
    for _, problem in ipairs(case and wanted[case.id] or {}) do
      problem.message = ("the id '%s' is used twice: in row %d and in row %d"):format(case.id, n,
        problem.row)
    end
    return n >= last
  end)
end

---@class evalhost.Plan
---@field total integer|nil how many cases will run; nil for an iterator
---@field visit fun(visitor: fun(case: table, index: integer): boolean|nil): boolean|nil, table|nil
---@field fingerprint string
---@field warning string|nil what was mended in the data

--- Validates the data and says what will run.
---@param value any a suite's `cases`
---@param options { filter: table|nil, limit: integer|nil }
---@return evalhost.Plan|nil
---@return table[]|nil problems { row, line, column, offset, message, hint }
function cases.plan(value, options)
  local source, message = source_of(value)
  if not source then
    return nil, { { message = message } }
  end
  local function wanted(case)
    return options.filter == nil or options.filter:test(case.id)
  end
  local function visit(visitor, on_problem)
    local index = 0
    return each(source, function(case, problem, n)
      if problem then
        return on_problem(problem)
      elseif wanted(case) then
        index = index + 1
        return visitor(case, index, n) or options.limit and index >= options.limit
      end
    end)
  end
  local plan = { name = source.name, visit = visit, once = source.once }
  if source.once then
    plan.fingerprint = "iterator"
    return plan
  end
  return cases.validate(plan, source, options)
end

-- The first reading: every row, whatever the filter and the limit.
function cases.validate(plan, source, options)
  local problems, total, count = {}, 0, 0
  local sum = not source.path and {} or nil
  local ok, err = each(source, function(case, problem)
    if problem then
      problems[#problems + 1] = problem
      return #problems >= MAX_PROBLEMS
    end
    count = count + 1
    if sum then
      local _, kept = rows.check_kept(source, case)
      sum[1] = digest.sha256((sum[1] or "") .. kept)
    end
    if options.filter == nil or options.filter:test(case.id) then
      total = total + 1
    end
  end)
  if not ok then
    return nil, { err }
  elseif #problems > 0 then
    name_first_rows(source, problems)
    return nil, problems
  end
  plan.rows, plan.total = count, math.min(total, options.limit or math.huge)
  if plan.total ~= math.huge then
    plan.total = math.tointeger(plan.total)
  end
  plan.warning = source.warning
  plan.fingerprint = source.path and digest.sha256_file(source.path) or sum[1] or "none"
  return plan
end

return cases
