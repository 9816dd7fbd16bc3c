-- report/ending.lua: what a run's end shows: failing cases, the summary, tables, the verdict.

local facts = require "evalhost.report.facts"
local failures = require "evalhost.report.failures"
local figures = require "evalhost.report.figures"
local format = require "evalhost.report.format"
local grid = require "evalhost.report.table"
local native = require "evalhost.native.text"
local scores = require "evalhost.report.scores"

local ending = {}

---@class evalhost.Look
---@field width integer columns
---@field whole boolean|nil no terminal: reasons are not cut to the columns
---@field paint evalhost.Style

local STATUS_COLORS = { passed = "green", failed = "red", error = "yellow", interrupted = "yellow" }

-- Why the run has its status, in words.
local function why(run, doc)
  local all = doc.summary
  if run.stopped == "fail-fast" then
    return "stopped at the first case that did not pass"
  elseif doc.run.status == "interrupted" then
    return ("stopped by %s"):format(run.stopped)
  elseif doc.run.status == "error" and run.store_error then
    return "results could not be kept"
  elseif doc.run.status == "error" and run.fault then
    return "stopped by a fault"
  elseif doc.run.status == "error" then
    local parts = {}
    if all.errors > 0 then
      parts[1] = format.plural(all.errors, "case") .. " without a usable reply"
    end
    if all.unscored > 0 then
      parts[#parts + 1] = (#parts > 0 and format.count(all.unscored)
        or format.plural(all.unscored, "case")) .. " unscored"
    end
    return table.concat(parts, ", ")
  end
  local missed = {}
  for _, item in ipairs(doc.thresholds) do
    if item.level == run.suite.gate and not item.met then
      missed[#missed + 1] = ("%s %s %.14g"):format(item.figure, item.op, item.limit)
    end
  end
  if #missed > 0 then
    return ("%s not met: %s"):format(run.suite.gate, table.concat(missed, ", "))
  end
  return run.suite.gate and "every threshold met" or "measured; the suite sets no thresholds"
end

local function sections(run, doc, look)
  local all = doc.summary
  return {
    failures.lines(run, all, look),
    scores.lines(run, all, look),
    scores.meanings(run, all, look),
    figures.metrics(run, all, look),
    figures.thresholds(run, doc.thresholds, look),
  }
end

local function facts_rows(run, doc, look)
  local rows = figures.costs(doc)
  for _, line in ipairs(facts.judges(run)) do
    rows[#rows + 1] = { "Judge", line }
  end
  for _, note in ipairs(doc.run.notes or {}) do
    rows[#rows + 1] = { { text = "Note", paint = look.paint.yellow }, format.line(note) }
  end
  rows[#rows + 1] = { "Run", doc.run.id }
  return rows
end

--- The whole end of a run.
---@async
---@param run table
---@param doc { run: table, summary: table, thresholds: table[] }
---@param look evalhost.Look
---@return string text with a final line end
function ending.text(run, doc, look)
  local lines = {}
  if (run.options.slots or 1) > 1 then
    lines[1], lines[2] = "", look.paint.bold("Target " .. doc.run.target)
  end
  for _, section in ipairs(sections(run, doc, look)) do
    if #section > 0 then
      lines[#lines + 1] = ""
      table.move(section, 1, #section, #lines + 1, lines)
    end
  end
  lines[#lines + 1] = ""
  local rows = facts_rows(run, doc, look)
  table.move(grid.lines(rows), 1, #rows, #lines + 1, lines)
  local status = look.paint[STATUS_COLORS[doc.run.status]](look.paint.bold(doc.run.status:upper()))
  lines[#lines + 1] = ""
  lines[#lines + 1] = ("%s  %s, target %s, %s, in %s: %s"):format(status, doc.run.suite,
    doc.run.target, facts.cases(run, doc.summary.cases), format.ms(doc.run.duration_ms),
    native.clean(why(run, doc)))
  return table.concat(lines, "\n") .. "\n"
end

return ending
