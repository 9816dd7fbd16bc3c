-- format_spec.lua: figures as people read them.

local format = require "evalhost.report.format"

describe("format.percent", function()
  it("rounds half up, also where binary fractions fall short of the half", function()
    expect(format.percent(0.845)):equals "85%"
    expect(format.percent(0.285)):equals "29%"
    expect(format.percent(0.005)):equals "1%"
    expect(format.percent(0.565)):equals "57%"
    expect(format.percent(0.844999)):equals "84%"
    expect(format.percent(1.005)):equals "101%"
  end)

  it("knows the ends, and what is not there", function()
    expect(format.percent(0)):equals "0%"
    expect(format.percent(1)):equals "100%"
    expect(format.percent(2 / 3)):equals "67%"
    expect(format.percent(nil)):equals "n/a"
  end)
end)

describe("format.count and format.number", function()
  it("separate thousands", function()
    expect(format.count(0)):equals "0"
    expect(format.count(999)):equals "999"
    expect(format.count(1000)):equals "1,000"
    expect(format.count(1234567)):equals "1,234,567"
    expect(format.number(-1234.5)):equals "-1,234"
    expect(format.number(-123.45)):equals "-123.5"
  end)

  it("choose decimals by size", function()
    expect(format.number(0.5)):equals "0.500"
    expect(format.number(12.345)):equals "12.35"
    expect(format.number(0.00001)):equals "1e-05"
    expect(format.number(0)):equals "0.000"
    expect(format.number(0.5, 1)):equals "0.5"
    expect(format.number(nil)):equals "n/a"
  end)
end)

describe("times and money", function()
  it("take the unit that fits", function()
    expect(format.ms(0.051)):equals "0.05 ms"
    expect(format.ms(4.25)):equals "4.2 ms"
    expect(format.ms(250)):equals "250 ms"
    expect(format.ms(999.7)):equals "1.0 s"
    expect(format.ms(1340)):equals "1.3 s"
    expect(format.ms(125000)):equals "2:05 min"
    expect(format.ms(3725000)):equals "1:02:05 h"
    expect(format.ms(nil)):equals "n/a"
  end)

  it("show small costs with digits enough", function()
    expect(format.money(0)):equals "$0.00"
    expect(format.money(1234.5)):equals "$1,234.50"
    expect(format.money(0.1234)):equals "$0.1234"
    expect(format.money(0.0000123)):equals "$1.2e-05"
  end)

  it("count words", function()
    expect(format.plural(1, "case")):equals "1 case"
    expect(format.plural(2000, "case")):equals "2,000 cases"
    expect(format.plural(0, "entry", "entries")):equals "0 entries"
  end)
end)

describe("format.line", function()
  it("is one clean line, cut to the width", function()
    expect(format.line "a\27[31mb\27[0m\r\nc\t d"):equals "ab c d"
    expect(format.line("abcdef", 4)):equals "abc…"
    expect(format.line("東京の天気", 5)):equals "東京…"
  end)
end)

describe("format.line", function()
  it("shows no secret", function()
    local secrets = require "evalhost.secrets"
    secrets.register "sk-topsecret"
    local shown = format.line("it is sk-topsecret")
    secrets.forget()
    expect(shown):equals "it is [redacted]"
  end)
end)
