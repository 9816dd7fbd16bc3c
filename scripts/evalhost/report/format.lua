-- report/format.lua: figures as people read them.

local native = require "evalhost.native.text"
local secrets = require "evalhost.secrets"

local format = {}

-- Rounds half up. Noise beyond the 9th decimal does not count: 0.285 * 100 is 28.5.
local function half_up(x)
  return math.floor(tonumber(("%.9f"):format(x)) + 0.5)
end

--- A share as percent without decimals, half up: 0.845 -> "85%".
---@param share number|nil
---@return string
function format.percent(share)
  return share and ("%d%%"):format(half_up(share * 100)) or "n/a"
end

-- "-1234567.5" -> "-1,234,567.5"
local function grouped(digits)
  local sign, whole, rest = digits:match "^(-?)(%d+)(.*)$"
  whole = whole:reverse():gsub("%d%d%d", "%0,"):reverse():gsub("^,", "")
  return sign .. whole .. rest
end

--- A whole number with thousands separated.
---@param n number|nil
---@return string
function format.count(n)
  return n and grouped(("%.0f"):format(n)) or "n/a"
end

--- How many decimals figures of this size are shown with.
---@param size number
---@return integer
function format.decimals(size)
  size = math.abs(size)
  if size >= 1000 then
    return 0
  elseif size >= 100 then
    return 1
  end
  return size >= 10 and 2 or 3
end

--- A number with so many decimals (default: by its size); tiny and huge ones in powers of ten.
---@param x number|nil
---@param decimals integer|nil
---@return string
function format.number(x, decimals)
  if x == nil then
    return "n/a"
  elseif x ~= 0 and (math.abs(x) < 5e-4 or math.abs(x) >= 1e12) then
    return ("%.3g"):format(x)
  end
  return grouped(("%." .. (decimals or format.decimals(x)) .. "f"):format(x))
end

--- A time in milliseconds: "0.42 ms", "250 ms", "1.3 s", "2:05 min".
---@param ms number|nil
---@return string
function format.ms(ms)
  if ms == nil then
    return "n/a"
  elseif ms < 0.995 then
    return ("%.2f ms"):format(ms)
  elseif ms < 9.95 then
    return ("%.1f ms"):format(ms)
  elseif ms < 999.5 then
    return ("%.0f ms"):format(ms)
  elseif ms < 59950 then
    return ("%.1f s"):format(ms / 1000)
  end
  return format.clock(ms / 1000) .. (ms < 3599500 and " min" or " h")
end

--- Seconds as "0:05", "12:31", "1:02:03".
---@param seconds number
---@return string
function format.clock(seconds)
  local s = math.floor(seconds + 0.5)
  if s >= 3600 then
    return ("%d:%02d:%02d"):format(s // 3600, s // 60 % 60, s % 60)
  end
  return ("%d:%02d"):format(s // 60, s % 60)
end

--- US dollars: two decimals, four below a dollar, more where it would be zero.
---@param usd number|nil
---@return string
function format.money(usd)
  if usd == nil then
    return "n/a"
  elseif usd >= 1 or usd == 0 then
    return "$" .. grouped(("%.2f"):format(usd))
  elseif usd >= 1e-4 then
    return ("$%.4f"):format(usd)
  end
  return ("$%.2g"):format(usd)
end

--- "1 case", "2 cases".
---@param n integer
---@param word string
---@param plural string|nil
---@return string
function format.plural(n, word, plural)
  return ("%s %s"):format(format.count(n), n == 1 and word or plural or word .. "s")
end

--- A text of a model or a file, safe to show on one line, at most so wide.
---@param text any
---@param width integer|nil
---@return string
function format.line(text, width)
  local clean = native.clean(secrets.without_values(tostring(text))):gsub("%s+", " ")
  return width and native.cut(clean, math.max(width, 1), "…") or clean
end

return format
