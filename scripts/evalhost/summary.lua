-- summary.lua: the figures of a run, read from the store in one pass over the committed results.
-- Sums are compensated and intervals are 95 % (src/metric/stats.h); memory does not grow with the
-- number of cases but for latencies, 8 bytes each.

local bounds = require "evalhost.bounds"
local json = require "evalhost.native.json"
local metric = require "evalhost.metric"
local record = require "evalhost.record"
local reduce = require "evalhost.reduce"
local stats = require "evalhost.native.stats"

local summary = {}

local COUNTED = { pass = "passed", fail = "failed", error = "errors", unscored = "unscored",
  cancelled = "cancelled", scored = "scored" }

local Collector = {}
Collector.__index = Collector

local function collector(run)
  local self = setmetatable({
    run = run, counts = { passed = 0, failed = 0, errors = 0, unscored = 0, cancelled = 0,
      scored = 0 },
    metrics = {}, details = {}, detail_names = {}, score = stats.series(),
    latency = stats.series(true), tokens = { input = 0, output = 0, total = 0 }, tokens_seen = {},
    cost = nil, cost_known = true, seen = 0,
  }, Collector)
  for _, entry in ipairs(run.metrics) do
    self.metrics[entry.name] = { series = stats.series(), unscored = 0 }
  end
  return self
end

local function push(series, value)
  if type(value) == "number" then
    series:push(value)
    return true
  end
  return false
end

function Collector:add_metrics(figures)
  for name, value in pairs(figures.m) do
    local known = self.metrics[name]
    if known and not push(known.series, value) then
      known.unscored = known.unscored + 1
    end
  end
  for name, value in pairs(figures.d or {}) do
    if not self.details[name] then
      self.details[name] = stats.series()
      self.detail_names[#self.detail_names + 1] = name
    end
    push(self.details[name], value)
  end
end

function Collector:add_usage(figures)
  for name, key in pairs { input = "i", output = "o", total = "t" } do
    if figures[key] then
      self.tokens[name] = self.tokens[name] + figures[key]
      self.tokens_seen[name] = true
    end
  end
  if figures.c then
    self.cost = (self.cost or 0) + figures.c
  elseif figures.i then
    self.cost_known = false -- a model without a price: the sum would be wrong
  end
end

--- One attempt counts for tokens, cost and latency; a case for everything else.
function Collector:add(case)
  self.seen = self.seen + 1
  local counted = COUNTED[case.verdict]
  self.counts[counted] = self.counts[counted] + 1
  push(self.score, case.score)
  self:add_metrics(case)
  for _, figures in ipairs(case.attempts) do
    push(self.latency, figures.l)
    self:add_usage(figures)
  end
end

local function interval(series, seed)
  local lo, hi, method = series:ci(seed)
  if not lo then
    return nil, nil
  end
  return json.array { lo, hi }, method
end

local function metric_summary(self, entry)
  local known = self.metrics[entry.name]
  local ci, method = interval(known.series, self.run.fingerprint .. "|" .. entry.name)
  local details
  for _, name in ipairs(self.detail_names) do
    local head, key = name:match "^([^.]+)%.(.+)$"
    if head == entry.name then
      details = details or {}
      details[key] = { mean = self.details[name]:mean(), n = self.details[name]:count() }
    end
  end
  return record.metric_summary {
    label = summary.label(entry), mean = known.series:mean(), ci = ci, ci_method = method,
    min = known.series:min(), max = known.series:max(), n = known.series:count(),
    unscored = known.unscored, better = metric.is(entry.metric) and entry.metric.better or "higher",
    details = details,
  }
end

--- How a table names a metric: the label that the suite gave it, else its name in words. (Labels of
--- the library's own metrics name the kind; a suite may use one kind several times.)
---@param entry { name: string, metric: any }
---@return string
function summary.label(entry)
  if metric.is(entry.metric) and entry.metric.suite_label then
    return entry.metric.suite_label
  end
  return (entry.name:gsub("_", " "):gsub("%f[%w]%l", string.upper))
end

local function score_summary(self)
  if not self.run.suite.score then
    return nil
  end
  local ci, method = interval(self.score, self.run.fingerprint .. "|score")
  return record.score_summary {
    mean = self.score:mean(), ci = ci, ci_method = method, best = self.score:max(),
    min = self.score:min(), max = self.score:max(), n = self.score:count(),
  }
end

function Collector:finish(planned)
  local counts, has_pass = self.counts, self.run.suite.pass ~= nil
  local decided = counts.passed + counts.failed
  local not_run = planned - self.seen
  local rate, rate_ci
  if has_pass and planned > 0 then
    rate = counts.passed / planned
    local lo, hi = stats.wilson(counts.passed, planned)
    rate_ci = json.array { lo, hi }
  end
  local metrics = {}
  for _, entry in ipairs(self.run.metrics) do
    metrics[entry.name] = metric_summary(self, entry)
  end
  local function tokens(name)
    return self.tokens_seen[name] and self.tokens[name] or nil
  end
  local latency = self.latency
  return record.summary {
    cases = planned, passed = counts.passed, failed = counts.failed, errors = counts.errors,
    unscored = counts.unscored, cancelled = counts.cancelled + not_run, pass_rate = rate,
    pass_rate_scored = has_pass and decided > 0 and counts.passed / decided or nil,
    pass_rate_ci = rate_ci, pass_rate_ci_method = rate_ci and "wilson" or nil,
    metrics = metrics, score = score_summary(self),
    tokens = record.tokens { input = tokens "input", output = tokens "output",
      total = tokens "total" },
    latency_ms = record.latency { mean = latency:mean(), p50 = latency:quantile(0.5),
      p95 = latency:quantile(0.95), p99 = latency:quantile(0.99), max = latency:max() },
    cost_usd = self.cost_known and self.cost or nil,
  }
end

--- The summary of a run from its committed results.
---@param run table
---@param planned integer
---@return table
function summary.of(run, planned)
  local all = collector(run)
  for case in reduce.cases(run.stored, run.suite.repeats) do
    all:add(case)
  end
  return all:finish(planned)
end

-- Looks a figure of a threshold up; nil when it was not measured.
local function figure_of(all, name)
  local direct = all.metrics[name]
  if name == "pass_rate" then
    return all.pass_rate
  elseif name == "cost_usd" then
    return all.cost_usd
  elseif name == "score" then
    return all.score and all.score.mean
  elseif direct then
    return direct.mean
  end
  local head, key = name:match "^([^.]+)%.(.+)$"
  if head == "score" then
    return all.score and all.score[key]
  elseif head == "latency_ms" then
    return all.latency_ms[key]
  elseif head == "tokens" then
    return all.tokens[key]
  end
  local details = all.metrics[head] and all.metrics[head].details
  return details and details[key] and details[key].mean
end

--- Every threshold with what was measured. One whose figure has no value is not met.
---@param suite evalhost.Suite
---@param all table a summary
---@return table[] records
---@return boolean met every one of the deciding level
function summary.thresholds(suite, all)
  local list, met = json.array(), true
  for _, item in ipairs(suite.thresholds) do
    local actual = figure_of(all, item.figure)
    local ok = actual ~= nil and bounds.met(item.bound, actual)
    list[#list + 1] = record.threshold {
      level = item.level, figure = item.figure, op = item.bound.op, limit = item.bound.limit,
      actual = actual, met = ok,
    }
    if item.level == suite.gate and not ok then
      met = false
    end
  end
  return list, met
end

return summary
