-- cases.lua: test data: where it comes from, how a row becomes a case, and the plan of a run.
-- Files are read twice: first validated whole (all problems, nothing is run if there is one),
-- then streamed, so that memory does not grow with their length.

local check = require "evalhost.check"
local columns = require "evalhost.columns"
local digest = require "evalhost.native.digest"
local fiber = require "evalhost.native.fiber"
local idset = require "evalhost.native.idset"
local json = require "evalhost.native.json"
local outcome = require "evalhost.outcome"
local paths = require "evalhost.paths"
local readers = require "evalhost.readers"

local cases = {}

local MAX_PROBLEMS = 20
-- After so many rows the loop gets a turn (signals, progress).
local ROWS_PER_TURN = 512

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

-- Rows ---------------------------------------------------------------------

local function set_field(case, path, value)
  local head, rest = path:match "^([^.]+)%.(.+)$"
  if not head then
    case[path] = value
  else
    case[head][rest] = value
  end
end

local function apply_column(case, name, rule, value)
  local convert = rule.as and rule.as ~= "text" and columns.convert[rule.as]
  if convert then
    local converted, problem = convert(value, case)
    if converted == nil then
      problem.column = name
      return problem
    end
    value = converted
  end
  if rule.to == "expected" or rule.to == "metadata" then
    for key, field in pairs(value) do
      case[rule.to][key] = field
    end
  else
    set_field(case, rule.to, value)
  end
end

local function sorted_names(row, mapping)
  local names = {}
  for name in pairs(row) do
    names[#names + 1] = name
  end
  table.sort(names, function(a, b)
    local late_a = mapping and mapping[a] and mapping[a].as == "arguments" or false
    local late_b = mapping and mapping[b] and mapping[b].as == "arguments" or false
    if late_a ~= late_b then
      return late_b -- arguments pair with tools, so they come last
    end
    return tostring(a) < tostring(b)
  end)
  return names
end

-- The case of a row; problems are added to the list.
local function from_row(row, mapping, problems)
  local case = { expected = {}, metadata = {} }
  for _, name in ipairs(sorted_names(row, mapping)) do
    local rule = mapping and mapping[name]
      or mapping and { to = "metadata." .. tostring(name) }
      or columns.default(tostring(name))
    if row[name] ~= json.null then
      local problem = apply_column(case, name, rule, row[name])
      if problem then
        problems[#problems + 1] = problem
      end
    end
  end
  for name, rule in pairs(mapping or {}) do
    if rule.required and row[name] == nil then
      problems[#problems + 1] = { column = name, message = ("the %s is missing"):format(name) }
    end
  end
  return case
end

local function is_input(value)
  if type(value) == "string" then
    return true
  end
  if type(value) ~= "table" or #value == 0 then
    return false
  end
  for _, message in ipairs(value) do
    if type(message) ~= "table" or type(message.role) ~= "string" then
      return false
    end
  end
  return true
end

-- Makes sure of what the library reads; expected.tools becomes a list of { name, arguments }.
local function check_case(case, problems)
  if not is_input(case.input) then
    problems[#problems + 1] = { message = case.input == nil and "the case has no input"
      or "input must be a text or a list of messages { role, content }" }
  elseif case.input == "" then
    problems[#problems + 1] = { message = "the input is empty" }
  end
  if case.id ~= nil and math.type(case.id) == "integer" then
    case.id = tostring(case.id)
  end
  if case.id ~= nil and (type(case.id) ~= "string" or case.id == "") then
    problems[#problems + 1] = { message = "the id is empty or no text" }
    case.id = nil
  end
  if case.expected.tools ~= nil then
    local tools, problem = outcome.expected_tools(case.expected.tools)
    if tools then
      case.expected.tools = tools
    else
      problems[#problems + 1] = { message = problem }
    end
  end
end

local function input_text(case)
  local input = case.input
  return type(input) == "string" and input or json.encode(input, { canonical = true })
end

-- Streams ------------------------------------------------------------------

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
  elseif type(value) == "function" then
    return { name = "the iterator", once = true, open = function()
      return { next = function() return value() end }
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

-- Turns rows into numbered cases with ids. `seen` knows the ids so far.
local function case_of(source, row, n, seen)
  local problems = {}
  if source.map then
    local ok, mapped = fiber.timeout(math.huge, source.map, row, n)
    if not ok then
      return nil, { { message = "map: " .. tostring(mapped) } }
    elseif mapped == nil then
      return nil, problems
    end
    row = mapped
  end
  if type(row) ~= "table" then
    return nil, { { message = ("a case must be a table, got a %s"):format(type(row)) } }
  end
  local case = from_row(row, not source.map and source.mapping or nil, problems)
  check_case(case, problems)
  if #problems > 0 then
    return nil, problems
  end
  if source.id then
    case.id = source.id(case)
  end
  if case.id then
    if not seen:add(case.id) then
      return nil, { { message = ("the id '%s' is used twice"):format(case.id), id = case.id } }
    end
    return case, problems
  end
  local base = digest.sha256(input_text(case)):sub(1, 12)
  local id, repeats = base, 1
  while not seen:add(id) do
    repeats = repeats + 1
    id = ("%s-%d"):format(base, repeats)
  end
  case.id = id
  return case, problems
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
      local case, problems = case_of(source, row, n, seen)
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
  local wanted = {}
  for _, problem in ipairs(problems) do
    if problem.id then
      wanted[problem.id] = problem
    end
  end
  if next(wanted) == nil then
    return
  end
  each(source, function(case, _, n)
    local problem = case and wanted[case.id]
    if problem and n < problem.row then
      problem.message = ("the id '%s' is used twice: in row %d and in row %d"):format(case.id, n,
        problem.row)
      wanted[case.id] = nil
    end
    return next(wanted) == nil
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
  local problems, total, rows = {}, 0, 0
  local sum = not source.path and {} or nil
  local ok, err = each(source, function(case, problem)
    if problem then
      problems[#problems + 1] = problem
      return #problems >= MAX_PROBLEMS
    end
    rows = rows + 1
    if sum then
      local row = json.encode(case, { canonical = true, repair = true })
      sum[1] = digest.sha256((sum[1] or "") .. row)
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
  plan.rows, plan.total = rows, math.min(total, options.limit or math.huge)
  if plan.total ~= math.huge then
    plan.total = math.tointeger(plan.total)
  end
  plan.warning = source.warning
  plan.fingerprint = source.path and digest.sha256_file(source.path) or sum[1] or "none"
  return plan
end

return cases
