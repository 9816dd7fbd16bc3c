-- http_errors.lua: what a reply that is no answer means: one error code per kind of fault, with the
-- server's own words, cleaned and without secrets.

local fiber = require "evalhost.native.fiber"
local json = require "evalhost.native.json"
local text = require "evalhost.native.text"
local secrets = require "evalhost.secrets"

local errors = {}

local SHOWN = 200 -- columns of a body that is quoted

--- An error value whose message is safe to show.
---@param code string
---@param message string
---@param fields table|nil further fields: status, retry_after, offset...
---@return table err
function errors.new(code, message, fields)
  local err = fiber.error(code, secrets.redact(message))
  for key, value in pairs(fields or {}) do
    err[key] = value
  end
  return err
end

--- The beginning of a text, on one line, without control characters and secrets.
---@param body string
---@param columns integer|nil 200
---@return string
function errors.excerpt(body, columns)
  columns = columns or SHOWN
  local shown = text.clean(secrets.redact(body:sub(1, columns * 8)))
  shown = shown:gsub("^%s+", ""):gsub("%s+$", ""):gsub("%s%s+", " ")
  return text.cut(shown, columns, "...")
end

--- Where a request went, as messages show it: without query and user info.
---@param url string
---@return string
function errors.place(url)
  return secrets.redact(url:match "^[^?#]*")
end

-- What codes and types of error objects mean, as the status that would say the same.
local statuses = {
  rate_limit_exceeded = 429, rate_limit_error = 429, rate_limited = 429, too_many_requests = 429,
  server_error = 500, internal_server_error = 500, internal_error = 500, api_error = 500,
  service_unavailable = 503, overloaded_error = 529, timeout = 504, timeout_error = 504,
  invalid_request_error = 400, authentication_error = 401, invalid_api_key = 401,
  permission_error = 403, permission_denied = 403, not_found_error = 404, model_not_found = 404,
  request_too_large = 413, billing_error = 402,
}

local no_money = {
  insufficient_quota = true, billing_hard_limit_reached = true, billing_not_active = true,
  billing_error = true, insufficient_balance = true,
}
local no_money_words = {
  "exceeded your current quota", "spend limit", "spending limit", "credit balance is too low",
}

local function is_quota(status, object)
  if status == 402 or no_money[object.code] or no_money[object.type] then
    return true
  end
  local message = (object.message or ""):lower()
  for _, words in ipairs(no_money_words) do
    if message:find(words, 1, true) then
      return true
    end
  end
  return false
end

-- { message, type, code } of a decoded body of any of the usual shapes; fields may be nil.
local function error_object(value)
  if type(value) ~= "table" then
    return {}
  end
  local object = value.error
  if type(object) ~= "table" then
    object = { message = object or value.message or value.detail, code = value.code,
               type = value.type }
  end
  local message = object.message
  return {
    message = type(message) == "string" and message or nil,
    type = object.type,
    code = object.code,
  }
end

local function code_of(status, object)
  if (status == 429 or status == 400 or status == 402 or status == 403)
    and is_quota(status, object) then
    return "quota"
  elseif status == 429 then
    return "rate_limited"
  elseif status == 408 or status >= 500 then
    return "server_" .. status
  elseif status >= 300 and status < 400 then
    return "redirect"
  end
  return "http_" .. status
end

local function redirect(place, reply)
  local target = reply.headers["location"]
  return errors.new("redirect", ("%s: HTTP %d redirects to %s; redirects are not followed, give "
    .. "the final URL"):format(place, reply.status, target and errors.excerpt(target) or "nowhere"),
    { status = reply.status })
end

--- The error that a reply stands for; nil for 200 to 299.
---@param reply table
---@param url string
---@return table|nil err
function errors.of_status(reply, url)
  local status = reply.status
  if status >= 200 and status < 300 then
    return nil
  end
  local place = errors.place(url)
  if status >= 300 and status < 400 then
    return redirect(place, reply)
  end
  local object = error_object(json.decode(reply.body, { bom = true }))
  local said = errors.excerpt(object.message or reply.body, 500)
  return errors.new(code_of(status, object),
    ("%s: HTTP %d%s"):format(place, status, said ~= "" and ": " .. said or ""), { status = status })
end

-- Some gateways give the status of the failed request as the code of the object.
local function status_of(object)
  local code = math.tointeger(tonumber(object.code) or tonumber(object.type))
  if code and code >= 400 and code <= 599 then
    return code
  end
  return statuses[object.code] or statuses[object.type]
end

--- The error of a body with an `error` member although its status said success; nil if there is
--- none. Its class follows from the object's code or type.
---@param value any a decoded body
---@param url string
---@return table|nil err
function errors.of_value(value, url)
  if type(value) ~= "table" or value.error == nil or value.error == json.null
    or value.error == false then
    return nil
  end
  local object = error_object(value)
  local status = status_of(object)
  local code = no_money[object.code] and "quota" or status and code_of(status, object)
    or "error_reply"
  return errors.new(code, ("%s: the reply is an error: %s"):format(errors.place(url),
    errors.excerpt(object.message or json.encode(value.error, { repair = true }) or "?", 500)),
    { status = status })
end

--- The JSON value of a reply's body: nil and `not_json` (no JSON at all), `bad_json` (with offset).
--- A byte order mark is tolerated.
---@param body string
---@param url string where it came from, for the message
---@return any value
---@return table|nil err
function errors.decode(body, url)
  local value, err = json.decode(body, { bom = true })
  if err == nil then
    return value
  end
  local place = errors.place(url)
  local first = body:match "^\xEF?\xBB?\xBF?%s*(.)"
  if first == "{" or first == "[" or first == '"' then
    return nil, errors.new("bad_json", ("%s: %s (byte %d)"):format(place, err.message, err.offset),
      { offset = err.offset })
  end
  local shown = errors.excerpt(body)
  return nil, errors.new("not_json", ("%s: the reply is not JSON: %s"):format(place,
    shown ~= "" and shown or "it is empty"))
end

return errors
