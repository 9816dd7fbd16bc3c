-- report/figures.lua: the tables of a run's end: metrics, thresholds, costs.

local format = require "evalhost.report.format"
local grid = require "evalhost.report.table"
local metric = require "evalhost.metric"

local figures = {}

-- All figures of a row with the same number of decimals, by the largest.
local function decimals_of(one)
  local size = math.max(math.abs(one.max or 0), math.abs(one.min or 0))
  return format.decimals(size)
end

local function interval(ci, decimals)
  if not ci then
    return "n/a"
  end
  return ("%s to %s"):format(format.number(ci[1], decimals), format.number(ci[2], decimals))
end

local function metric_row(label, one, look)
  local decimals = decimals_of(one)
  local unscored = one.unscored or 0
  return { label, format.number(one.mean, decimals), interval(one.ci, decimals),
    format.number(one.min, decimals), format.number(one.max, decimals), format.count(one.n),
    { text = unscored > 0 and format.count(unscored) or "", paint = look.paint.yellow } }
end

--- A row for each metric and the score: mean, 95 % interval, min, max, n.
---@param run table
---@param all table the summary
---@param look evalhost.Look
---@return string[]
function figures.metrics(run, all, look)
  local rows = { {} }
  local any_unscored = false
  for _, entry in ipairs(run.metrics) do
    local one = all.metrics[entry.name]
    local unit = metric.is(entry.metric) and entry.metric.unit
    rows[#rows + 1] = metric_row(unit and ("%s (%s)"):format(one.label, unit) or one.label, one,
      look)
    any_unscored = any_unscored or one.unscored > 0
  end
  if all.score then
    rows[#rows + 1] = metric_row("Score", all.score, look)
  end
  for i, title in ipairs { "Metric", "mean", "95 % interval", "min", "max", "n",
    any_unscored and "unscored" or "" } do
    rows[1][i] = { text = title, paint = look.paint.bold }
  end
  return grid.lines(rows, { "l", "r", "r", "r", "r", "r", "r" })
end

--- A row for each threshold: met or not, by level.
---@param run table
---@param list table[] thresholds of the document
---@param look evalhost.Look
---@return string[]
function figures.thresholds(run, list, look)
  local rows = {}
  for _, item in ipairs(list) do
    local decides = item.level == run.suite.gate
    rows[#rows + 1] = {
      item.met and { text = "met", paint = look.paint.green }
        or { text = "not met", paint = decides and look.paint.red or look.paint.yellow },
      item.level, ("%s %s %.14g"):format(item.figure, item.op, item.limit),
      "is " .. format.number(item.actual), decides and #list > 1 and "decides" or "",
    }
  end
  return grid.lines(rows, nil, "  ")
end

--- Latency, tokens, cost, time, as a list of names and values.
---@param doc table
---@return string[][]
function figures.costs(doc)
  local all, rows = doc.summary, {}
  local latency, tokens = all.latency_ms, all.tokens
  if latency.p50 then
    rows[1] = { "Latency", ("p50 %s, p95 %s, p99 %s, max %s"):format(format.ms(latency.p50),
      format.ms(latency.p95), format.ms(latency.p99), format.ms(latency.max)) }
  end
  if tokens.input or tokens.total then
    local parts = {}
    for _, one in ipairs { { tokens.input, "in" }, { tokens.output, "out" },
      { tokens.total, "in all" } } do
      if one[1] then -- an agent may report only some of them
        parts[#parts + 1] = format.count(one[1]) .. " " .. one[2]
      end
    end
    rows[#rows + 1] = { "Tokens", table.concat(parts, ", ") }
  end
  if all.cost_usd then
    rows[#rows + 1] = { "Cost", format.money(all.cost_usd) }
  end
  return rows
end

return figures
