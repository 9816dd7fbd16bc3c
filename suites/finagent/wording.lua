-- Small readers of English: words, periods of time, and the figures of an investment.

local wording = {}

local number_words = {
  zero = 0, one = 1, two = 2, three = 3, four = 4, five = 5, six = 6, seven = 7, eight = 8,
  nine = 9, ten = 10, twelve = 12, fifteen = 15, twenty = 20, thirty = 30,
}

---Lower-case words without punctuation; a possessive 's is dropped: "Apple's P/E?" -> apple p e
---@param text string
---@return string[]
function wording.words(text)
  local words = {}
  for word in text:lower():gmatch "%w+" do
    if word ~= "s" then words[#words + 1] = word end
  end
  return words
end

-- "ten years" -> "10 years", "half a year" -> "6 months"; always lower case.
local function digits(text)
  local plain = text:lower():gsub("half an? year", "6 months"):gsub("a decade", "10 years")
  return (plain:gsub("%a+", number_words))
end

local unit_days = { day = 1, week = 7, month = 30, quarter = 91, year = 365 }
local one_unit = { a = true, last = true, past = true, previous = true, this = true, whole = true }
-- The periods of get_stock_price, in calendar days.
local period_days = {
  { "1d", 1 }, { "5d", 7 }, { "1mo", 31 }, { "3mo", 92 }, { "6mo", 183 }, { "1y", 366 },
  { "2y", 731 },
}
local is_period = {}
for _, period in ipairs(period_days) do is_period[period[1]] = true end

local function covering_period(days)
  for _, period in ipairs(period_days) do
    if days <= period[2] then return period[1] end
  end
  return "2y"
end

---The first period of time in a text, as the shortest period of get_stock_price that covers it:
---"this week" -> "5d", "the past 2 years" -> "2y". "52-week range" is not a period.
---@param text string
---@return string?
function wording.period(text)
  local words = wording.words(digits(text))
  for i, word in ipairs(words) do
    if word == "today" then return "1d" end
    if is_period[word] then return word end
    local days = unit_days[word:gsub("s$", "")]
    local count = math.tointeger(words[i - 1]) or (one_unit[words[i - 1]] and 1)
    if days and count and not (word == "week" and count == 52) then
      return covering_period(count * days)
    end
  end
end

local scales = { k = 1e3, m = 1e6, thousand = 1e3, million = 1e6 }

-- Reads the scale after a number: "k to start with" -> 1000, "to start with"
local function scale(after)
  local word, rest = after:match "^%s?(%a+)(.*)"
  if scales[word] then return scales[word], rest end
  return 1, after
end

-- What the number between `before` and `after` stands for.
local function meaning(before, after)
  if after:find "^%s?%%" or after:find "^ per ?cent" then return "annual_rate" end
  if after:find "^[%s-]ye?a?rs?%f[%A]" then return "years" end
  if after:find "^[%s-]months?%f[%A]" then return "months" end
  if after:find "^[%s-]days?" or after:find "^[%s-]weeks?" then return nil end
  local rest = after:gsub("^ dollars", ""):gsub("^ bucks", "")
  if rest:find "^[ /]?%a* ?month" or before:find "monthly[%a%s]*%$?$" then
    return "monthly_contribution"
  end
  return "principal"
end

---The figures of an investment in a text, by the argument names of calculate_investment_returns;
---of two with one meaning, the first. "$10k at 6%" -> { principal = 10000, annual_rate = 6 }
---@param text string
---@return table<string, number>
function wording.investment(text)
  local plain, found = digits(text), {}
  for start, digits_found, stop in plain:gmatch "()(%d[%d,]*%.?%d*)()" do
    local number = tonumber((digits_found:gsub(",", ""):gsub("%.$", "")))
    local factor, after = scale(plain:sub(stop))
    local name = meaning(plain:sub(1, start - 1), after)
    if name == "months" then name, factor = "years", 1 / 12 end
    if name and not found[name] then
      local value = number * factor
      found[name] = math.tointeger(value) or value
    end
  end
  return found
end

return wording
