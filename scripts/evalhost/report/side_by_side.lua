-- report/side_by_side.lua: the runs of `--target a,b` beside each other, when all have ended.

local console = require "evalhost.report.console"
local digest = require "evalhost.native.digest"
local fiber = require "evalhost.native.fiber"
local format = require "evalhost.report.format"
local grid = require "evalhost.report.table"
local json = require "evalhost.native.json"
local native = require "evalhost.native.text"
local os_ = require "evalhost.native.os"
local report = require "evalhost.report"
local store = require "evalhost.native.store"
local style = require "evalhost.report.style"

local side_by_side = {}

local DEFAULT_STORE = ".evalhost/store.db"

local function target_names(options)
  local names = {}
  for name in (options.target or ""):gmatch "[^,]+" do
    names[#names + 1] = name
  end
  return names
end

-- Is it a run of this suite that this process has made?
local function is_ours(stored, sha256)
  if stored.started_at < report.began or not stored.summary then
    return false
  end
  local header = json.decode(stored.header)
  return type(header) == "table" and header.suite_sha256 == sha256
end

-- The finished runs of this process, in the order of the targets.
local function runs_of(options)
  local handle, err = store.open(options.store or DEFAULT_STORE)
  if not handle then
    return nil, err
  end
  local list
  list, err = handle:runs { limit = 1000 }
  if not list then
    return nil, err
  end
  local sha256, by_target, runs = digest.sha256_file(options.operands[1]), {}, {}
  for _, stored in ipairs(list) do
    if not by_target[stored.target] and is_ours(stored, sha256) then
      by_target[stored.target] = json.decode(stored.summary)
    end
  end
  for _, name in ipairs(target_names(options)) do
    runs[#runs + 1] = by_target[name]
  end
  return runs
end

local function present(value)
  return value ~= json.null and value or nil
end

-- Adds a row with get(run) for each run, unless there is nothing to show.
local function add(rows, label, runs, get)
  local row, any = { label }, false
  for i, one in ipairs(runs) do
    local text = get(one)
    any = any or text ~= nil
    row[i + 1] = text or "n/a"
  end
  if any then
    rows[#rows + 1] = row
  end
end

local function metric_names(runs)
  local names, seen = {}, {}
  for _, one in ipairs(runs) do
    for name in pairs(one.summary.metrics) do
      if not seen[name] then
        seen[name] = true
        names[#names + 1] = name
      end
    end
  end
  table.sort(names)
  return names
end

local function shown(value, how)
  value = present(value)
  return value and how(value)
end

local COUNTS = { { "Passed", "passed" }, { "Failed", "failed" }, { "Errors", "errors" },
  { "Unscored", "unscored" }, { "Cancelled", "cancelled" } }

local function add_counts(rows, runs)
  add(rows, "Pass rate", runs, function(one)
    return shown(one.summary.pass_rate, format.percent)
  end)
  for _, pair in ipairs(COUNTS) do
    local most = 0
    for _, one in ipairs(runs) do
      most = math.max(most, one.summary[pair[2]])
    end
    add(rows, pair[1], runs, function(one)
      return most > 0 and format.count(one.summary[pair[2]]) or nil
    end)
  end
end

local function add_measures(rows, runs)
  for _, name in ipairs(metric_names(runs)) do
    local label = name
    for _, one in ipairs(runs) do
      label = one.summary.metrics[name] and one.summary.metrics[name].label or label
    end
    add(rows, label, runs, function(one)
      local metric = one.summary.metrics[name]
      return metric and shown(metric.mean, format.number)
    end)
  end
  add(rows, "Score", runs, function(one)
    return present(one.summary.score) and shown(one.summary.score.mean, format.number)
  end)
  for _, q in ipairs { "p50", "p95" } do
    add(rows, "Latency " .. q, runs, function(one)
      return shown(one.summary.latency_ms[q], format.ms)
    end)
  end
  add(rows, "Tokens", runs, function(one) return shown(one.summary.tokens.total, format.count) end)
  add(rows, "Cost", runs, function(one) return shown(one.summary.cost_usd, format.money) end)
end

local COLORS = { passed = "green", failed = "red", error = "yellow", interrupted = "yellow" }

local function lines_of(runs, paint)
  local head, rows, align = { "" }, {}, { "l" }
  for i, one in ipairs(runs) do
    head[i + 1] = { text = one.run.target, paint = paint.bold }
    align[i + 1] = "r"
  end
  rows[1] = head
  add(rows, "Status", runs, function(one)
    return { text = one.run.status, paint = paint[COLORS[one.run.status]] }
  end)
  add_counts(rows, runs)
  add_measures(rows, runs)
  add(rows, "Run", runs, function(one) return one.run.id end)
  return grid.lines(rows, align)
end

--- Runs as a table with a column each; as several tables, where one would be too wide.
---@param runs { run: table, summary: table }[] documents without cases
---@param look evalhost.Look
---@return string[]
function side_by_side.lines(runs, look)
  local plain, widest = lines_of(runs, style.new(false)), 0
  for _, line in ipairs(plain) do
    widest = math.max(widest, native.width(line))
  end
  if widest <= look.width or #runs == 1 then
    return lines_of(runs, look.paint)
  end
  local half = (#runs + 1) // 2
  local lines = side_by_side.lines(table.move(runs, 1, half, 1, {}), look)
  lines[#lines + 1] = ""
  local rest = side_by_side.lines(table.move(runs, half + 1, #runs, 1, {}), look)
  return table.move(rest, 1, #rest, #lines + 1, lines)
end

---@async
---@param options table the command line
---@return integer
function side_by_side.main(options)
  local runs, err = runs_of(options)
  if not runs then
    console.problem("the runs cannot be compared: " .. fiber.text(err))
    return 0
  elseif #runs < 2 then
    return 0
  end
  local look = { width = console.width(1), paint = style.new(style.colors(options).out) }
  os_.write_out("\n" .. table.concat(side_by_side.lines(runs, look), "\n") .. "\n")
  return 0
end

return side_by_side
