-- report/problems.lua: what is wrong with a suite or its data, as lines for people.

local format = require "evalhost.report.format"
local native = require "evalhost.native.text"

local problems = {}

-- A dataset's problems are listed up to this number (cases.lua stops there).
local MOST = 20

-- "data.csv:7:12: row 3, column expected_args (offset 4): "
local function place(problem, name)
  local head = name or ""
  if problem.line then
    head = ("%s:%d"):format(head == "" and "line" or head, problem.line)
    if math.type(problem.column) == "integer" then
      head = ("%s:%d"):format(head, problem.column)
    end
  end
  local parts = {}
  if problem.row and problem.row > 0 then
    parts[#parts + 1] = ("row %d"):format(problem.row)
  end
  if type(problem.column) == "string" then
    parts[#parts + 1] = "column " .. problem.column
  end
  if problem.offset then
    parts[#parts + 1] = ("offset %d"):format(problem.offset)
  end
  local inner = table.concat(parts, ", ")
  if head ~= "" and inner ~= "" then
    return head .. ": " .. inner .. ": "
  end
  return head .. inner .. (head .. inner ~= "" and ": " or "")
end

--- One problem of a dataset as lines: where and what, then how to mend it.
---@param problem { row: integer|nil, line: integer|nil, column: any, offset: integer|nil,
---  message: string, hint: string|nil }
---@param name string|nil the dataset
---@return string[]
function problems.lines(problem, name)
  local lines = { format.line(place(problem, name) .. problem.message) }
  if problem.hint and problem.hint ~= "" then
    lines[2] = "  hint: " .. format.line(problem.hint)
  end
  return lines
end

--- A problem before a run: its message, and all rows that have one.
---@param p { message: string, problems: table[]|nil, name: string|nil, traceback: string|nil }
---@return string text with a final line end
function problems.text(p)
  local lines = { "evalhost: " .. native.clean(p.message, true) }
  for _, problem in ipairs(p.problems or {}) do
    for _, line in ipairs(problems.lines(problem, p.name)) do
      lines[#lines + 1] = "  " .. line
    end
  end
  if p.problems and #p.problems >= MOST then
    lines[#lines + 1] = ("  (only the first %d are listed)"):format(MOST)
  end
  if p.traceback then
    lines[#lines + 1] = native.clean(p.traceback, true)
  end
  return table.concat(lines, "\n") .. "\n"
end

return problems
