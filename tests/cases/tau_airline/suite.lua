-- Real runs: 100 recorded conversations of gpt-4o with an airline's tools (tau-bench), scored by
-- the calls that were expected and those that were made. Needs EVALHOST_DATA.
local eval = require "evalhost"

local data = eval.env("EVALHOST_DATA") or error("EVALHOST_DATA is not set")

local function calls_of(recorded)
  local calls = {}
  for i, call in ipairs(recorded) do
    calls[i] = { name = call.name, arguments = call.args, result = call.output }
  end
  return calls
end

return eval.suite {
  name = "tau_airline",
  cases = eval.cases(data .. "/trajectories/tau_airline_gpt4o.jsonl", {
    map = function(row)
      return {
        id = row.id,
        input = row.query,
        expected = { tools = calls_of(row.expected_calls) },
        metadata = { answer = row.final_answer, calls = row.actual_calls, reward = row.reward },
      }
    end,
  }),
  target = function(case)
    return { answer = case.metadata.answer, tool_calls = calls_of(case.metadata.calls) }
  end,
  metrics = {
    tool_selection = eval.metrics.tool_selection(),
    argument_match = eval.metrics.argument_match(),
    tool_minimality = eval.metrics.tool_minimality(),
    tools_exact = eval.metrics.tools_exact(),
    reward = function(case) return case.metadata.reward end, -- the benchmark's own verdict
  },
  -- Computed by a program that shares no code with this one.
  thresholds = {
    reference = {
      tool_selection = "== 0.77223809523809506",
      argument_match = "== 0.70327489177489166",
      tool_minimality = "== 0.14",
      tools_exact = "== 0.09",
      reward = "== 0.41",
    },
  },
}
