-- The four tools of the agent. Each is a description and a JSON Schema for a model, and a Lua
-- function `run(args)` that returns a table, or nil and a message: a tool error, which the caller
-- may read and recover from. The reference agent and the `openai` target share this list.

local check = require "arguments"
local market = require "market"

local round = market.round

-- Turns `body(args)` into `run(args)`: arguments are checked first, against the tool's own schema.
local function tool(definition)
  local body = definition.run
  definition.parameters = {
    type = "object",
    properties = definition.properties,
    required = definition.required,
    additionalProperties = false,
  }
  definition.properties, definition.required = nil, nil
  definition.run = function(args)
    local clean, problem = check(args, definition.parameters)
    if not clean then return nil, problem end
    return body(clean)
  end
  return definition
end

-- The same for tools about one company: `body` gets the company too.
local function company_tool(definition)
  local body = definition.run
  definition.properties.ticker = { type = "string", description = "Ticker symbol, such as AAPL" }
  definition.required = { "ticker" }
  definition.run = function(args)
    local company = market.company(args.ticker)
    if not company then return nil, ("unknown ticker: %q"):format(args.ticker) end
    return body(company, args)
  end
  return tool(definition)
end

-- For ratios: nothing sensible comes out of dividing by zero or by a loss.
local function ratio(a, b)
  return b > 0 and round(a / b) or nil
end

local function percent(a, b)
  return b > 0 and round(a / b * 100) or nil
end

local function market_cap(company)
  return round(company.price * company.shares * 1e6)
end

local get_stock_price = company_tool {
  name = "get_stock_price",
  description = "Current price of a stock and how it moved over a period.",
  properties = {
    period = {
      type = "string", enum = market.periods,
      description = "How far to look back; 1d if not given",
    },
    info = {
      type = "boolean",
      description = "Also give market capitalisation, 52-week range and dividend yield",
    },
  },
  run = function(company, args)
    local period = args.period or "1d"
    local history = market.history(company, period)
    local change = company.price - history.start_price
    local result = {
      ticker = company.ticker, company = company.name, currency = market.currency,
      current_price = company.price, as_of = market.as_of,
      period = period, start_date = history.start_date, start_price = history.start_price,
      change = round(change), change_percent = percent(change, history.start_price),
      high = history.high, low = history.low,
    }
    if args.info then
      local year = market.history(company, "1y")
      result.market_cap = market_cap(company)
      result.high_52_weeks, result.low_52_weeks = year.high, year.low
      result.dividend_yield_percent = percent(company.dividend, company.price)
    end
    return result
  end,
}

local get_company_info = company_tool {
  name = "get_company_info",
  description = "What a company does: sector, industry, headquarters, employees, size.",
  properties = {},
  run = function(company)
    return {
      ticker = company.ticker, company = company.name, summary = company.summary,
      sector = company.sector, industry = company.industry,
      headquarters = company.headquarters, employees = company.employees,
      market_cap = market_cap(company), currency = market.currency,
    }
  end,
}

local calculate_financial_ratios = company_tool {
  name = "calculate_financial_ratios",
  description = "Valuation, profitability and debt ratios of a company. A ratio that would divide "
    .. "by zero or by a loss is left out.",
  properties = {},
  run = function(company)
    local eps = company.net_income / company.shares
    local book_value = company.equity / company.shares
    return {
      ticker = company.ticker, company = company.name, price = company.price,
      earnings_per_share = round(eps), book_value_per_share = round(book_value),
      pe_ratio = ratio(company.price, eps),
      price_to_book = ratio(company.price, book_value),
      price_to_sales = ratio(company.price * company.shares, company.revenue),
      net_margin_percent = percent(company.net_income, company.revenue),
      return_on_equity_percent = percent(company.net_income, company.equity),
      debt_to_equity = ratio(company.debt, company.equity),
    }
  end,
}

-- Future value of a starting sum plus a payment at the end of every month:
--   P (1 + i)^n + C ((1 + i)^n - 1) / i,  with i the monthly rate and n the months.
local function future_value(principal, contribution, i, n)
  local growth = (1 + i) ^ n
  local payments = i == 0 and n or (growth - 1) / i
  return principal * growth + contribution * payments
end

local calculate_investment_returns = tool {
  name = "calculate_investment_returns",
  description = "Future value of an investment with compound interest. The annual rate is nominal "
    .. "and compounded monthly (a twelfth of it each month); contributions are paid at the end of "
    .. "each month; years are rounded to whole months.",
  properties = {
    principal = {
      type = "number", minimum = 0, maximum = 1e12, description = "Money invested at the start",
    },
    annual_rate = {
      type = "number", minimum = -100, maximum = 100,
      description = "Percent a year: 7 means 7 %, not 0.07",
    },
    years = { type = "number", exclusiveMinimum = 0, maximum = 100 },
    monthly_contribution = {
      type = "number", minimum = 0, maximum = 1e12, description = "0 if not given",
    },
  },
  required = { "principal", "annual_rate", "years" },
  run = function(args)
    local contribution = args.monthly_contribution or 0
    local months = math.floor(args.years * 12 + 0.5)
    local value = future_value(args.principal, contribution, args.annual_rate / 1200, months)
    local paid_in = args.principal + contribution * months
    return {
      principal = args.principal, annual_rate = args.annual_rate, years = args.years,
      monthly_contribution = contribution, compounding = "monthly",
      future_value = round(value), total_contributions = round(paid_in),
      interest_earned = round(value - paid_in), growth_percent = percent(value - paid_in, paid_in),
    }
  end,
}

return {
  get_stock_price,
  get_company_info,
  calculate_financial_ratios,
  calculate_investment_returns,
}
