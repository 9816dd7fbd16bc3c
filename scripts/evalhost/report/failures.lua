-- report/failures.lua: the cases that did not pass, with why.

local format = require "evalhost.report.format"
local json = require "evalhost.native.json"
local metric = require "evalhost.metric"
local native = require "evalhost.native.text"
local summary = require "evalhost.summary"
local grid = require "evalhost.report.table"
local view = require "evalhost.report.view"

local failures = {}

-- So many are listed.
local MOST = 20
-- An id takes at most so many columns.
local ID_WIDTH = 40
-- In a file or a log, where nothing wraps, a reason takes so many.
local WHOLE = 400

local BAD = { fail = true, error = true, unscored = true }
local COLORS = { fail = "red", error = "yellow", unscored = "yellow" }

local function present(value)
  return value ~= nil and value ~= json.null
end

--- Why a case has its verdict, in one line.
---@param case table a canonical case, or a result of life.lua
---@return string
function failures.reason(case)
  local err = type(case.error) == "table" and case.error
  if err and case.verdict ~= "fail" then
    return ("%s: %s"):format(err.code, err.message)
  end
  return present(case.reason) and case.reason or ""
end

-- A metric that explains a failure: it is not at its best, as far as that is known, and says why.
local function explains(entry, result)
  if not present(result.reason) then
    return false
  elseif not present(result.value) then
    return true
  end
  local range = metric.is(entry.metric) and entry.metric.range
  if not range then
    return true
  end
  return result.value ~= (entry.metric.better == "lower" and range[1] or range[2])
end

local function metric_rows(run, case)
  local rows = {}
  for _, entry in ipairs(run.metrics) do
    local result = case.metrics[entry.name]
    if result and explains(entry, result) then
      rows[#rows + 1] = { summary.label(entry),
        present(result.value) and format.number(result.value, 2) or "unscored",
        format.line((result.reason:gsub("%s*\n%s*", "; "))) }
    end
  end
  return rows
end

-- Lines of one case: what it is and why, then the metrics that tell more.
local function add_case(lines, run, case, look)
  local verdict, id = ("%-8s"):format(case.verdict:upper()), format.line(case.id, ID_WIDTH)
  local line = ("  %s  %s"):format(look.paint[COLORS[case.verdict]](verdict), look.paint.bold(id))
  local reason = failures.reason(case)
  if reason ~= "" then
    local room = look.whole and WHOLE or look.width - #verdict - native.width(id) - 6
    line = line .. "  " .. format.line(reason, math.max(20, room))
  end
  lines[#lines + 1] = line
  if case.verdict == "fail" then
    for _, more in ipairs(grid.lines(metric_rows(run, case), { "l", "r", "l" }, "        ")) do
      lines[#lines + 1] = look.paint.dim(native.cut(more, look.whole and WHOLE or look.width, "…"))
    end
  end
end

--- The first cases that failed or have no verdict, in case order.
---@async
---@param run table
---@param all table the summary
---@param look evalhost.Look
---@return string[]
function failures.lines(run, all, look)
  local total, listed = all.failed + all.errors + all.unscored, 0
  if total == 0 then
    return {}
  end
  local lines = { look.paint.bold(("Not passed (%s of %s)"):format(format.count(total),
    format.count(all.cases))) }
  for case in view.cases(run, BAD) do
    add_case(lines, run, case, look)
    listed = listed + 1
    if listed == MOST or listed == total then
      break
    end
  end
  if listed < total then
    lines[#lines + 1] = ("  … and %s more"):format(format.count(total - listed))
  end
  return lines
end

return failures
