-- The FinAgent suite's own parts: the tools' arithmetic and errors, and the reference agent's plan
-- for every row of the sample data. Runs in the repository's root.

local eval = require "evalhost"

local folder = "suites/finagent/"
package.path = folder .. "?.lua;" .. package.path

local function read(name)
  local file <close> = assert(io.open(folder .. name))
  return file:read "a"
end

-- Outside a suite there is no suite folder; the market's data comes from the place given here.
local function with_suite_files(fn)
  local real = package.loaded.evalhost
  local json = setmetatable({
    load = function(name) return eval.json.decode(read(name)) end,
  }, { __index = eval.json })
  package.loaded.evalhost = setmetatable({ json = json }, { __index = eval })
  local results = table.pack(pcall(fn))
  package.loaded.evalhost = real
  assert(results[1], results[2])
  return table.unpack(results, 2, results.n)
end

local own_modules = { "agent", "answers", "arguments", "companies", "market", "tools", "wording" }
for _, name in ipairs(own_modules) do package.loaded[name] = nil end -- another suite's, perhaps

local market, tools, agent, wording = with_suite_files(function()
  return require "market", require "tools", require "agent", require "wording"
end)

local tool = {}
for _, t in ipairs(tools) do tool[t.name] = t end

local function call(name, args)
  return tool[name].run(args)
end

-- Expects a tool error, not a Lua error, whose message holds `words`.
local function expect_problem(name, args, words)
  local result, problem = call(name, args)
  expect(result):equals(nil)
  expect(type(problem)):equals("string")
  if not problem:find(words, 1, true) then error(("%q lacks %q"):format(problem, words), 2) end
end

