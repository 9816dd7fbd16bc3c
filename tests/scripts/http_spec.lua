-- http_spec.lua: requests as they are sent, and the retry policy, without a network.
local fiber = require "evalhost.native.fiber"
local http = require "evalhost.http"
local native = require "evalhost.native.http"

local saved = { request = native.request, wait = fiber.wait }
local replies, sent, waits

local function reply(status, body, headers)
  return { status = status, body = body or "{}", headers = headers or {}, elapsed_ms = 1 }
end

local function failure(code)
  return { fail = fiber.error(code, "it was " .. code) }
end

-- Requests get these in turn, the last one for ever.
local function serve(list)
  replies = list
end

local function call(options)
  options = options or {}
  options.url = options.url or "http://h/x"
  return http.call(options, function(answer)
    return answer.json()
  end)
end

local function install()
  sent, waits = {}, {}
  fiber.locals().waited = 0
  http.random = function() return 0.5 end
  native.request = function(request)
    sent[#sent + 1] = request
    local next_one = replies[math.min(#sent, #replies)]
    if next_one.fail then
      return nil, next_one.fail
    end
    local copy = {}
    for key, value in pairs(next_one) do copy[key] = value end
    return copy
  end
  fiber.wait = function(s) waits[#waits + 1] = s end
end

local function restore()
  native.request, fiber.wait, http.random = saved.request, saved.wait, nil
end

describe("http.url", function()
  it("appends parameters in the order of names, encoded", function()
    expect(http.url("http://h/p", { b = "x y&", a = 1, c = { "é", true } })):equals(
      "http://h/p?a=1&b=x%20y%26&c=%C3%A9&c=true")
  end)

  it("keeps what is there", function()
    expect(http.url("http://h?z=1#f", { a = 2 })):equals("http://h?z=1&a=2#f")
    expect(http.url("http://h?", { a = 2 })):equals("http://h?a=2")
    expect(http.url("http://h", {})):equals("http://h")
    expect(http.url("http://h", nil)):equals("http://h")
  end)
end)

describe("http.request", function()
  before_each(install)
  after_each(restore)

  it("encodes json, and says so", function()
    serve { reply(200, '{"ok":true}') }
    local answer = http.request { url = "http://h", json = { a = 1 }, headers = { X = 7 } }
    expect(answer.json()):equals { ok = true }
    expect(sent[1].method):equals("POST")
    expect(sent[1].body):equals('{"a":1}')
    expect(sent[1].headers):equals { X = "7", ["content-type"] = "application/json" }
  end)

  it("leaves a content type of the caller alone", function()
    serve { reply(200) }
    http.request { url = "http://h", json = {}, headers = { ["Content-Type"] = "x/y" } }
    expect(sent[1].headers):equals { ["Content-Type"] = "x/y" }
  end)

  it("takes any status for a reply, once", function()
    serve { reply(503, "down") }
    local answer, err = http.get "http://h"
    expect(err):equals(nil)
    expect(answer.status):equals(503)
    expect(#sent):equals(1)
    expect(sent[1].method):equals("GET")
    local value, problem = answer.json()
    expect(value):equals(nil)
    expect(problem.code):equals("not_json")
  end)

  it("gives nil and an error where there is no reply", function()
    serve { failure "dns" }
    local answer, err = http.post { url = "http://h", body = "x" }
    expect(answer):equals(nil)
    expect(err.code):equals("dns")
    expect(tostring(err)):equals("it was dns")
  end)

  it("raises for mistakes, where they were made", function()
    expect(function() http.request { url = "x", jsn = {} } end):errors "http_spec.lua.*did you mean"
    expect(function() http.request {} end):errors "http_spec.lua.*url is missing"
    expect(function() http.request { url = "x", json = {}, body = "" } end):errors "not both"
    expect(function() http.request { url = "x", json = { print } } end):errors "json"
    expect(function() http.get { url = 7 } end):errors "http_spec.lua.*url must be a string"
  end)
end)

describe("http.call", function()
  before_each(install)
  after_each(restore)

  local function tries(list, options)
    install()
    serve(list)
    local value, err = call(options)
    return #sent, value, err
  end

  it("gives what the reader made of the first good reply", function()
    local n, value = tries { reply(200, '{"a":1}') }
    expect(n):equals(1)
    expect(value):equals { a = 1 }
    expect(waits):equals {}
  end)

  it("tries three times again where that may help", function()
    for _, status in ipairs { 408, 429, 500, 502, 503, 504, 529 } do
      local n, value, err = tries { reply(status) }
      expect(n):equals(4)
      expect(value):equals(nil)
      expect(err.attempts):equals(4)
      expect(err.code):equals(status == 429 and "rate_limited" or "server_" .. status)
    end
    for _, code in ipairs { "connect", "reset", "truncated", "timeout" } do
      expect((tries { failure(code) })):equals(4)
    end
  end)

  it("tries once again after dns, not_json, bad_json", function()
    expect((tries { failure "dns" })):equals(2)
    expect((tries { reply(200, "<html>") })):equals(2)
    expect((tries { reply(200, "{") })):equals(2)
  end)

  it("never tries again where it cannot help", function()
    for _, status in ipairs { 301, 400, 401, 402, 403, 404, 413, 422, 501 } do
      expect((tries { reply(status) })):equals(1)
    end
    for _, code in ipairs { "tls", "too_large", "protocol", "argument" } do
      expect((tries { failure(code) })):equals(1)
    end
    local n, _, err = tries { reply(429, '{"error":{"code":"insufficient_quota"}}') }
    expect(n):equals(1)
    expect(err.code):equals("quota")
  end)

  it("ends with the first success", function()
    local n, value = tries { reply(503), failure "reset", reply(200, "[7]") }
    expect(n):equals(3)
    expect(value):equals { 7 }
  end)

  it("backs off with full jitter, doubled each time, booked as waiting", function()
    tries { failure "connect" }
    expect(waits):equals { 0.25, 0.5, 1 }
    expect(fiber.locals().waited):equals(1.75)
  end)

  it("waits as long as the server asks, and a little more", function()
    tries { reply(429, "", { ["retry-after"] = "2" }), reply(200) }
    expect(#waits):equals(1)
    expect(waits[1]):near(2.1, 1e-9)
    tries { reply(429, "", { ["retry-after"] = "0.001" }), reply(200) }
    expect(waits):equals { 0.25 }
  end)

  it("does not wait for more than two minutes, and says so", function()
    local n, _, err = tries { reply(503, "", { ["retry-after"] = "300" }) }
    expect(n):equals(1)
    expect(err.code):equals("rate_limited")
    expect(err.message:find("asks to wait 300 s", 1, true)):truthy()
    expect(waits):equals {}
  end)

  it("does not wait for more than five minutes in one case", function()
    local n, _, err = tries { reply(429, "", { ["retry-after"] = "110" }) }
    expect(n):equals(3)
    expect(err.code):equals("rate_limited")
    expect(fiber.locals().waited):near(231, 1e-9)
  end)

  it("retries what the reader asks to have retried", function()
    install()
    serve { reply(200) }
    local count = 0
    local value, err = http.call({ url = "http://h" }, function()
      count = count + 1
      return nil, fiber.error("empty_choices", "none")
    end)
    expect(value):equals(nil)
    expect(err.code):equals("empty_choices")
    expect(count):equals(2)
  end)
end)

describe("http.backoff", function()
  it("stays between 0 and its cap", function()
    http.random = nil
    for n = 1, 40 do
      local wait = http.backoff(n)
      expect(wait >= 0 and wait <= 30 and wait <= 0.5 * 2 ^ (n - 1)):truthy()
    end
  end)
end)
