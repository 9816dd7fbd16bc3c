-- retry_after.lua: how long a server asks to wait, from the headers of its reply.

local retry_after = {}

local months = {
  Jan = 1, Feb = 2, Mar = 3, Apr = 4, May = 5, Jun = 6, Jul = 7, Aug = 8, Sep = 9, Oct = 10,
  Nov = 11, Dec = 12,
}

-- Days since 1970-01-01 in the Gregorian calendar (Howard Hinnant's days_from_civil).
local function days_from_civil(year, month, day)
  if month <= 2 then
    year = year - 1
  end
  local era = year // 400
  local year_of_era = year - era * 400
  local day_of_year = (153 * (month + (month > 2 and -3 or 9)) + 2) // 5 + day - 1
  local day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
  return era * 146097 + day_of_era - 719468
end

local function epoch(day, month, year, hour, minute, second)
  day, year, hour = tonumber(day), tonumber(year), tonumber(hour)
  minute, second = tonumber(minute), tonumber(second)
  month = months[month]
  if not month or day < 1 or day > 31 or hour > 23 or minute > 59 or second > 60 then
    return nil
  end
  return days_from_civil(year, month, day) * 86400 + hour * 3600 + minute * 60 + second
end

--- Seconds since 1970 of an HTTP date in any of its three forms (RFC 9110, 5.6.7); nil if it is
--- none. A year of two digits is the one nearest to 2000 (1950 to 2049).
---@param text string
---@return integer|nil
function retry_after.date(text)
  local day, month, year, hour, minute, second =
    text:match "^%s*%a+, (%d%d) (%a%a%a) (%d%d%d%d) (%d%d):(%d%d):(%d%d) GMT%s*$"
  if not day then
    day, month, year, hour, minute, second =
      text:match "^%s*%a+, (%d%d)%-(%a%a%a)%-(%d%d) (%d%d):(%d%d):(%d%d) GMT%s*$"
    if day then
      year = tonumber(year) < 50 and "20" .. year or "19" .. year
    end
  end
  if not day then
    month, day, hour, minute, second, year =
      text:match "^%s*%a+ (%a%a%a) +(%d%d?) (%d%d):(%d%d):(%d%d) (%d%d%d%d)%s*$"
  end
  return day and epoch(day, month, year, hour, minute, second) or nil
end

local function decimal(text)
  return text and tonumber(text:match "^%s*(%d+%.?%d*)%s*$" or text:match "^%s*(%.%d+)%s*$")
end

local function usable(seconds)
  return seconds and seconds > 0 and seconds < math.huge and seconds or nil
end

--- The seconds that a reply asks to wait: `retry-after-ms`, else `retry-after` as seconds, else as
--- a date, less the server's own Date (else `now`). What is negative, zero, past or no number is
--- nil: then the usual backoff holds.
---@param headers table<string, string> names in lower case
---@param now number seconds since 1970
---@return number|nil seconds
function retry_after.seconds(headers, now)
  local ms = usable(decimal(headers["retry-after-ms"]))
  if ms then
    return ms / 1000
  end
  local text = headers["retry-after"]
  if not text then
    return nil
  end
  local seconds = decimal(text)
  if seconds then
    return usable(seconds)
  end
  local at = retry_after.date(text)
  if not at then
    return nil
  end
  return usable(at - (headers["date"] and retry_after.date(headers["date"]) or now))
end

return retry_after
