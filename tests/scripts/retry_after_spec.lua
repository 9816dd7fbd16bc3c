-- retry_after_spec.lua: how long a server asks to wait.
local retry_after = require "evalhost.retry_after"

local NOW = 1700000000 -- Tue, 14 Nov 2023 22:13:20 GMT

local function seconds(headers)
  return retry_after.seconds(headers, NOW)
end

describe("retry_after.date", function()
  it("reads all three forms of RFC 9110", function()
    for _, text in ipairs {
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994",
    } do
      expect(retry_after.date(text)):equals(784111777)
    end
  end)

  it("knows leap years, ends of years and the epoch", function()
    expect(retry_after.date "Thu, 01 Jan 1970 00:00:00 GMT"):equals(0)
    expect(retry_after.date "Thu, 29 Feb 2024 12:00:00 GMT"):equals(1709208000)
    expect(retry_after.date "Fri, 31 Dec 1999 23:59:60 GMT"):equals(946684800)
  end)

  it("gives nil for all else", function()
    for _, text in ipairs {
      "", "soon", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 PST",
      "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "1994-11-06T08:49:37Z",
    } do
      expect(retry_after.date(text)):equals(nil)
    end
  end)
end)

describe("retry_after.seconds", function()
  it("reads seconds, whole and decimal", function()
    expect(seconds { ["retry-after"] = "7" }):equals(7)
    expect(seconds { ["retry-after"] = " 1.5 " }):equals(1.5)
    expect(seconds { ["retry-after"] = ".5" }):equals(0.5)
  end)

  it("prefers retry-after-ms, if it can be used", function()
    expect(seconds { ["retry-after-ms"] = "250", ["retry-after"] = "7" }):equals(0.25)
    expect(seconds { ["retry-after-ms"] = "-1", ["retry-after"] = "7" }):equals(7)
  end)

  it("subtracts the server's own date, else the clock", function()
    local at = "Tue, 14 Nov 2023 22:13:50 GMT"
    expect(seconds { ["retry-after"] = at }):equals(30)
    expect(seconds { ["retry-after"] = at, date = "Tue, 14 Nov 2023 22:13:48 GMT" }):equals(2)
    expect(seconds { ["retry-after"] = at, date = "garbage" }):equals(30)
  end)

  it("ignores what cannot be meant", function()
    for _, text in ipairs {
      "0", "-5", "nan", "inf", "1e999", "0x10", "soon", "", "5 s", "1, 2",
      ("9"):rep(400), "Tue, 14 Nov 2023 22:13:19 GMT",
    } do
      expect(seconds { ["retry-after"] = text }):equals(nil)
    end
    expect(seconds {}):equals(nil)
  end)
end)
