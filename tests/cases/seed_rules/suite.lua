-- tool_selection and argument_match against the answers that came with the reference data: every
-- row must give the recorded values. Needs EVALHOST_DATA, the folder of that data.
local eval = require "evalhost"

local data = eval.env("EVALHOST_DATA") or error("EVALHOST_DATA is not set")

-- A single tool stands with an object of arguments, several with a list of them.
local function expected_calls(row)
  if type(row.expected_tool) == "string" then
    return { { name = row.expected_tool, arguments = row.expected_args } }
  end
  local calls = {}
  for i, name in ipairs(row.expected_tool) do
    calls[i] = { name = name, arguments = row.expected_args[i] }
  end
  return calls
end

local function near(a, b)
  return math.abs(a - b) <= 1e-12
end

return eval.suite {
  name = "seed_rules",
  cases = eval.cases(data .. "/trajectories/seed_rule_cases.jsonl", {
    map = function(row)
      return {
        id = row.id,
        input = row.id,
        expected = { tools = expected_calls(row) },
        metadata = {
          calls = row.actual_calls,
          tool_selection = row.tool_selection,
          argument_match = row.argument_match,
        },
      }
    end,
  }),
  target = function(case)
    local calls = {}
    for i, call in ipairs(case.metadata.calls) do
      calls[i] = { name = call.name, arguments = call.args }
    end
    return { answer = "", tool_calls = calls }
  end,
  metrics = {
    tool_selection = eval.metrics.tool_selection(),
    argument_match = eval.metrics.argument_match(),
  },
  pass = function(m, _, case)
    local want = case.metadata
    if not near(m.tool_selection, want.tool_selection) then
      return false, ("tool_selection %.17g, recorded %.17g"):format(m.tool_selection,
        want.tool_selection)
    end
    if not near(m.argument_match, want.argument_match) then
      return false, ("argument_match %.17g, recorded %.17g"):format(m.argument_match,
        want.argument_match)
    end
    return true
  end,
}
