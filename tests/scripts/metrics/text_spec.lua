-- metrics/text_spec.lua: plain checks of a text.
local json = require "evalhost.native.json"
local metrics = require "evalhost.metrics"

-- The value of a metric for an answer (and what the case expects); or the code why there is none.
local function value(metric, answer, expected)
  local outcome = type(answer) == "table" and answer or { answer = answer }
  local got = metric({ expected = expected or {} }, outcome, {})
  if type(got) == "table" then
    return got.value or got.code, got.reason
  end
  return got
end

describe("equals", function()
  it("compares strings exactly unless folded", function()
    expect(value(metrics.equals { value = "Yes" }, "Yes")):equals(1)
    expect(value(metrics.equals { value = "Yes" }, "yes")):equals(0)
    expect(value(metrics.equals { value = "Yes" }, "Yes ")):equals(0)
    expect(value(metrics.equals { value = "STRASSE", fold = true }, "straße")):equals(1)
  end)

  it("compares a field with what the case expects of it", function()
    local intent = metrics.equals { of = "intent" }
    expect(value(intent, { intent = "a" }, { intent = "a" })):equals(1)
    local got, reason = value(intent, { intent = "b" }, { intent = "a" })
    expect(got):equals(0)
    expect(reason):equals('intent: expected "a", got "b"')
    expect(select(2, value(intent, {}, { intent = "a" }))):equals(
      'intent: expected "a", got nothing')
    expect(value(intent, { intent = "a" })):equals("no_expected_intent")
    expect(value(intent, { intent = "a" }, { intent = json.null })):equals("no_expected_intent")
  end)

  it("compares the answer by default", function()
    expect(value(metrics.equals(), "x", { answer = "x" })):equals(1)
    expect(value(metrics.equals(), "", { answer = "" })):equals(1)
  end)

  it("compares numbers as numbers, tables deeply, types strictly", function()
    local n = metrics.equals { of = "n" }
    expect(value(n, { n = 7.0 }, { n = 7 })):equals(1)
    expect(value(n, { n = "7" }, { n = 7 })):equals(0)
    expect(value(n, { n = { a = { 1, 2 } } }, { n = { a = { 1, 2 } } })):equals(1)
    expect(value(n, { n = { a = { 2, 1 } } }, { n = { a = { 1, 2 } } })):equals(0)
    expect(value(n, { n = false }, { n = false })):equals(1)
  end)
end)

describe("contains, icontains, starts_with", function()
  it("search plain text", function()
    expect(value(metrics.contains { value = "a.c" }, "xa.cx")):equals(1)
    expect(value(metrics.contains { value = "a.c" }, "abc")):equals(0)
    expect(value(metrics.contains { value = "A" }, "a")):equals(0)
    expect(value(metrics.icontains { value = "ÉTÉ" }, "un été")):equals(1)
    expect(value(metrics.starts_with { value = "Hel" }, "Hello")):equals(1)
    expect(value(metrics.starts_with { value = "hel" }, "Hello")):equals(0)
    expect(value(metrics.starts_with { value = "hel", fold = true }, "Hello")):equals(1)
    expect(value(metrics.starts_with { value = "lo" }, "Hello")):equals(0)
  end)

  it("measure blank and missing answers", function()
    expect(value(metrics.contains { value = "a" }, "")):equals(0)
    expect(value(metrics.contains { value = "a" }, {})):equals(0)
  end)

  it("take the case's own text", function()
    expect(value(metrics.contains(), "the answer is 7", { answer = "7" })):equals(1)
    expect(value(metrics.contains(), "x")):equals("no_expected_answer")
  end)

  it("refuse an empty text, which everything contains", function()
    for _, name in ipairs { "contains", "icontains", "starts_with" } do
      expect(function() metrics[name] { value = "" } end):errors "text_spec.lua.*must not be empty"
    end
  end)
end)

describe("regex", function()
  it("searches with PCRE2", function()
    expect(value(metrics.regex { pattern = [[\b\d{3}\b]] }, "at 182 dollars")):equals(1)
    expect(value(metrics.regex { pattern = "^x$" }, "yx")):equals(0)
    expect(value(metrics.regex { pattern = "PARIS", icase = true }, "Paris")):equals(1)
    expect(value(metrics.regex { pattern = [[\p{Lu}é]] }, "Éé")):equals(1)
    expect(value(metrics.regex { pattern = "a", of = "intent" }, { intent = "cat" })):equals(1)
  end)

  it("repairs what is not UTF-8", function()
    expect(value(metrics.regex { pattern = "b" }, "\xff b")):equals(1)
  end)

  it("is unscored over the match limit", function()
    expect(value(metrics.regex { pattern = "(a+)+$" }, ("a"):rep(60) .. "b"))
      :equals("match_limit")
  end)

  it("raises for a bad pattern when it is made", function()
    expect(function() metrics.regex { pattern = "a(b" } end):errors "text_spec.lua.*at byte 3"
    expect(function() metrics.regex {} end):errors "pattern is missing"
  end)
end)

describe("one_of", function()
  it("takes values of the suite or of the case", function()
    local m = metrics.one_of { values = { "a", "B", 7 }, fold = true }
    expect(value(m, "b")):equals(1)
    expect(value(m, "c")):equals(0)
    expect(value(m, "7")):equals(0)
    local of = metrics.one_of { of = "intent" }
    expect(value(of, { intent = "x" }, { intent = { "x", "y" } })):equals(1)
    expect(value(of, { intent = "z" }, { intent = { "x", "y" } })):equals(0)
    expect(value(of, { intent = "z" })):equals("no_expected_intent")
    expect(function() metrics.one_of { values = {} } end):errors "must not be empty"
  end)
end)

describe("length, word_count", function()
  it("check bounds, both included", function()
    expect(value(metrics.length { min = 2, max = 3 }, "äöü")):equals(1)
    expect(value(metrics.length { max = 2 }, "äöü")):equals(0)
    expect(value(metrics.length { min = 1 }, "")):equals(0)
    expect(value(metrics.word_count { min = 3, max = 3 }, "don't stop now!")):equals(1)
    expect(select(2, value(metrics.word_count { min = 3 }, "two words"))):equals(
      "answer: 2 words, wanted 3 to any")
  end)

  it("count without bounds", function()
    expect(value(metrics.length(), "äöü")):equals(3)
    expect(value(metrics.word_count(), {})):equals(0)
  end)

  it("refuse bounds that exclude everything", function()
    expect(function() metrics.length { min = 3, max = 2 } end):errors "min is above max"
  end)
end)

describe("is_json, contains_json", function()
  it("tell whole JSON from JSON inside of a text", function()
    expect(value(metrics.is_json(), ' {"a": 1} ')):equals(1)
    expect(value(metrics.is_json(), "null")):equals(1)
    expect(value(metrics.is_json(), '```json\n{"a":1}\n```')):equals(0)
    expect(value(metrics.is_json(), "{'a': 1}")):equals(0)
    expect(value(metrics.is_json(), "")):equals(0)
    expect(value(metrics.contains_json(), '```json\n{"a":1}\n```')):equals(1)
    expect(value(metrics.contains_json(), "7 and null")):equals(0)
    expect(value(metrics.contains_json(), "")):equals(0)
  end)

  it("say what is wrong", function()
    expect(select(2, value(metrics.is_json(), "{")) ~= nil):truthy()
  end)
end)
