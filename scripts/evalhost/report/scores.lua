-- report/scores.lua: the block that sums a run up in percent, and what the figures mean.

local format = require "evalhost.report.format"
local grid = require "evalhost.report.table"
local metric = require "evalhost.metric"
local style = require "evalhost.report.style"

local scores = {}

local EPSILON = 1e-12

-- Is a metric a share, that reads as percent?
local function is_share(entry)
  local range = metric.is(entry.metric) and entry.metric.range or nil
  return range ~= nil and range[1] == 0 and range[2] == 1
end

--- "good" from 0.9, "acceptable" from 0.7, else "needs_work"; on the unrounded value.
---@param value number
---@return "good"|"acceptable"|"needs_work"
function scores.grade(value)
  if value >= 0.9 - EPSILON then
    return "good"
  end
  return value >= 0.7 - EPSILON and "acceptable" or "needs_work"
end

local GRADES = { good = "Good", acceptable = "Acceptable", needs_work = "Needs Work" }

local function painted(value, look)
  return value and look.paint[style.band(value)](format.percent(value)) or "n/a"
end

local function counts(all, look)
  local lines = {}
  if all.pass_rate then
    lines[1] = "Pass Rate: " .. painted(all.pass_rate, look)
  end
  lines[#lines + 1] = "Total Tests: " .. all.cases
  if all.pass_rate then
    lines[#lines + 1] = "Passed: " .. all.passed
    lines[#lines + 1] = "Failed: " .. all.failed
  end
  for _, pair in ipairs { { "Errors", all.errors }, { "Unscored", all.unscored },
    { "Cancelled", all.cancelled } } do
    if pair[2] > 0 then
      lines[#lines + 1] = ("%s: %d"):format(pair[1], pair[2])
    end
  end
  return lines
end

local function score_line(all, look)
  local mean = all.score.mean
  if mean and (all.score.min < 0 or all.score.max > 1) then
    return "Overall Average: " .. format.number(mean)
  end
  return "Overall Average: " .. painted(mean, look)
end

--- Pass rate, counts, and the averages of the metrics that are shares.
---@param run table
---@param all table the summary
---@param look evalhost.Look
---@return string[]
function scores.lines(run, all, look)
  local lines, averages = counts(all, look), {}
  for _, entry in ipairs(run.metrics) do
    local figures = all.metrics[entry.name]
    if is_share(entry) then
      averages[#averages + 1] = ("- %s: %s"):format(figures.label, painted(figures.mean, look))
    end
  end
  if #averages > 0 then
    lines[#lines + 1] = ""
    lines[#lines + 1] = "Average Scores:"
    table.move(averages, 1, #averages, #lines + 1, lines)
  end
  if all.score and all.pass_rate then
    lines[#lines + 1] = score_line(all, look)
  end
  return lines
end

--- What the averages mean, for the metrics that say so.
---@param run table
---@param all table
---@param look evalhost.Look
---@return string[]
function scores.meanings(run, all, look)
  local rows = {}
  for _, entry in ipairs(run.metrics) do
    local meanings = metric.is(entry.metric) and entry.metric.meanings
    local mean = all.metrics[entry.name].mean
    if meanings and mean and is_share(entry) then
      local grade = scores.grade(mean)
      rows[#rows + 1] = { all.metrics[entry.name].label,
        { text = GRADES[grade], paint = look.paint[style.band(mean)] }, meanings[grade] or "" }
    end
  end
  return grid.lines(rows, nil, "  ")
end

return scores
