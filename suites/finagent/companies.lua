-- Finds the companies that a question names: by ticker, name or alias, with one slip of the pen
-- allowed in longer words ("appl", "Microsfot").

local market = require "market"
local wording = require "wording"

-- "jp morgan" -> { JPMorgan Chase }; two companies where a name is ambiguous ("united").
local names = {}

local function add(name, company)
  local key = table.concat(wording.words(name), " ")
  names[key] = names[key] or {}
  table.insert(names[key], company)
end

for _, company in ipairs(market.companies) do
  add(company.ticker, company)
  add(company.name, company)
  for _, alias in ipairs(company.aliases) do add(alias, company) end
end

-- Whether one letter added, dropped, replaced or swapped with its neighbour turns `a` into `b`.
local function one_slip(a, b)
  if #a > #b then a, b = b, a end
  if #b - #a > 1 then return false end
  local i = 1
  while i <= #a and a:byte(i) == b:byte(i) do i = i + 1 end
  if #a < #b then return a:sub(i) == b:sub(i + 1) end
  local swapped = a:sub(i + 1, i + 1) .. a:sub(i, i) .. a:sub(i + 2)
  return a:sub(i + 1) == b:sub(i + 1) or swapped == b:sub(i)
end

-- English words that are one slip away from a company.
local not_a_slip = { apply = true, apples = true }

-- Aliases and short tickers are left alone: "coke" is too near to "come".
local function misspelt(word)
  if #word < 4 or not_a_slip[word] then return nil end
  for _, company in ipairs(market.companies) do
    for _, name in ipairs { company.ticker:lower(), company.name:lower() } do
      if #name >= 4 and word:byte() == name:byte() and one_slip(word, name) then
        return { company }
      end
    end
  end
end

-- The companies named by the words at `i`, longest name first, and how many words that took.
local function match(words, i)
  for count = 3, 1, -1 do
    local hit = names[table.concat(words, " ", i, math.min(i + count - 1, #words))]
    if hit then return hit, count end
  end
  return misspelt(words[i]), 1
end

local companies = {}

---Finds what a text names, in order of mention, each company once.
---@param text string
---@return table[] found
---@return table[]? candidates  the companies that an ambiguous name may mean
function companies.find(text)
  local found, seen, candidates = {}, {}, nil
  local words = wording.words(text)
  local i = 1
  while i <= #words do
    local hit, count = match(words, i)
    if hit and #hit > 1 then
      candidates = candidates or hit
    elseif hit and not seen[hit[1]] then
      seen[hit[1]] = true
      found[#found + 1] = hit[1]
    end
    i = i + count
  end
  return found, candidates
end

return companies
