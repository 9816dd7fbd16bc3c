-- embedded_json.lua: JSON objects and arrays that stand inside of a text. Pure.

local json = require "evalhost.native.json"

local embedded = {}

local MAX_TRIES = 200 -- places where one may begin
local MAX_STEPS = 100000 -- brackets, quotes and escapes that are looked at, in all tries

local closers = { ["{"] = "}", ["["] = "]" }

-- Where the bracket at `first` is closed, strings skipped; nil if it never is, or if that took
-- more than `budget.steps`.
local function closing(text, first, budget)
  local open = {}
  local at = first
  while at and budget.steps > 0 do
    budget.steps = budget.steps - 1
    local c = text:sub(at, at)
    if c == '"' then
      repeat
        budget.steps = budget.steps - 1
        at = text:find('[\\"]', at + 1)
        local escape = at and text:sub(at, at) == "\\"
        at = escape and at + 1 or at
      until not at or not escape or budget.steps <= 0
      if not at or budget.steps <= 0 then
        return nil
      end
    elseif closers[c] then
      open[#open + 1] = closers[c]
    elseif table.remove(open) ~= c then
      return nil
    elseif #open == 0 then
      return at
    end
    at = text:find('[%[%]{}"]', at + 1)
  end
  return nil
end

--- The outermost objects and arrays of a text that are valid JSON, equal keys allowed: a list of
--- { value, first, last }, at most `most`.
---@param text string
---@param most integer
---@return { value: table, first: integer, last: integer }[]
function embedded.find(text, most)
  local found, at = {}, 1
  local budget = { steps = MAX_STEPS }
  for _ = 1, MAX_TRIES do
    local first = text:find("[{%[]", at)
    if not first or #found >= most then
      break
    end
    local last = closing(text, first, budget)
    local value = last and json.decode(text:sub(first, last), { duplicates = "last" })
    if value then
      found[#found + 1] = { value = value, first = first, last = last }
      at = last + 1
    else
      at = first + 1
    end
  end
  return found
end

return embedded
