-- http.lua: the HTTP client of suites, and the one layer that tries again.

local fiber = require "evalhost.native.fiber"
local json = require "evalhost.native.json"
local native = require "evalhost.native.http"
local system = require "evalhost.native.os"
local check = require "evalhost.check"
local errors = require "evalhost.http_errors"
local retry_after = require "evalhost.retry_after"

local http = {}

local REPAIR = { repair = true } -- of invalid UTF-8

--- When and how often a request is tried again; seconds. What is listed nowhere never is.
http.policy = {
  base = 0.5,          -- the first backoff is random between 0 and this; doubled each time
  cap = 30,            -- its upper end
  longest_wait = 120,  -- a server that asks for more is not waited for
  longest_waits = 300, -- all waits of one case
  codes = {
    connect = 3, reset = 3, truncated = 3, timeout = 3, busy = 3,
    dns = 1, not_json = 1, bad_json = 1, empty_choices = 1,
    quota = 0,
  },
  statuses = { [408] = 3, [429] = 3, [500] = 3, [502] = 3, [503] = 3, [504] = 3, [529] = 3 },
}

--- Random numbers in [0, 1) for backoff, apart from those of suites; specs replace it.
http.random = nil

local state
local function random()
  if http.random then
    return http.random()
  end
  -- Park and Miller's minimal standard generator: only has to keep retries from falling together.
  state = (state or math.floor(system.mono() * 1e6) % 2147483645 + 1) * 48271 % 2147483647
  return state / 2147483647
end

--- How often a request that failed so may be repeated.
---@param err table
---@return integer
function http.retries(err)
  local policy = http.policy
  return policy.codes[err.code] or policy.statuses[err.status] or 0
end

--- Seconds to wait before retry number n (1, 2, ...): full-jitter exponential backoff, or what the
--- server asked for if that is more, and up to a tenth on top.
---@param n integer
---@param asked number|nil
---@return number
function http.backoff(n, asked)
  local wait = random() * math.min(http.policy.cap, http.policy.base * 2 ^ (n - 1))
  if asked and asked > wait then
    wait = asked * (1 + random() / 10)
  end
  return wait
end

local function escape(value)
  return (tostring(value):gsub("[^%w%-._~]", function(c) return ("%%%02X"):format(c:byte()) end))
end

