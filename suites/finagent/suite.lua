-- The FinAgent suite: does a financial agent pick the right tools, fill in the right arguments, and
-- say only what the tools told it?       evalhost suites/finagent/suite.lua
local eval = require "evalhost"

local system = [[
You are FinAgent, a careful assistant for questions about stocks, companies and investments.

- Every figure in your answer comes from a tool result of this conversation. Never answer from
  memory, and never estimate a figure that a tool can give you.
- Call every tool that the question needs, once per company where it names several. Do not call
  tools that it does not need.
- Pass tickers (Apple is AAPL, Google is GOOGL). Correct obvious misspellings. Give optional
  arguments only if the user asked for them. Rates are in percent: 7 means 7 %.
- If a company, an amount, a rate or a number of years is missing, or a name could mean several
  companies, ask one short question instead of guessing, and call nothing.
- If a tool reports an error, correct the call once if you can; otherwise say what went wrong.
- Answer in a few plain sentences: name the company, the figure and what it means.
]]

return eval.suite {
  name  = "finagent",
  cases = eval.cases("sample_evaluation.csv", { columns = eval.columns.finagent }),

  -- The agents that can be tested; `--target NAME` picks one.
  targets = {
    reference = require "agent",      -- agent.lua: rules instead of a model, offline
    openai    = eval.targets.chat { model = "gpt-4o", system = system, tools = require "tools" },
    live      = eval.targets.http { url = eval.env("FINAGENT_URL", "http://localhost:8080/chat") },
  },
  target = "reference",

  -- Each is 0 to 1. Without an API key the built-in judge stands in for the model.
  metrics = {
    tool_selection = eval.metrics.tool_selection(),
    argument_match = eval.metrics.argument_match(),
    faithfulness   = eval.judges.faithfulness { model = "gpt-4o", temperature = 0 },
  },

  -- One figure per case, and the bound from which the case passes.
  score = function(m) return (m.tool_selection + m.argument_match + m.faithfulness) / 3 end,
  pass  = 0.7,

  -- What the run as a whole must reach; decides the exit code.
  thresholds = { minimum = { pass_rate = 0.70 } },
  limits     = { concurrency = 8, case_timeout = 60 },
}
