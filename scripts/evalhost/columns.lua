-- columns.lua: how a row of a dataset becomes a case. A mapping is a plain table, to print, copy
-- and change:
--   { COLUMN = { to = "expected.keywords", as = "keywords", required = true }, ... }
-- `to` is a field of the case; `as` names a conversion below. Columns that a mapping does not name
-- go to metadata.

local check = require "evalhost.check"
local json = require "evalhost.native.json"
local outcome = require "evalhost.outcome"
local text = require "evalhost.native.text"

local columns = {}

--- Seed A: the CSV format of FinAgent evaluations.
columns.finagent = {
  test_id = { to = "id", required = true },
  query = { to = "input", required = true },
  expected_tool = { to = "expected.tools", as = "tools", required = true },
  expected_args = { to = "expected.tools", as = "arguments", required = true },
  expected_response_contains = { to = "expected.keywords", as = "keywords", required = true },
}

--- Seed B: questions with the sources that a good answer uses.
columns.wikiagent = {
  id = { to = "id" },
  question = { to = "input", required = true },
  expected_sources = { to = "expected.sources", as = "list", required = true },
}

local INPUTS = { input = true, question = true, query = true, utterance = true, prompt = true }
local IDS = { id = true, test_id = true }
local LISTS = { tools = "tools", keywords = "list", sources = "list" }

--- What a column means where the suite gives no mapping (API section 2).
---@param name string
---@return table
function columns.default(name)
  if INPUTS[name] then
    return { to = "input" }
  elseif IDS[name] then
    return { to = "id" }
  elseif name == "expected" then
    return { to = "expected", as = "table" }
  elseif name == "metadata" then
    return { to = "metadata", as = "table" }
  end
  local field = name:match "^expected_(.+)$"
  if field then
    return { to = "expected." .. field, as = LISTS[field] }
  end
  return { to = "metadata." .. name }
end

-- Conversions: (value, case) -> value | nil, problem. A cell of a CSV is a string; JSON and Lua
-- rows bring values of their own.
local convert = {}

local function decode(value, what)
  local parsed, err = json.decode(value, { max_depth = 64 })
  if parsed == nil then
    local problem = { message = ("%s must be valid JSON: %s"):format(what, err.message) }
    problem.offset, problem.hint = err.offset, err.hint
    return nil, problem
  end
  return parsed
end

local function split_commas(value)
  local list = json.array {}
  for piece in value:gmatch "[^,]+" do
    piece = text.trim(piece)
    if piece ~= "" then
      list[#list + 1] = piece
    end
  end
  return list
end

--- Keywords: split on commas, trimmed, empties dropped. JSON rows may bring a list.
function convert.keywords(value)
  if type(value) == "string" then
    return split_commas(value)
  end
  return convert.list(value)
end

--- A list: a JSON array, or a text split on commas.
function convert.list(value)
  if type(value) == "string" then
    if value:match "^%s*%[" then
      return decode(value, "a list")
    end
    return split_commas(value)
  elseif type(value) ~= "table" or #value == 0 and next(value) ~= nil then
    return nil, { message = ("expected a list, got a %s"):format(type(value)) }
  end
  return value
end

function convert.table(value)
  if type(value) == "string" then
    value = value == "" and {} or value
    if type(value) == "string" then
      local parsed, problem = decode(value, "the cell")
      if parsed == nil then
        return nil, problem
      end
      value = parsed
    end
  end
  if type(value) ~= "table" then
    return nil, { message = ("expected an object, got a %s"):format(type(value)) }
  end
  return value
end

-- "name", or a JSON array of names, or (JSON rows) a list of names or { name, arguments }.
function convert.tools(value)
  if type(value) == "string" then
    local trimmed = text.trim(value)
    if trimmed:match "^[%[\"{]" then
      local parsed, problem = decode(trimmed, "expected_tool")
      if parsed == nil then
        return nil, problem
      end
      value = parsed
    else
      value = trimmed ~= "" and trimmed or {}
    end
  end
  if type(value) == "string" then
    value = { value }
  end
  local tools, problem = outcome.expected_tools(value)
  if not tools then
    return nil, { message = problem }
  end
  return tools
end

local function is_object(value)
  return type(value) == "table" and not json.is_array(value) and #value == 0
end

-- Pairs an object, or an array of objects, with the tools that the row expects.
local function pair_arguments(parsed, tools)
  if is_object(parsed) then
    if #tools == 0 and next(parsed) == nil then
      return {}
    elseif #tools ~= 1 then
      return nil, ("one object of arguments, but %d expected tools; write an array with one "
        .. "object for each tool"):format(#tools)
    end
    parsed = { parsed }
  elseif type(parsed) ~= "table" then
    return nil, ("expected an object or an array of objects, got a %s"):format(type(parsed))
  end
  if #parsed ~= #tools then
    return nil, ("%d argument objects for %d expected tools; the two lists are parallel")
      :format(#parsed, #tools)
  end
  for i, arguments in ipairs(parsed) do
    if not is_object(arguments) then
      return nil, ("element %d must be an object"):format(i)
    end
  end
  return parsed
end

--- Arguments for the tools of the same row; it runs after `tools`.
function convert.arguments(value, case)
  local tools = case.expected.tools or {}
  if type(value) == "string" then
    if text.trim(value) == "" then
      return tools
    end
    local parsed, problem = decode(value, "expected_args")
    if parsed == nil then
      return nil, problem
    end
    value = parsed
  end
  local parsed, message = pair_arguments(value, tools)
  if not parsed then
    return nil, { message = "expected_args: " .. message }
  end
  for i, arguments in ipairs(parsed) do
    tools[i].arguments = arguments
  end
  return tools
end

columns.convert = convert

local FIELDS = { id = true, input = true, expected = true, metadata = true }

local function is_field(to)
  local head, rest = to:match "^([^.]+)%.([^.]+)$"
  return FIELDS[to] or rest ~= nil and (head == "expected" or head == "metadata")
end

local function check_rule(name, rule)
  local where = "columns." .. tostring(name)
  if type(rule) ~= "table" then
    return ("%s must be a table { to = ... }, got a %s"):format(where, check.type_name(rule))
  end
  local ok, err = pcall(check.options, rule, { to = "string", as = "string",
    required = "boolean" }, where, 0)
  if not ok then
    return err.message
  elseif not rule.to then
    return where .. ": to = is missing"
  elseif not is_field(rule.to) then
    return ("%s: to = \"%s\" is no field of a case; write id, input, expected.X or metadata.X")
      :format(where, rule.to)
  elseif rule.as and rule.as ~= "text" and not convert[rule.as] then
    return ("%s: as = \"%s\" is unknown%s"):format(where, rule.as, check.hint(rule.as,
      { "arguments", "keywords", "list", "table", "text", "tools" }))
  end
end

--- What is wrong with a mapping, or nil.
---@param mapping table
---@return string|nil problem
function columns.problem(mapping)
  for name, rule in pairs(mapping) do
    local problem = check_rule(name, rule)
    if problem then
      return problem
    end
  end
end

return columns
