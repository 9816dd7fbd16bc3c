-- targets/http.lua: an agent behind a URL as the target.

local sse = require "evalhost.native.sse"
local check = require "evalhost.check"
local errors = require "evalhost.http_errors"
local events = require "evalhost.targets.http_events"
local http = require "evalhost.http"
local mapping = require "evalhost.targets.http_reply"
local targets = require "evalhost.targets"

local WHAT = "eval.targets.http"

local fields = {
  url = "string|function", method = { "string", "POST" }, headers = "table|function",
  body = "function", outcome = "function", timeout = "number", max_bytes = "integer",
}

local function is_stream(reply)
  if reply.body:find "^%s*{" then
    return false
  end
  local kind = reply.headers["content-type"] or ""
  return kind:lower():find("text/event-stream", 1, true) ~= nil
end

-- The decoded reply: of a stream, what its events say together.
local function value_of(reply, url)
  if is_stream(reply) then
    return events.assemble(sse.parse(reply.body), url)
  end
  return errors.decode(reply.body, url)
end

local function read(o, url)
  return function(reply)
    if o.outcome then
      return { reply = reply } -- mapped by the suite, outside of the retries
    end
    local value, err = value_of(reply, url)
    if err then
      return nil, err
    end
    return mapping.outcome(value, url)
  end
end

local function call_or(value, case)
  if check.is_callable(value) then
    return value(case)
  end
  return value
end

-- A table is sent as JSON, a text as it is.
local function body_of(o, case)
  if not o.body then
    if o.method:upper() == "GET" then
      return nil, nil
    end
    return nil, { message = case.input }
  end
  local body = o.body(case)
  if type(body) == "string" then
    return body, nil
  end
  return nil, body
end

local function ask(o, case)
  local url = call_or(o.url, case)
  if type(url) ~= "string" then
    error(WHAT .. ": url must give a string", 0)
  end
  local body, value = body_of(o, case)
  local result, err = http.call({
    url = url, method = o.method, headers = call_or(o.headers, case), body = body, json = value,
    timeout = o.timeout, max_bytes = o.max_bytes,
  }, read(o, url))
  if not result then
    return nil, err
  elseif o.outcome then
    return o.outcome(result.reply, case)
  end
  return result
end

---@class evalhost.targets.HttpOptions
---@field url string|fun(case: table): string
---@field method string|nil POST
---@field headers table<string, string>|(fun(case: table): table)|nil
---@field body (fun(case: table): table|string)|nil a table is sent as JSON; default
--- { message = case.input }
---@field outcome (fun(reply: evalhost.http.Reply, case: table): table|string|nil, any)|nil how to
--- read the reply
---@field timeout number|nil seconds of one request
---@field max_bytes integer|nil

--- An agent behind a URL. Without `outcome` the reply is JSON or a stream of events: the answer is
--- under answer, response, output or message; tool_calls, sources, citations and usage are taken
--- over. A stream's tokens (token, delta, content, text) are joined; its last object with an answer
--- wins. Statuses outside of 200 to 299 are errors.
---@param options evalhost.targets.HttpOptions
---@return evalhost.Target
return function(options)
  local o = check.options(options, fields, WHAT)
  if o.url == nil then
    error(WHAT .. ": url is missing", 2)
  end
  return targets.describe {
    kind = "http",
    fn = function(case)
      return ask(o, case)
    end,
  }
end
