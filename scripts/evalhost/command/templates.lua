-- command/templates.lua: the files of a new suite. @NAME@ is its name, @SUITE@ its path.

local templates = {}

templates[1] = { name = "suite.lua", text = [=[
-- What is measured, on which cases, and what must be reached.       evalhost @SUITE@
local eval = require "evalhost"

return eval.suite {
  name  = "@NAME@",

  -- Columns: id, input (what is asked), expected_X (what is wanted). docs/datasets.md tells more.
  cases = eval.cases "cases.csv",

  -- What is tested: a Lua function, a model with tools, or a service. --target NAME picks one.
  targets = {
    agent = require "agent",
    -- model   = eval.targets.chat { model = "gpt-4o-mini", system = "You are a helpful clerk." },
    -- service = eval.targets.http { url = "http://localhost:8080/chat" },
  },
  target = "agent",

  -- Each gives a number for a case. A function (case, outcome) is a metric too.
  metrics = {
    correct = eval.metrics.icontains { of = "answer" },
    brief   = function(_, outcome) return #outcome.answer <= 200 end,
  },

  -- One figure per case, and the bound from which the case passes.
  score = function(m) return 0.9 * m.correct + 0.1 * m.brief end,
  pass  = 0.7,

  -- What the run as a whole must reach; decides the exit code.
  thresholds = { minimum = { pass_rate = 0.75 } },
}
]=] }

templates[2] = { name = "cases.csv", text = [=[
id,input,expected_answer
opening_hours,When do you open?,9 am
closing_time,How late are you there today?,6 pm
returns,Can I send something back?,30 days
returns_informal,dont like it want my money back,30 days
shipping_cost,"What does delivery cost, and is it ever free?",free above $50
shipping_abroad,Would you send it to Canada?,within the country
]=] }

templates[3] = { name = "agent.lua", text = [=[
-- The agent under test: a few rules that stand in for a real one. Replace it, or point the suite
-- at a model or a service. It gets a case and returns the answer, or a table with more:
-- { answer = ..., tool_calls = { { name = ..., arguments = {...} } }, sources = {...} }.

local answers = {
  { words = { "open", "late", "hours" }, answer = "We are open from 9 am to 6 pm." },
  { words = { "back", "return", "refund" }, answer = "You can return anything within 30 days." },
  { words = { "delivery", "shipping" }, answer = "Delivery is $4.90, and free above $50." },
}

return function(case)
  local input = case.input:lower()
  for _, entry in ipairs(answers) do
    for _, word in ipairs(entry.words) do
      if input:find(word, 1, true) then
        return entry.answer
      end
    end
  end
  return "I do not know."
end
]=] }

templates[4] = { name = "README.md", text = [=[
# @NAME@

    evalhost check @SUITE@     # is everything in order?
    evalhost @SUITE@           # run it
    evalhost @SUITE@ -o results.json -o results.md

- `cases.csv`: the questions, and what the answers must contain. Add the ones that matter to you.
- `agent.lua`: what is tested. Put your own agent there, or name a model or a service in
  `suite.lua`. The rules that it holds now know nothing of sending abroad: the run shows it.
- `suite.lua`: the metrics, the combined score, when a case passes and when the whole run does.

The exit code is 0 when every threshold is met, 1 when one is not, 2 when the suite or its data are
wrong, 3 when cases had errors or could not be scored.
]=] }

return templates
