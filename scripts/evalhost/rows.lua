-- rows.lua: how a row of test data becomes a case: columns, the suite's map, checks, the id.

local columns = require "evalhost.columns"
local digest = require "evalhost.native.digest"
local fiber = require "evalhost.native.fiber"
local json = require "evalhost.native.json"
local outcome = require "evalhost.outcome"

local rows = {}

local NULL = json.null

-- A rule of a mapping, ready to use: where the value goes (case[head], or case[head][rest]) and
-- what converts it.
local function compile(rule)
  local head, rest = rule.to:match "^([^.]+)%.(.+)$"
  return { head = head or rule.to, rest = rest, late = rule.as == "arguments",
    convert = rule.as and rule.as ~= "text" and columns.convert[rule.as] or nil }
end

-- Compiled rules by column name: those of each mapping, and those without one. Names are few, but
-- JSON rows may bring any: past the cap they are compiled each time.
local CAP = 1000
local by_mapping = setmetatable({}, { __mode = "k" })
local without = { count = 0, rules = {} }

local function rule_of(mapping, name)
  local known = without
  if mapping then
    known = by_mapping[mapping] or { count = 0, rules = {} }
    by_mapping[mapping] = known
  end
  local rule = known.rules[name]
  if not rule then
    local text = tostring(name)
    rule = compile(mapping and (mapping[name] or { to = "metadata." .. text })
      or columns.default(text))
    if known.count < CAP then
      known.rules[name], known.count = rule, known.count + 1
    end
  end
  return rule
end

local function twice(name, where)
  return { column = name, message = ("two columns give the case its %s"):format(where) }
end

-- Puts a column's value into the case; a problem or nil.
local function place(case, name, rule, value)
  if rule.convert then
    local converted, problem = rule.convert(value, case)
    if converted == nil then
      problem.column = name
      return problem
    end
    value = converted
  end
  local head, rest = rule.head, rule.rest
  if rest then
    if case[head][rest] ~= nil and not rule.late then
      return twice(name, head .. "." .. rest)
    end
    case[head][rest] = value
  elseif head == "expected" or head == "metadata" then
    if type(value) ~= "table" then
      return { column = name, message = ("expected an object, got a %s"):format(type(value)) }
    end
    for key, field in pairs(value) do
      if case[head][key] ~= nil then
        return twice(name, head .. "." .. tostring(key))
      end
      case[head][key] = field
    end
  else
    if case[head] ~= nil then
      return twice(name, head)
    end
    case[head] = value
  end
end

-- The case of a row; problems are added to the list.
local function from_row(row, mapping, problems)
  local case = { expected = {}, metadata = {} }
  local late
  for name, value in pairs(row) do
    if value ~= NULL then
      local rule = rule_of(mapping, name)
      if rule.late then
        late = late or {}
        late[name] = rule -- arguments pair with the tools of the same row
      else
        problems[#problems + 1] = place(case, name, rule, value)
      end
    end
  end
  if late then
    for name, rule in pairs(late) do
      problems[#problems + 1] = place(case, name, rule, row[name])
    end
  end
  if mapping then
    for name, rule in pairs(mapping) do
      if rule.required and row[name] == nil then
        problems[#problems + 1] = { column = name, message = ("the %s is missing"):format(name) }
      end
    end
  end
  if #problems > 1 then
    table.sort(problems, function(a, b) return (a.column or "") < (b.column or "") end)
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
