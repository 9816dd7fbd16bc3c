-- report/csv.lua: one row per case, for spreadsheets. Cells that a spreadsheet could take for a
-- formula begin with an apostrophe.

local csv = require "evalhost.native.csv"
local json = require "evalhost.native.json"
local view = require "evalhost.report.view"

local GUARD = { formula_guard = true }

local function present(value)
  return value ~= nil and value ~= json.null
end

local function cell(value)
  if not present(value) then
    return ""
  elseif type(value) == "string" then
    return value
  end
  return (json.encode(value)) -- numbers with all their digits
end

local function tool_names(tools)
  local names = {}
  for i, tool in ipairs(type(tools) == "table" and tools or {}) do
    names[i] = tool.name
  end
  return table.concat(names, ", ")
end

local function part(value, key)
  return type(value) == "table" and value[key] or nil
end

local function header(run)
  local row = { "id", "verdict", "score" }
  for _, entry in ipairs(run.metrics) do
    row[#row + 1] = entry.name
  end
  for _, name in ipairs { "reason", "input", "answer", "expected_tools", "actual_tools",
    "latency_ms", "input_tokens", "output_tokens", "total_tokens", "cost_usd", "error_code",
    "error_message" } do
    row[#row + 1] = name
  end
  for _, entry in ipairs(run.metrics) do
    row[#row + 1] = entry.name .. "_reason"
  end
  return row
end

local function row_of(run, case)
  local row = {}
  local function add(value)
    row[#row + 1] = cell(value)
  end
  add(case.id)
  add(case.verdict)
  add(case.score)
  for _, entry in ipairs(run.metrics) do
    add(part(case.metrics[entry.name], "value"))
  end
  local outcome, usage = case.outcome, part(case.outcome, "usage")
  add(case.reason)
  add(case.input)
  add(part(outcome, "answer"))
  add(tool_names(part(case.expected, "tools")))
  add(tool_names(part(outcome, "tool_calls")))
  add(part(outcome, "latency_ms"))
  add(part(usage, "input_tokens"))
  add(part(usage, "output_tokens"))
  add(part(usage, "total_tokens"))
  add(case.cost_usd)
  add(part(case.error, "code"))
  add(part(case.error, "message"))
  for _, entry in ipairs(run.metrics) do
    add(part(case.metrics[entry.name], "reason"))
  end
  return row
end

---@param out { write: fun(self, text: string) }
---@param run table
return function(out, run)
  out:write(csv.encode(header(run), GUARD) .. "\r\n")
  for case in view.cases(run) do
    out:write(csv.encode(row_of(run, case), GUARD) .. "\r\n")
  end
end