--- The URL with more parameters: { name = value or list of values }, in the order of names.
---@param url string
---@param query table|nil
---@return string
function http.url(url, query)
  if query == nil then
    return url
  end
  local names, pairs_ = {}, {}
  for name in pairs(query) do
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local values = query[name]
    for _, value in ipairs(type(values) == "table" and values or { values }) do
      pairs_[#pairs_ + 1] = escape(name) .. "=" .. escape(value)
    end
  end
  if #pairs_ == 0 then
    return url
  end
  local base, fragment = url:match "^([^#]*)(.*)$"
  local joint = base:find("?", 1, true) and (base:find "[?&]$" and "" or "&") or "?"
  return base .. joint .. table.concat(pairs_, "&") .. fragment
end

local request_fields = {
  url = "string", method = "string", headers = "table", query = "table", json = "any",
  body = "string", timeout = "number", max_bytes = "integer",
}

-- By default what is left of the case's time: its deadline decides, and names the phase.
local function timeout_of(given)
  local left = fiber.time_left()
  return given or left < math.huge and left + 1 or 60
end

local function headers_of(given, has_json)
  local headers, has_type = {}, false
  for name, value in pairs(given or {}) do
    headers[name] = type(value) == "table" and value or tostring(value)
    has_type = has_type or name:lower() == "content-type"
  end
  if has_json and not has_type then
    headers["content-type"] = "application/json"
  end
  return headers
end

local function checked(options, level)
  local o = check.options(options, request_fields, "eval.http.request", level + 1)
  if o.url == nil then
    error("eval.http.request: url is missing", level + 1)
  elseif o.json ~= nil and o.body ~= nil then
    error("eval.http.request: give json or body, not both", level + 1)
  end
  return o
end

-- A request as the client takes it.
local function prepare(o, level)
  local body = o.body
  if o.json ~= nil then
    local encoded, err = json.encode(o.json, REPAIR)
    if not encoded then
      error("eval.http.request: json: " .. err.message, level + 1)
    end
    body = encoded
  end
  return {
    url = http.url(o.url, o.query),
    method = (o.method or body and "POST" or "GET"):upper(),
    headers = headers_of(o.headers, o.json ~= nil),
    body = body,
    timeout = timeout_of(o.timeout),
    max_bytes = o.max_bytes,
  }
end

local function send(request)
  local reply, err = native.request(request)
  if not reply then
    return nil, errors.new(err.code, err.message, { phase = err.phase, retryable = err.retryable })
  end
  function reply.json()
    return errors.decode(reply.body, request.url)
  end
  return reply
end

---@class evalhost.http.Request
---@field url string http or https
---@field method string|nil GET, or POST where there is a body
---@field headers table<string, string>|nil
---@field query table<string, any>|nil appended to the URL, encoded
---@field json any encoded as the body
---@field body string|nil
---@field timeout number|nil seconds; what is left of the case's time, else 60
---@field max_bytes integer|nil of the decoded body; 8 MiB

---@class evalhost.http.Reply
---@field status integer
---@field headers table<string, string> names in lower case
---@field body string
---@field elapsed_ms number
---@field json fun(): any, table|nil the decoded body, or nil and an error

--- One request, once. Any status is a reply. Redirects are not followed.
---@async
---@param options evalhost.http.Request
---@return evalhost.http.Reply|nil reply
---@return table|nil err codes: connect, dns, tls, timeout, too_large, truncated, reset, protocol
function http.request(options)
  return send(prepare(checked(options, 2), 2))
end

local function short(method)
  return function(options)
    if type(options) == "string" then
      options = { url = options }
    end
    local copy = {}
    for key, value in pairs(options) do
      copy[key] = value
    end
    copy.method = method
    return send(prepare(checked(copy, 2), 2))
  end
end

--- `http.request` with method GET; a URL alone will do.
---@async
http.get = short "GET"

--- `http.request` with method POST.
---@async
http.post = short "POST"

local function wait_booked(seconds)
  local locals = fiber.locals()
  locals.waited = (locals.waited or 0) + seconds
  fiber.wait(seconds)
end

-- What stands in the way of waiting so long; nil if nothing does.
local function too_long(err, wait)
  local asked, policy = err.retry_after, http.policy
  if asked and asked > policy.longest_wait then
    return errors.new("rate_limited",
      ("%s; the server asks to wait %g s, longer than %g s"):format(err.message, asked,
        policy.longest_wait),
      { status = err.status, attempts = err.attempts, retry_after = asked, retryable = true })
  elseif (fiber.locals().waited or 0) + wait > policy.longest_waits then
    return err
  end
end

-- One attempt: the value that `read` makes of a good reply, or nil, err.
local function attempt(request, read)
  local reply, err = send(request)
  if not reply then
    return nil, err
  end
  err = errors.of_status(reply, request.url)
  local value
  if not err then
    value, err = read(reply)
  end
  if err then
    err.retry_after = retry_after.seconds(reply.headers, system.wall() / 1e6)
    return nil, err
  end
  return value
end

--- A request for an answer: repeated as `http.policy` says, with booked waits. Statuses outside of
--- 200 to 299 are errors. `read(reply)` gives the value, or nil and an error that may be retried.
---@async
---@param options evalhost.http.Request
---@param read fun(reply: evalhost.http.Reply): any, table|nil
---@return any value
---@return table|nil err with `attempts`
function http.call(options, read)
  local request = prepare(options, 2)
  for n = 1, math.huge do
    local value, err = attempt(request, read)
    if not err then
      return value
    end
    err.attempts = n
    local allowed = http.retries(err)
    err.retryable = allowed > 0
    if n > allowed then
      return nil, err
    end
    local wait = http.backoff(n, err.retry_after)
    local refusal = too_long(err, wait)
    if refusal then
      return nil, refusal
    end
    wait_booked(wait)
    request.timeout = timeout_of(options.timeout)
  end
end

return http
