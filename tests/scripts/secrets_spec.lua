-- secrets_spec.lua: registered values leave no trace in any of the forms in which they travel.
local secrets = require "evalhost.secrets"

local KEY = 'sk-A+b/c"d\\e f%9'

describe("secrets.redact", function()
  before_each(function()
    secrets.forget()
    secrets.register(KEY)
  end)
  after_each(secrets.forget)

  it("takes the value out as it stands, every time", function()
    expect(secrets.redact("a " .. KEY .. " b " .. KEY)):equals("a [redacted] b [redacted]")
  end)

  it("takes out percent-encoded forms in either case", function()
    local encoded = KEY:gsub("[^%w%-._~]", function(c) return ("%%%02X"):format(c:byte()) end)
    expect(secrets.redact("?k=" .. encoded .. "&x")):equals("?k=[redacted]&x")
    local lower = KEY:gsub("[^%w%-._~]", function(c) return ("%%%02x"):format(c:byte()) end)
    expect(secrets.redact("?k=" .. lower .. "&x")):equals("?k=[redacted]&x")
  end)

  it("takes out the JSON-escaped form", function()
    local encoded = require("evalhost.native.json").encode { key = KEY }
    expect(secrets.redact(encoded)):equals('{"key":"[redacted]"}')
  end)

  it("takes out base64 wherever the value stands in what was encoded", function()
    for _, before in ipairs { "", "u", "us", "usr", "user:" } do
      for _, after in ipairs { "", "x", "xy" } do
        local text = secrets.redact("Basic " .. secrets.base64(before .. KEY .. after))
        expect(text:find("[redacted]", 1, true)):truthy()
        expect(#text < 30):truthy()
      end
    end
  end)

  it("strips user and password from URLs", function()
    expect(secrets.redact("see https://me:pa@ss@host:1/p?q=a@b")):equals(
      "see https://host:1/p?q=a@b")
    expect(secrets.redact("mail me@host")):equals("mail me@host")
    expect(secrets.redact("http://host/path@x")):equals("http://host/path@x")
  end)

  it("takes a longer secret out before one that is inside of it", function()
    secrets.register("abcdefgh")
    secrets.register("abcdefghijkl")
    expect(secrets.redact("abcdefghijkl")):equals("[redacted]")
  end)

  it("ignores what is too short, and nil", function()
    secrets.register("test")
    secrets.register(nil)
    expect(secrets.redact("a test")):equals("a test")
  end)
end)

describe("secrets.base64", function()
  it("agrees with RFC 4648", function()
    local vectors = {
      [""] = "", f = "Zg==", fo = "Zm8=", foo = "Zm9v", foob = "Zm9vYg==", fooba = "Zm9vYmE=",
      foobar = "Zm9vYmFy",
    }
    for plain, encoded in pairs(vectors) do
      expect(secrets.base64(plain)):equals(encoded)
    end
  end)
end)
