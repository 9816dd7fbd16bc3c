-- readers.lua: rows of CSV, JSON and JSONL files. next() of a reader gives a row and its line; nil
-- at the end; nil and a problem for a row that is wrong.

local csv = require "evalhost.native.csv"
local fs = require "evalhost.native.fs"
local json = require "evalhost.native.json"
local native = require "evalhost.native.text"

local readers = { formats = {} }

local MAX_JSON_FILE = 1 << 30
local CASE_OPTIONS = { max_depth = 64 }

--- The format that a file's name says, or nil.
---@param path string
---@return string|nil
function readers.format_of(path)
  local ending = path:lower():match "%.([^./]+)$"
  local known = { csv = "csv", json = "json", jsonl = "jsonl", ndjson = "jsonl" }
  return known[ending]
end

local function invalid_csv(problem)
  problem.message = "Invalid CSV format: " .. problem.message
  return problem
end

-- Column names without the spaces around them; a warning if there were any.
local function trimmed(header)
  local names, padded = {}, {}
  for i, name in ipairs(header) do
    names[i] = native.trim(name)
    if names[i] ~= name then
      padded[#padded + 1] = ("'%s'"):format(names[i])
    end
  end
  if #padded == 0 then
    return names
  end
  return names, ("spaces around the column name%s %s were left out"):format(
    #padded > 1 and "s" or "", table.concat(padded, ", "))
end

local function check_header(header, columns)
  for _, name in ipairs(header) do
    if name == "" then
      return "a column has no name"
    end
  end
  local seen, missing = {}, {}
  for _, name in ipairs(header) do
    if seen[name] then
      return ("the column '%s' is there twice"):format(name)
    end
    seen[name] = true
  end
  for name, rule in pairs(columns or {}) do
    if rule.required and not seen[name] then
      missing[#missing + 1] = name
    end
  end
  table.sort(missing)
  if #missing > 0 then
    local separated = #header == 1 and header[1]:match "[;\t|]"
    local near = not separated and native.nearest(missing[1], header)
    return ("missing column%s %s (the file has: %s)"):format(#missing > 1 and "s" or "",
      table.concat(missing, ", "), table.concat(header, ", ")),
      separated and ("cells are separated by commas, not by %s: save it again as CSV with commas")
        :format(separated == "\t" and "tabs" or "'" .. separated .. "'")
      or near and ("is '%s' meant to be %s? rename it"):format(near, missing[1]) or nil
  end
end

function readers.formats.csv(path, columns)
  local reader, err = csv.open(path)
  if not reader then
    return nil, err
  end
  local header, problem = reader:header()
  if not header then
    return nil, invalid_csv(problem or { message = "the file is empty" })
  end
  local warning
  header, warning = trimmed(header)
  local wrong, hint = check_header(header, columns)
  if wrong then
    return nil, invalid_csv { message = wrong, line = 1, hint = hint }
  end
  return {
    warning = warning,
    close = function() reader:close() end,
    next = function()
      local cells, line = reader:next()
      if cells == nil then
        return nil, line and invalid_csv(line)
      end
      local row = {}
      for i, name in ipairs(header) do
        row[name] = cells[i]
      end
      return row, line
    end,
  }
end

local function not_a_case(value)
  return { message = ("expected an object, got a %s"):format(
    value == json.null and "null" or type(value)) }
end

function readers.formats.jsonl(path)
  local lines, err = json.lines(path)
  if not lines then
    return nil, err
  end
  return {
    close = function() lines:close() end,
    next = function()
      local text, line = lines:next()
      if text == nil then
        if line then
          line.fatal = true
        end
        return nil, line
      end
      local value, problem = json.decode(text, CASE_OPTIONS)
      if value == nil then
        problem.line = line
        return nil, problem
      elseif type(value) ~= "table" then
        problem = not_a_case(value)
        problem.line = line
        return nil, problem
      end
      return value, line
    end,
  }
end

function readers.formats.json(path)
  local text, err = fs.read(path, MAX_JSON_FILE)
  if not text then
    return nil, err
  end
  local list, problem = json.decode(text, { max_depth = 65, max_bytes = MAX_JSON_FILE })
  if list == nil then
    return nil, problem
  elseif not json.is_array(list) then
    return nil, { message = "the file must hold a JSON array of cases" }
  end
  local i = 0
  return {
    next = function()
      i = i + 1
      local value = list[i]
      if value ~= nil and type(value) ~= "table" then
        return nil, not_a_case(value)
      end
      return value
    end,
  }
end

--- Opens a file. Failing to open or to read its head gives nil and the problem.
---@param path string
---@param format "csv"|"json"|"jsonl"
---@param columns table|nil
---@return { next: fun(): table|nil, any, close: fun()|nil, warning: string|nil }|nil
---@return table|nil problem
function readers.open(path, format, columns)
  return readers.formats[format](path, columns)
end

return readers
