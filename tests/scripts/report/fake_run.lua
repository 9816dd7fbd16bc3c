-- fake_run.lua: a run with results, without a suite file, a store or a target. For specs.

local bounds = require "evalhost.bounds"
local metric = require "evalhost.metric"
local record = require "evalhost.record"
local summary = require "evalhost.summary"

local fake_run = {}

local function share(label, meanings)
  return metric.new { function() end, label = label, range = { 0, 1 }, meanings = meanings }
end

local function defaults(one, index)
  return {
    case = { id = one.id or "case-" .. index, input = one.input or "a question",
      expected = one.expected or {}, metadata = {} },
    index = one.index or index, attempt = one.attempt or 1, verdict = one.verdict or "pass",
    score = one.score, metrics = one.metrics or {}, outcome = one.outcome, error = one.error,
    reason = one.reason, cost = one.cost,
    timings = { target_ms = 12, judge_ms = 3, wait_ms = 0 },
  }
end

local function rows_of(results)
  local rows = {}
  for i, one in ipairs(results) do
    local result = defaults(one, i)
    if result.outcome then
      local outcome = result.outcome
      outcome.tool_calls, outcome.flags = outcome.tool_calls or {}, outcome.flags or {}
      outcome.sources, outcome.citations = {}, {}
    end
    local figures = record.figures(result)
    rows[i] = { result.index, result.attempt, result.case.id, result.verdict, result.score,
      figures, assert(record.encode(result)) }
  end
  return rows
end

local function stored(rows)
  return { results = function(_, options)
    local i = 0
    return function()
      i = i + 1
      local row = rows[i]
      if row then
        local text = not (options and options.records == false) and row[7] or nil
        return row[1], row[2], row[3], row[4], row[5], row[6], text
      end
    end
  end }
end

--- A run with these results, each { verdict, score, metrics, outcome, ... }.
---@param results table[]
---@param more table|nil metrics, pass, score, repeats, thresholds, gate, planned, options
---@return table run
---@return table doc
function fake_run.new(results, more)
  more = more or {}
  local suite = {
    name = "demo", pass = more.pass ~= false and { kind = "score" } or nil,
    score = more.score ~= false and function() end or nil,
    repeats = more.repeats or { n = 1, reduce = "mean" }, report = more.report,
    thresholds = {}, gate = more.gate or "minimum",
  }
  for _, item in ipairs(more.thresholds or {}) do
    suite.thresholds[#suite.thresholds + 1] = { level = item[1], figure = item[2],
      bound = assert(bounds.parse(item[3])) }
  end
  local run = {
    id = "20260101T000000-abcdef", suite = suite, target_name = "reference", params = {},
    metrics = more.metrics or { { name = "tools", metric = share "Tools" },
      { name = "facts", metric = share "Facts" } },
    judges = {}, options = more.options or {}, fingerprint = "f", data_name = "cases.csv",
    stored = stored(rows_of(results)), started_at = 0,
  }
  local all = summary.of(run, more.planned or #results)
  return run, {
    run = record.run { id = run.id, suite = "demo", status = more.status or "passed", exit_code = 0,
      target = "reference", started_at = "2026-01-01T00:00:00.000Z", notes = more.notes or {},
      finished_at = "2026-01-01T00:00:01.000Z", duration_ms = 1000, version = "1.0" },
    summary = all, thresholds = (summary.thresholds(suite, all)),
  }
end

fake_run.share = share

--- What a writer wrote.
---@return { write: function, text: fun(): string }
function fake_run.out()
  local parts = {}
  return {
    write = function(_, text) parts[#parts + 1] = text end,
    text = function() return table.concat(parts) end,
  }
end

--- Styles that mark colors as <color>text</color>, to be seen in specs.
fake_run.paint = setmetatable({}, { __index = function(_, name)
  return function(text) return ("<%s>%s</%s>"):format(name, text, name) end
end })

return fake_run