describe("finagent tools", function()
  it("are four, each with a schema and a function", function()
    local names = {}
    for i, t in ipairs(tools) do
      names[i] = t.name
      expect(#t.description > 20):truthy()
      expect(t.parameters.type):equals("object")
      expect(type(t.run)):equals("function")
    end
    expect(names):equals({ "get_stock_price", "get_company_info", "calculate_financial_ratios",
      "calculate_investment_returns" })
  end)

  it("take the arguments of the format's table", function()
    local function shape(name)
      local optional = {}
      for key in pairs(tool[name].parameters.properties) do optional[#optional + 1] = key end
      table.sort(optional)
      return optional, tool[name].parameters.required
    end
    local all, required = shape("get_stock_price")
    expect(all):equals({ "info", "period", "ticker" })
    expect(required):equals({ "ticker" })
    expect(tool.get_stock_price.parameters.properties.period.enum)
      :equals({ "1d", "5d", "1mo", "3mo", "6mo", "1y", "2y" })
    all, required = shape("calculate_investment_returns")
    expect(all):equals({ "annual_rate", "monthly_contribution", "principal", "years" })
    expect(required):equals({ "principal", "annual_rate", "years" })
  end)
end)

describe("calculate_investment_returns", function()
  local function returns(principal, rate, years, monthly)
    local args = { principal = principal, annual_rate = rate, years = years,
      monthly_contribution = monthly }
    return assert(call("calculate_investment_returns", args))
  end

  it("compounds monthly", function()
    -- 1000 (1 + 0.07/12)^120
    expect(returns(1000, 7, 10).future_value):near(2009.66, 0.005)
    expect(returns(1000, 12, 1).future_value):near(1126.83, 0.005)
  end)

  it("adds contributions at the end of each month", function()
    -- two months at 1 % a month: 100 * 1.01^2 + 10 * 1.01 + 10
    expect(returns(100, 12, 2 / 12, 10).future_value):near(122.11, 0.005)
    local r = returns(10000, 6, 20, 250)
    expect(r.future_value):near(10000 * 1.005 ^ 240 + 250 * (1.005 ^ 240 - 1) / 0.005, 0.006)
    expect(r.total_contributions):equals(70000)
    expect(r.interest_earned):near(r.future_value - 70000, 0.006)
  end)

  it("is a plain sum without interest", function()
    local r = returns(500, 0, 3, 100)
    expect(r.future_value):equals(4100)
    expect(r.interest_earned):equals(0)
  end)

  it("has no growth percentage where nothing was paid in", function()
    local r = returns(0, 5, 10)
    expect(r.future_value):equals(0)
    expect(r.growth_percent):equals(nil)
  end)

  it("loses money at a negative rate", function()
    expect(returns(1000, -12, 1).future_value):near(1000 * 0.99 ^ 12, 0.005)
  end)
end)

describe("get_stock_price", function()
  it("gives the last close, and a day's change by default", function()
    local r = assert(call("get_stock_price", { ticker = "AAPL" }))
    expect(r.current_price):equals(123.45)
    expect(r.period):equals("1d")
    expect(r.start_date):equals("2025-06-26")
    expect(r.change):near(r.current_price - r.start_price, 0.001)
    expect(r.market_cap):equals(nil)
  end)

  it("takes tickers in any case", function()
    expect(assert(call("get_stock_price", { ticker = "msft" })).ticker):equals("MSFT")
  end)

  it("knows every period of the schema", function()
    local start = { ["1d"] = "2025-06-26", ["5d"] = "2025-06-20", ["1mo"] = "2025-05-28",
      ["3mo"] = "2025-03-28", ["6mo"] = "2024-12-27", ["1y"] = "2024-06-28", ["2y"] = "2023-06-30" }
    for period, date in pairs(start) do
      local r = assert(call("get_stock_price", { ticker = "TSLA", period = period }))
      expect(r.start_date):equals(date)
      expect(r.low <= r.start_price and r.start_price <= r.high):truthy()
      expect(r.low > 0):truthy()
      expect(r.change_percent):near((r.current_price / r.start_price - 1) * 100, 0.005)
    end
  end)

  it("gives details on request", function()
    local r = assert(call("get_stock_price", { ticker = "KO", info = true }))
    expect(r.market_cap):equals(222e9)                       -- 55.50 * 4000 million
    expect(r.dividend_yield_percent):near(3.24, 0.001)       -- 1.80 / 55.50
    expect(r.low_52_weeks <= 55.5 and 55.5 <= r.high_52_weeks):truthy()
  end)
end)

describe("calculate_financial_ratios", function()
  it("computes them from the books", function()
    local r = assert(call("calculate_financial_ratios", { ticker = "AAPL" }))
    expect(r.earnings_per_share):equals(7.5)                 -- 75000 / 10000
    expect(r.pe_ratio):near(16.46, 0.001)                    -- 123.45 / 7.5
    expect(r.price_to_book):near(20.58, 0.001)               -- 123.45 / 6, half up
    expect(r.net_margin_percent):equals(25)
    expect(r.return_on_equity_percent):equals(125)
    expect(r.debt_to_equity):equals(1.5)
  end)

  it("leaves out a P/E ratio where there is a loss", function()
    local r = assert(call("calculate_financial_ratios", { ticker = "UAL" }))
    expect(r.pe_ratio):equals(nil)
    expect(r.net_margin_percent):equals(-2)
    expect(agent { input = "ratios for United Airlines" }.answer:find "makes a loss"):truthy()
  end)
end)

describe("tool errors", function()
  it("name what is wrong", function()
    expect_problem("get_company_info", { ticker = "ZZZZ" }, 'unknown ticker: "ZZZZ"')
    expect_problem("get_company_info", {}, "missing argument: ticker")
    expect_problem("get_company_info", { ticker = "KO", depth = 1 }, 'unknown argument "depth"')
    expect_problem("get_stock_price", { ticker = 7 }, "ticker: expected string, got number")
    expect_problem("get_stock_price", { ticker = "KO", period = "5y" }, "period: must be one of 1d")
    expect_problem("get_stock_price", { ticker = "KO", info = "yes" },
      "info: expected boolean, got string")
    expect_problem("get_stock_price", nil, "arguments: expected object, got nil")
    expect_problem("get_stock_price", "KO", "arguments: expected object, got string")
  end)

  it("keep figures in range", function()
    local function problem(field, value, words)
      local args = { principal = 1000, annual_rate = 7, years = 10 }
      args[field] = value
      expect_problem("calculate_investment_returns", args, words)
    end
    problem("principal", -1, "principal: must be at least 0")
    problem("principal", math.huge, "principal: must be at most")
    problem("principal", "1000", "principal: expected number, got string")
    problem("annual_rate", 0 / 0, "annual_rate: is not a number")
    problem("annual_rate", 700, "annual_rate: must be at most 100")
    problem("years", 0, "years: must be greater than 0")
    problem("years", nil, "missing argument: years")
    problem("monthly_contribution", -5, "monthly_contribution: must be at least 0")
  end)

  it("a JSON null is an absent argument", function()
    local null = require("cjson").null
    expect(assert(call("get_stock_price", { ticker = "KO", period = null })).period):equals("1d")
    expect_problem("get_stock_price", { ticker = null }, "missing argument: ticker")
  end)
end)

-- What the reference agent calls for each row, which for the last two is not what the row expects.
local price, info = "get_stock_price", "get_company_info"
local ratios, returns = "calculate_financial_ratios", "calculate_investment_returns"
local plans = {
  price_plain = { { price, { ticker = "AMZN" } } },
  price_last_month = { { price, { ticker = "MSFT", period = "1mo" } } },
  price_typo = { { price, { ticker = "AAPL" } } },
  price_informal = { { price, { ticker = "MSFT" } } },
  price_with_details = { { price, { ticker = "JPM", info = true } } },
  info_two_questions = { { info, { ticker = "NVDA" } } },
  ratios_by_brand = { { ratios, { ticker = "GOOGL" } } },
  returns_lump_sum = { { returns, { principal = 2500, annual_rate = 4.5, years = 12 } } },
  returns_monthly = { { returns,
    { principal = 10000, annual_rate = 6, years = 20, monthly_contribution = 250 } } },
  multi_price_and_info = { { price, { ticker = "KO" } }, { info, { ticker = "KO" } } },
  multi_three_tools = { { price, { ticker = "AMZN" } }, { info, { ticker = "AMZN" } },
    { ratios, { ticker = "AMZN" } } },
  multi_compare_prices = { { price, { ticker = "TSLA" } }, { price, { ticker = "MSFT" } } },
  multi_compare_ratios = { { ratios, { ticker = "AAPL" } }, { ratios, { ticker = "GOOGL" } } },
  edge_no_ticker = {},
  edge_ambiguous_name = {},
  edge_missing_rate = {},
  -- One period is read per question, so Amazon gets Tesla's; the row asks for 1y there.
  hard_two_periods = { { price, { ticker = "TSLA", period = "5d" } },
    { price, { ticker = "AMZN", period = "5d" } } },
  -- The agent knows names, not products: it asks back; the row asks for Apple's info.
  hard_paraphrase = {},
}

-- Reads id and query of a row: the first two cells, all that is needed here.
local function id_and_query(line)
  local id, rest = line:match "^([%w_]+),(.*)$"
  local quoted = rest:match '^"([^"]*)",'
  return id, quoted or rest:match "^([^,]*),"
end

local function plan_of(question)
  local plan = {}
  for i, made in ipairs(agent { input = question }.tool_calls) do
    plan[i] = { made.name, made.arguments }
  end
  return plan
end

describe("finagent reference agent", function()
  local rows = {}
  for line in read("sample_evaluation.csv"):gmatch "[^\n]+" do
    local id, query = id_and_query(line)
    if id ~= "test_id" then rows[id] = query end
  end

  it("has a pinned plan for every row", function()
    for id in pairs(rows) do expect(plans[id] and id):equals(id) end
    for id in pairs(plans) do expect(rows[id] and id):equals(id) end
  end)

  local ids = {}
  for id in pairs(plans) do ids[#ids + 1] = id end
  table.sort(ids)
  for _, id in ipairs(ids) do
    it("plans " .. id, function() expect(plan_of(rows[id])):equals(plans[id]) end)
  end

  it("answers with the tools' figures", function()
    local outcome = agent { input = "What would $2,500 grow to at 4.5% over 12 years?" }
    expect(outcome.tool_calls[1].result.future_value):near(4285.69, 0.005)
    expect(outcome.answer:find("$4,285.69", 1, true)):truthy()
  end)

  it("asks back rather than guess", function()
    expect(agent { input = "What's the price?" }.answer:find "Which company"):truthy()
    expect(agent { input = "what does united do" }.answer:find "United Airlines"):truthy()
    expect(agent { input = "If I invest $100 at 5%, what then?" }.answer:find "how many years")
      :truthy()
  end)

  it("reads the last message of a conversation", function()
    local talk = { { role = "user", content = "hi" }, { role = "user", content = "TSLA price" } }
    expect(plan_of(talk)):equals({ { price, { ticker = "TSLA" } } })
  end)

  it("survives any text", function()
    for _, text in ipairs { "", " ", "%d%s(", "$$$ % years", ("a"):rep(2000), "\0\255", "🍎?" } do
      expect(type(agent { input = text }.answer)):equals("string")
    end
  end)

  it("gives the same twice", function()
    local question = "AAPL and KO price over the last six months"
    expect(agent { input = question }):equals(agent { input = question })
  end)

  it("says so when a comparison is level", function()
    local answer = agent { input = "Compare margins of AAPL, NVDA and KO" }.answer
    expect(answer:find("Nvidia has the better margins", 1, true)):truthy()
    answer = agent { input = "Compare margins of AAPL and KO" }.answer -- 25 % both
    expect(answer:find("are level", 1, true)):truthy()
  end)
end)

describe("wording", function()
  it("finds the period that covers what is asked", function()
    local periods = {
      ["today"] = "1d", ["this week"] = "5d", ["the past two weeks"] = "1mo",
      ["last quarter"] = "3mo", ["over 6 months"] = "6mo", ["half a year"] = "6mo",
      ["a year ago"] = "1y", ["past 24 months"] = "2y", ["last 10 years"] = "2y",
      ["AAPL 3mo"] = "3mo",
    }
    for text, period in pairs(periods) do expect(wording.period(text)):equals(period) end
    expect(wording.period "the 52-week range"):equals(nil)
    expect(wording.period "the price, please"):equals(nil)
  end)

  it("reads amounts as people write them", function()
    expect(wording.investment "put 1.5 million away at 3.25 percent for a decade")
      :equals({ principal = 1500000, annual_rate = 3.25, years = 10 })
    expect(wording.investment "$300 monthly, 18 months at 5%")
      :equals({ monthly_contribution = 300, years = 1.5, annual_rate = 5 })
    expect(wording.investment "5,000 dollars a month"):equals({ monthly_contribution = 5000 })
    expect(wording.investment "monthly contributions of $200 on top of $5000")
      :equals({ monthly_contribution = 200, principal = 5000 })
    expect(wording.investment "Tesla over the last 5 days"):equals({})
  end)
end)

describe("the made-up market", function()
  it("has the same history in every run", function()
    expect(market.close(market.company "MSFT", 22)):near(338.04, 0.005)
    expect(market.close(market.company "TSLA", 5)):near(207.80, 0.005)
  end)

  it("ends at the stored price and never goes below zero", function()
    for _, company in ipairs(market.companies) do
      expect(market.close(company, 0)):equals(company.price)
      for day = 1, 520 do expect(market.close(company, day) > 0):truthy() end
    end
  end)

  it("says that it is made up", function()
    expect(read("market.json"):find("Invented figures", 1, true)):truthy()
  end)

  it("ends on a Friday, as its dates assume", function()
    local y, m, d = market.as_of:match "(%d+)-(%d+)-(%d+)"
    expect(os.date("%w", os.time { year = y, month = m, day = d, hour = 12 })):equals("5")
  end)
end)
