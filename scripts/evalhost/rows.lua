-- rows.lua: how a row of test data becomes a case: columns, the suite's map, checks, the id.

local columns = require "evalhost.columns"
local digest = require "evalhost.native.digest"
local fiber = require "evalhost.native.fiber"
local json = require "evalhost.native.json"
local outcome = require "evalhost.outcome"

local rows = {}

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
    if type(value) ~= "table" then
      return { column = name, message = ("expected an object, got a %s"):format(type(value)) }
    end
    for key, field in pairs(value) do
      case[rule.to][key] = field
    end
  else
    set_field(case, rule.to, value)
  end
end

-- What a column means, without a mapping of the suite's; names are few.
local defaults = {}

local function default_rule(name)
  local rule = defaults[name]
  if not rule then
    rule = columns.default(tostring(name))
    defaults[name] = rule
  end
  return rule
end

local function apply(case, name, rule, value, problems)
  if value ~= json.null then
    problems[#problems + 1] = apply_column(case, name, rule, value)
  end
end

-- The case of a row; problems are added to the list.
local function from_row(row, mapping, problems)
  local case = { expected = {}, metadata = {} }
  local late
  for name, value in pairs(row) do
    local rule = mapping and mapping[name]
      or mapping and { to = "metadata." .. tostring(name) } or default_rule(name)
    if rule.as == "arguments" then
      late = late or {}
      late[name] = rule -- they pair with the tools of the same row
    else
      apply(case, name, rule, value, problems)
    end
  end
  for name, rule in pairs(late or {}) do
    apply(case, name, rule, row[name], problems)
  end
  for name, rule in pairs(mapping or {}) do
    if rule.required and row[name] == nil then
      problems[#problems + 1] = { column = name, message = ("the %s is missing"):format(name) }
    end
  end
  table.sort(problems, function(a, b) return (a.column or "") < (b.column or "") end)
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

-- What map makes of a row; false and a problem when it fails.
local function mapped(source, row, n)
  if not source.map then
    return row
  end
  local ok, made = fiber.timeout(math.huge, source.map, row, n)
  if not ok then
    return false, { message = "map: " .. fiber.text(made) }
  elseif made ~= nil and type(made) ~= "table" then
    return false, { message = ("a case must be a table, got a %s"):format(type(made)) }
  end
  return made
end

-- The id that the suite's own function gives, or nil and what is wrong with it.
local function own_id(source, case)
  local ok, id = fiber.timeout(math.huge, source.id, case)
  if not ok then
    return nil, "id: " .. fiber.text(id)
  elseif math.type(id) == "integer" then
    id = tostring(id)
  end
  if id ~= nil and (type(id) ~= "string" or id == "") then
    return nil, ("id: expected a text, got %s"):format(id == "" and "an empty one"
      or "a " .. type(id))
  end
  return id
end

--- Can the case be kept as JSON? Rows of files can by nature; Lua may bring anything.
---@param source table
---@param case table
---@return string|nil problem
---@return string|nil kept its canonical JSON, where that was made
function rows.check_kept(source, case)
  if source.path and not source.map then
    return nil
  end
  local kept, err = json.encode(case, { canonical = true, repair = true })
  return not kept and "the case cannot be kept as JSON: " .. err.message or nil, kept
end

-- Gives the case an id that is not taken; nil when it brings one that is.
local function identify(case, seen)
  if case.id then
    return seen:add(case.id)
  end
  local base = digest.sha256(input_text(case)):sub(1, 12)
  local id, repeats = base, 1
  while not seen:add(id) do
    repeats = repeats + 1
    id = ("%s-%d"):format(base, repeats)
  end
  case.id = id
  return true
end

--- The case of a row with its id, or nil and the problems (none: map left it out).
---@param source { mapping: table|nil, map: function|nil, id: function|nil, path: string|nil }
---@param row any
---@param n integer the row's number
---@param seen evalhost.native.idset.set the ids so far
---@return table|nil case
---@return table[] problems
function rows.case_of(source, row, n, seen)
  local problems = {}
  local problem
  row, problem = mapped(source, row, n)
  if not row then
    return nil, { problem }
  elseif type(row) ~= "table" then
    return nil, { { message = ("a case must be a table, got a %s"):format(type(row)) } }
  end
  local case = from_row(row, not source.map and source.mapping or nil, problems)
  check_case(case, problems)
  local unkept = #problems == 0 and rows.check_kept(source, case)
  if unkept then
    problems[1] = { message = unkept }
  elseif #problems == 0 and source.id then
    local id
    id, problem = own_id(source, case)
    case.id, problems[1] = id, problem and { message = problem }
  end
  if #problems == 0 and not identify(case, seen) then
    problems[1] = { message = ("the id '%s' is used twice"):format(case.id), id = case.id }
  end
  if #problems > 0 then
    return nil, problems
  end
  return case, problems
end

return rows
