-- The made-up stock market behind the tools: companies from market.json, and a closing price for
-- every trading day, derived by a formula so that the file stays small and every run sees the same.

local eval = require "evalhost"

local data = eval.json.load "market.json"

local market = {
  as_of = data.as_of,         -- the last trading day, a Friday
  currency = data.currency,
  companies = data.companies, -- in file order
}

-- The periods a price can be asked for, shortest first, in trading days (five a week, no holidays).
market.periods = { "1d", "5d", "1mo", "3mo", "6mo", "1y", "2y" }
local trading_days = {
  ["1d"] = 1, ["5d"] = 5, ["1mo"] = 22, ["3mo"] = 65, ["6mo"] = 130, ["1y"] = 260, ["2y"] = 520,
}

local by_ticker = {}
for _, company in ipairs(data.companies) do by_ticker[company.ticker] = company end

---Looks up a company by its ticker, in any letter case.
---@param ticker string
---@return table? company  nil if there is none
function market.company(ticker)
  return by_ticker[ticker:upper()]
end

---Rounds to whole cents (or hundredths of a percent), halves away from zero.
---@param value number
---@return number
function market.round(value)
  local cents = math.floor(math.abs(value) * 100 + 0.5) / 100
  return value < 0 and -cents or cents
end

-- Three sine waves out of step; the ticker shifts them, so that no two stocks move alike.
local function wave(ticker, day)
  local phase = 0
  for i = 1, #ticker do phase = phase + i * ticker:byte(i) end
  return math.sin(day / 5 + phase) / 4 + math.sin(day / 17 + phase) / 2 + math.sin(day / 60 + phase)
end

---The closing price of a company.
---@param company table
---@param day integer  trading days ago; 0 is the last close
---@return number
function market.close(company, day)
  local ticker = company.ticker
  local trend = (1 + company.growth) ^ (-day / 260)
  local swing = math.exp(company.swing * (wave(ticker, day) - wave(ticker, 0)))
  return market.round(company.price * trend * swing)
end

---The date of a trading day, as YYYY-MM-DD.
---@param day integer  trading days ago
---@return string
function market.date(day)
  local y, m, d = market.as_of:match "(%d+)-(%d+)-(%d+)"
  local days_ago = 7 * (day // 5) + day % 5     -- right because as_of is a Friday
  return os.date("%Y-%m-%d", os.time { year = y, month = m, day = d - days_ago, hour = 12 })
end

---What a stock did over a period.
---@param company table
---@param period string  one of market.periods
---@return { days: integer, start_date: string, start_price: number, high: number, low: number }
function market.history(company, period)
  local days = trading_days[period]
  local high, low = -math.huge, math.huge
  for day = 0, days do
    local close = market.close(company, day)
    high, low = math.max(high, close), math.min(low, close)
  end
  return {
    days = days, start_date = market.date(days), start_price = market.close(company, days),
    high = high, low = low,
  }
end

return market
