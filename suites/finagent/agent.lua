-- The offline reference agent: no model, no network, the same answer every time. It plans tool
-- calls from the wording of a question, makes them, and writes the answer from their results.
-- It does not know everything: the suite is there to show where it is wrong.

local answer = require "answers"
local companies = require "companies"
local tools = require "tools"
local wording = require "wording"

local tool_by_name = {}
for _, tool in ipairs(tools) do tool_by_name[tool.name] = tool end

-- Words that ask for a tool: Lua patterns, searched in the question's words with a space before,
-- between and after them (so " at $" is a question that ends in "at").
local cues = {
  { tool = "get_stock_price", " price", " quote", " trading ", " trades? ", " stocks? ",
    " shares? ", " at $", " how did ", " how has ", " how have ", " moved " },
  { tool = "get_company_info", " tell me about ", " info", " company ", " profile", " sector",
    " industry", " headquarter", " employ", " people work", " what does .* do " },
  { tool = "calculate_financial_ratios", " ratio", " p e ", " margin", " profitab", " valuation",
    " return on equity", " debt " },
}
local detail_cues = { " market cap", " 52 week", " dividend", " details" }
local investment_cues = { " invest", " compound", " future value", " save", " put " }

local function mentions(text, patterns)
  for _, pattern in ipairs(patterns) do
    if text:find(pattern) then return true end
  end
  return false
end

local function pick_tools(text)
  local picked = {}
  for _, cue in ipairs(cues) do
    if mentions(text, cue) then picked[#picked + 1] = cue.tool end
  end
  return picked
end

local function ask(question)
  return { question = question, calls = {} }
end

-- A plan for a sum of money, or nil if the question is not about one.
local function plan_investment(question, text)
  local args = wording.investment(question)
  local amount = args.principal or args.monthly_contribution
  if not amount or not (args.annual_rate or mentions(text, investment_cues)) then return nil end
  if not args.annual_rate then return ask "Which interest rate a year should I calculate with?" end
  if not args.years then return ask "For how many years should I calculate?" end
  args.principal = args.principal or 0
  return { calls = { { name = "calculate_investment_returns", arguments = args } } }
end

local function ask_which(candidates)
  local options = {}
  for i, company in ipairs(candidates) do
    options[i] = ("%s (%s)"):format(company.name, company.ticker)
  end
  return ask(("Which company do you mean: %s?"):format(table.concat(options, " or ")))
end

local function arguments_for(tool, company, question, text)
  local args = { ticker = company.ticker }
  if tool == "get_stock_price" then
    args.period = wording.period(question)
    args.info = mentions(text, detail_cues) or nil
  end
  return args
end

---Decides what to call.
---@param question string
---@return { calls: { name: string, arguments: table }[], question: string? } plan
---  `question` is what to ask back instead of calling anything
local function plan(question)
  local text = " " .. table.concat(wording.words(question), " ") .. " "
  local investment = plan_investment(question, text)
  if investment then return investment end

  local found, candidates = companies.find(question)
  if candidates then return ask_which(candidates) end
  if #found == 0 then
    return ask "Which company do you mean? Please give me its name or ticker symbol."
  end
  local picked = pick_tools(text)
  if #picked == 0 then picked = { "get_stock_price" } end
  local calls = {}
  for _, tool in ipairs(picked) do
    for _, company in ipairs(found) do
      calls[#calls + 1] =
        { name = tool, arguments = arguments_for(tool, company, question, text) }
    end
  end
  return { calls = calls }
end

-- Makes the planned calls; each gets its result, or the tool's error.
local function act(calls)
  for _, call in ipairs(calls) do
    call.result, call.error = tool_by_name[call.name].run(call.arguments)
  end
  return calls
end

-- A case's input is a string, or a conversation whose last message is the question.
local function question_of(case)
  if type(case.input) == "table" then return case.input[#case.input].content end
  return case.input
end

return function(case)
  local planned = plan(question_of(case))
  local calls = act(planned.calls)
  return { answer = planned.question or answer(calls), tool_calls = calls }
end
