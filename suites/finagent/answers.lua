-- Turns tool results into sentences. Every figure comes from a result; nothing is made up here.

local function grouped(digits)
  return (digits:reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", ""))
end

local function money(value)
  local whole, cents = ("%.2f"):format(math.abs(value)):match "(%d+)(%.%d+)"
  return (value < 0 and "-$" or "$") .. grouped(whole) .. cents
end

local function billions(value)
  return money(value / 1e9) .. " billion"
end

local function count(value)
  return grouped(("%.0f"):format(value))
end

-- 7 -> "7", 7.5 -> "7.5", also where the codec made a float of an integer
local function plain(value)
  return ("%.14g"):format(value)
end

local write = {}

function write.get_stock_price(r, args)
  local text = { ("The current stock price of %s (%s) is %s."):format(
    r.company, r.ticker, money(r.current_price)) }
  if args.period then
    text[#text + 1] = ("Since %s the price has changed from %s to %s, a change of %.2f%%; it was "
      .. "between %s and %s."):format(r.start_date, money(r.start_price), money(r.current_price),
      r.change_percent, money(r.low), money(r.high))
  end
  if r.market_cap then
    text[#text + 1] = ("The market cap is %s, the 52-week range is %s to %s and the dividend yield "
      .. "is %.2f%%."):format(billions(r.market_cap), money(r.low_52_weeks),
      money(r.high_52_weeks), r.dividend_yield_percent)
  end
  return table.concat(text, " ")
end

function write.get_company_info(r)
  return ("%s (%s) %s. Its sector is %s, its industry %s. It has its headquarters in %s, %s "
    .. "employees and a market cap of %s."):format(r.company, r.ticker, r.summary, r.sector,
    r.industry, r.headquarters, count(r.employees), billions(r.market_cap))
end

function write.calculate_financial_ratios(r)
  local pe = r.pe_ratio and ("has a P/E ratio of %.2f"):format(r.pe_ratio)
    or "makes a loss, so that it has no P/E ratio"
  return ("%s (%s) %s. Profitability: the net profit margin is %.2f%% and the return on equity "
    .. "%.2f%%. Price to book is %.2f and debt to equity %.2f."):format(r.company, r.ticker, pe,
    r.net_margin_percent, r.return_on_equity_percent, r.price_to_book, r.debt_to_equity)
end

function write.calculate_investment_returns(r)
  local paid = r.monthly_contribution > 0
    and (" with %s added every month"):format(money(r.monthly_contribution)) or ""
  return ("With compound interest at %s%% a year, compounded monthly, %s%s grows to a future value "
    .. "of %s in %s years. You pay in %s and earn %s of interest."):format(plain(r.annual_rate),
    money(r.principal), paid, money(r.future_value), plain(r.years),
    money(r.total_contributions), money(r.interest_earned))
end

-- The figure that decides a comparison, and how to say which is ahead.
local comparisons = {
  get_stock_price = function(call)
    if call.arguments.period then return call.result.change_percent, "has done better" end
    return call.result.current_price, "has the higher price"
  end,
  calculate_financial_ratios = function(call)
    return call.result.net_margin_percent, "has the better margins"
  end,
}

-- A closing sentence where one tool was asked about several companies.
local function comparison(calls)
  local best, best_figure, verdict, level
  for _, call in ipairs(calls) do
    local compare = comparisons[call.name]
    if not compare or call.error or call.name ~= calls[1].name then return nil end
    local figure, words = compare(call)
    if best and figure == best_figure then
      level = true
    elseif not best or figure > best_figure then
      best, best_figure, verdict, level = call, figure, words, false
    end
  end
  if level then return "In comparison, the best of them are level." end
  return ("In comparison, %s %s."):format(best.result.company, verdict)
end

---Writes the answer to a list of finished tool calls.
---@param calls { name: string, arguments: table, result: table?, error: string? }[]
---@return string
return function(calls)
  local text = {}
  for _, call in ipairs(calls) do
    text[#text + 1] = call.error and ("That did not work: %s."):format(call.error)
      or write[call.name](call.result, call.arguments)
  end
  if #calls > 1 then text[#text + 1] = comparison(calls) end
  return table.concat(text, " ")
end
