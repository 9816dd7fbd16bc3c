-- metrics/latency.lua: how long the target took.

local check = require "evalhost.check"
local metric = require "evalhost.metric"

local latency = {}

--- latency in milliseconds, from 0: the target's own time by a monotonic clock, without waits for
--- admission, rate limits and backoff, and without the judges. Lower is better. Unscored
--- (`no_latency`) where the outcome has none.
---@return evalhost.Metric
function latency.latency(options)
  check.options(options, {}, "eval.metrics.latency")
  return metric.describe {
    label = "Latency",
    help = "the target's own time",
    range = { 0, math.huge },
    better = "lower",
    unit = "ms",
    fn = function(_, outcome)
      local ms = outcome.latency_ms
      if type(ms) ~= "number" then
        return metric.unscored("no_latency", "the outcome has no latency_ms")
      end
      return ms
    end,
  }
end

return latency
