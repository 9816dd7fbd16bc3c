-- csv.lua: eval.csv: reading and writing CSV files from a suite.

local check = require "evalhost.check"
local native = require "evalhost.native.csv"
local fs = require "evalhost.native.fs"
local paths = require "evalhost.paths"

---@class evalhost.csv
local csv = {}

--- The rows of a file as tables by column name. Raises when the file is malformed.
---@param path string relative to the suite's folder
---@return table<string, string>[]
function csv.read(path)
  local reader, err = native.open(paths.resolve(path))
  if not reader then
    error(("eval.csv.read(\"%s\"): %s"):format(path, err.message), 2)
  end
  local header, problem = reader:header()
  local rows = {}
  while header do
    local cells, line = reader:next()
    if not cells then
      problem = line
      break
    end
    local row = {}
    for i, name in ipairs(header) do
      row[name] = cells[i]
    end
    rows[#rows + 1] = row
  end
  reader:close()
  if problem then
    error(("%s:%d: %s"):format(path, problem.line or 1, problem.message), 2)
  end
  return rows
end

--- One line of CSV, without its end.
---@param row string[]
---@param options {formula_guard?: boolean}|nil
---@return string
csv.encode = native.encode

--- Rows of a CSV text as lists of cells.
csv.parse = native.parse

--- Writes rows (tables by column name) to a file, whole or not at all. Values that are tables are
--- written as JSON.
---@param path string relative to the suite's folder
---@param rows table[]
---@param options {columns: string[]} which columns, in which order
function csv.write(path, rows, options)
  options = check.options(options, { columns = "list" }, "eval.csv.write")
  if not options.columns then
    error("eval.csv.write: say columns = { ... }", 2)
  end
  local json = require "evalhost.native.json"
  local lines = { native.encode(options.columns) }
  for _, row in ipairs(rows) do
    local cells = {}
    for i, name in ipairs(options.columns) do
      local value = row[name]
      cells[i] = type(value) == "table" and assert(json.encode(value))
        or value == nil and "" or tostring(value)
    end
    lines[#lines + 1] = native.encode(cells)
  end
  local ok, err = fs.write_atomic(paths.resolve(path), table.concat(lines, "\n") .. "\n")
  if not ok then
    error(("eval.csv.write(\"%s\"): %s"):format(path, err.message), 2)
  end
end

return csv
