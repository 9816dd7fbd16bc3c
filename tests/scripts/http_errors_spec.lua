-- http_errors_spec.lua: what replies that are no answers are called.
local errors = require "evalhost.http_errors"
local json = require "evalhost.native.json"
local secrets = require "evalhost.secrets"

local URL = "http://me:secret-pw@h:1/v1/chat?key=1"

local function of(status, body, headers)
  if type(body) == "table" then
    body = json.encode(body)
  end
  return errors.of_status({ status = status, body = body or "", headers = headers or {} }, URL)
end

describe("errors.of_status", function()
  it("lets 200 to 299 pass", function()
    expect(of(200)):equals(nil)
    expect(of(204)):equals(nil)
  end)

  it("names the status and says what the server said", function()
    local err = of(400, { error = { message = "bad tool name", type = "invalid_request_error" } })
    expect(err.code):equals("http_400")
    expect(err.status):equals(400)
    expect(err.message):equals("http://h:1/v1/chat: HTTP 400: bad tool name")
    expect(of(404, "gone\27[31m\n  away").message):equals("http://h:1/v1/chat: HTTP 404: gone away")
    expect(of(500, { detail = "boom" }).code):equals("server_500")
    expect(of(408).code):equals("server_408")
    expect(of(501).code):equals("server_501")
    expect(of(418, { error = "short" }).message):equals("http://h:1/v1/chat: HTTP 418: short")
  end)

  it("tells a rate limit from money that ran out", function()
    expect(of(429, { error = { message = "slow down", code = "rate_limit_exceeded" } }).code)
      :equals("rate_limited")
    expect(of(429, { error = { message = "x", code = "insufficient_quota" } }).code)
      :equals("quota")
    expect(of(429, { error = { message = "x", type = "insufficient_quota", code = json.null } })
      .code):equals("quota")
    expect(of(400, { error = { message = "Your credit balance is too low to go on" } }).code)
      :equals("quota")
    expect(of(402).code):equals("quota")
    expect(of(500, { error = { code = "insufficient_quota" } }).code):equals("server_500")
  end)

  it("names the target of a redirect", function()
    local err = of(302, "", { location = "https://u:p@other/x" })
    expect(err.code):equals("redirect")
    expect(err.message:find("https://other/x", 1, true)):truthy()
    expect(of(301).message:find("nowhere", 1, true)):truthy()
  end)

  it("shows no secret", function()
    secrets.register("sk-very-secret")
    local err = of(401, { error = { message = "Incorrect API key sk-very-secret" } })
    secrets.forget()
    expect(err.message:find("very", 1, true)):equals(nil)
    expect(err.code):equals("http_401")
  end)
end)

describe("errors.of_value", function()
  local function code(value)
    local err = errors.of_value(value, URL)
    return err and err.code, err and err.status
  end

  it("finds nothing in a reply without an error", function()
    for _, value in ipairs { { ok = true }, { error = json.null }, { error = false }, "x", 7 } do
      expect(errors.of_value(value, URL)):equals(nil)
    end
  end)

  it("takes the class from code or type", function()
    expect({ code { error = { code = "rate_limit_exceeded" } } }):equals { "rate_limited", 429 }
    expect({ code { error = { type = "overloaded_error" } } }):equals { "server_529", 529 }
    expect({ code { error = { type = "server_error" } } }):equals { "server_500", 500 }
    expect({ code { error = { code = 502 } } }):equals { "server_502", 502 }
    expect({ code { error = { code = "429" } } }):equals { "rate_limited", 429 }
    expect({ code { error = { type = "authentication_error" } } }):equals { "http_401", 401 }
    expect((code { error = { code = "insufficient_quota" } })):equals("quota")
    expect((code { error = { message = "odd" } })):equals("error_reply")
    expect((code { error = "odd" })):equals("error_reply")
    expect((code { error = {} })):equals("error_reply")
  end)
end)

describe("errors.decode", function()
  local function code(body)
    local value, err = errors.decode(body, "h")
    return err and err.code or value, err
  end

  it("reads JSON, also behind a byte order mark", function()
    expect(code "\xEF\xBB\xBF {\"a\": 1}"):equals { a = 1 }
    expect(code "null"):equals(json.null)
    expect(code "false"):equals(false)
  end)

  it("tells what is no JSON from JSON that is broken", function()
    local name, err = code "<!doctype html>\n<p>Log\tin"
    expect(name):equals("not_json")
    expect(err.message):equals("h: the reply is not JSON: <!doctype html> <p>Log in")
    expect((code "")):equals("not_json")
    name, err = code '{"a": '
    expect(name):equals("bad_json")
    expect(math.type(err.offset)):equals("integer")
    expect((code '{"a":1} x')):equals("bad_json")
    expect((code '\xEF\xBB\xBF{"a":1,}')):equals("bad_json")
  end)

  it("quotes 200 columns at most", function()
    local _, err = code(("héllo "):rep(1000))
    expect(utf8.len(err.message)):equals(#"h: the reply is not JSON: " + 200)
  end)
end)
