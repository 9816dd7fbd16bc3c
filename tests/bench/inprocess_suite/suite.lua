-- The benchmark without a network: a target and three metrics in Lua and C, BENCH_CASES cases
-- from an iterator. Run by tests/bench/run.sh.
local eval = require "evalhost"

local total = tonumber(eval.env("BENCH_CASES", "1000"))

local function cases()
  local n = 0
  return function()
    n = n + 1
    if n > total then return nil end
    return {
      id = string.format("case-%07d", n),
      input = "Case " .. n .. ": what is the capital of France?",
      expected = { answer = "Paris", keywords = { "Paris", "Seine" } },
    }
  end
end

return eval.suite {
  name = "bench_inprocess",
  cases = cases(),
  target = function(case)
    return { answer = case.expected.answer .. ", on the river Seine (" .. case.id .. ")" }
  end,
  metrics = {
    names_paris = eval.metrics.contains { value = "Paris" },
    keywords = eval.metrics.keywords(),
    brief = function(_, outcome) return #outcome.answer <= 80 end,
  },
  pass = { names_paris = 1, keywords = 1, brief = 1 },
}
