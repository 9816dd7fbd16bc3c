-- record_spec.lua: the canonical JSON: keys, their order, what is null; and the figures.

local json = require "evalhost.native.json"
local outcome = require "evalhost.outcome"
local record = require "evalhost.record"

local function result_of(changes)
  local result = {
    case = { id = "c1", input = "x", expected = { tools = { { name = "t" } } }, metadata = {} },
    index = 1, attempt = 2, verdict = "pass", score = 0.5,
    metrics = { one = { value = 1, reason = "why" } },
    outcome = outcome.new { answer = "a", tool_calls = { { name = "t", arguments = { z = 1 } } },
      usage = { input_tokens = 3, output_tokens = 4, total_tokens = 7 }, flags = { "coerced" } },
    timings = { target_ms = 1, wait_ms = 0, judge_ms = 2 }, cost = 0.25,
  }
  result.outcome.latency_ms = 1
  for key, value in pairs(changes or {}) do
    result[key] = value ~= "none" and value or nil
  end
  return result
end

local function keys_of(text)
  local keys = {}
  for key in text:gmatch '\n  "([^"]+)":' do
    keys[#keys + 1] = key
  end
  return table.concat(keys, " ")
end

describe("record.encode", function()
  it("writes the keys in their order, at every fixed level", function()
    local text = assert(record.encode(result_of()))
    expect(text):equals('{"id":"c1","repeat":2,"verdict":"pass","score":0.5,'
      .. '"metrics":{"one":{"value":1,"reason":"why","detail":null,"unscored":null,"judge":null}},'
      .. '"input":"x","expected":{"tools":[{"name":"t","arguments":null}]},"metadata":{},'
      .. '"outcome":{"answer":"a","tool_calls":[{"name":"t","arguments":{"z":1},"result":null,'
      .. '"error":null}],"sources":[],"citations":[],"usage":{"input_tokens":3,"output_tokens":4,'
      .. '"total_tokens":7},"latency_ms":1},"error":null,"reason":null,"flags":["coerced"],'
      .. '"timings":{"target_ms":1,"judge_ms":2,"wait_ms":0},"cost_usd":0.25,"attempts":[],'
      .. '"cached":false}')
  end)

  it("writes null for what there is none of", function()
    local value = json.decode(assert(record.encode(result_of { outcome = "none", score = "none",
      cost = "none", metrics = {}, verdict = "error",
      error = { code = "timeout", message = "m", phase = "body" } })))
    for _, key in ipairs { "outcome", "score", "cost_usd", "reason" } do
      expect(value[key]):equals(json.null)
    end
    expect(value.error):equals { code = "timeout", message = "m", phase = "body" }
    expect(json.is_array(value.flags)):equals(true)
    expect(json.is_array(value.attempts)):equals(true)
    expect(value.metrics):equals {}
  end)

  it("keeps what targets and suites add, after the fixed keys", function()
    local text = assert(record.encode(result_of {
      outcome = outcome.new { answer = "a", aaa = 1, raw = { b = true } } }))
    expect(text:find('"latency_ms":null,"aaa":1,"flags"', 1, true)
      or text:find('"latency_ms":null,"aaa":1,"raw":{"b":true}', 1, true)):truthy()
  end)

  it("repairs invalid UTF-8 and refuses what JSON cannot say", function()
    local value = json.decode(assert(record.encode(result_of {
      outcome = outcome.new "\xff", reason = "bad \xfe" })))
    expect(value.outcome.answer):equals "\u{FFFD}"
    expect(value.reason):equals "bad \u{FFFD}"
    local text, err = record.encode(result_of { outcome = outcome.new { raw = print } })
    expect(text):equals(nil)
    expect(err.message:find "outcome.raw" ~= nil):equals(true)
    text, err = record.encode(result_of { metrics = { one = { value = 1,
      detail = { x = 0 / 0 } } } })
    expect(text):equals(nil)
    expect(err.message:find "metrics.one.detail.x" ~= nil):equals(true)
  end)
end)

describe("record.mark", function()
  it("gives a decoded case its order back", function()
    local text = assert(record.encode(result_of()))
    local marked = record.mark(assert(json.decode(text)))
    expect(json.encode(marked)):equals(text)
    expect(keys_of(json.encode(marked, { pretty = true }))):equals("id repeat verdict score "
      .. "metrics input expected metadata outcome error reason flags timings cost_usd attempts "
      .. "cached")
  end)

  it("leaves out in an attempt what stands at the case", function()
    local attempt = record.mark_attempt { ["repeat"] = 1, verdict = "fail" }
    expect(keys_of(json.encode(attempt, { pretty = true }))):equals("repeat verdict score metrics "
      .. "outcome error reason flags timings cost_usd cached")
  end)

  it("copes with nulls", function()
    local case = record.mark { metrics = json.null, outcome = json.null, error = json.null,
      timings = json.null, expected = json.null }
    expect(json.encode(case)):truthy()
  end)
end)

describe("the document", function()
  it("has the keys of its schema", function()
    expect(record.SCHEMA):equals "evalhost.run/1"
    expect(keys_of(json.encode(record.document {}, { pretty = true }))):equals
      "schema run summary thresholds cases"
    expect(keys_of(json.encode(record.run {}, { pretty = true }))):equals("id suite status "
      .. "exit_code started_at finished_at duration_ms version seed params target judges "
      .. "fingerprint suite_sha256 git notes")
    expect(keys_of(json.encode(record.threshold {}, { pretty = true }))):equals
      "level figure op limit actual met"
  end)
end)

describe("a registered secret", function()
  it("is in no record", function()
    local secrets = require "evalhost.secrets"
    secrets.register 'sk-"quoted"-1'
    local text = record.encode(result_of { outcome = outcome.new 'the key: sk-"quoted"-1' })
    secrets.forget()
    expect(text:find("quoted", 1, true)):equals(nil)
    expect(json.decode(text).outcome.answer):equals "the key: [redacted]"
  end)
end)

describe("record.figures", function()
  local function figures(changes)
    return json.decode(record.figures(result_of(changes)))
  end

  it("are the numbers of an attempt", function()
    expect(figures()):equals { m = { one = 1 }, l = 1, c = 0.25, i = 3, o = 4, t = 7 }
    expect(figures { outcome = "none", cost = "none", metrics = {} }):equals { m = {} }
  end)

  it("have null for unscored metrics, and the numbers of details", function()
    expect(figures { outcome = "none", cost = "none", metrics = {
      a = { unscored = "judge_http", detail = { x = 1 } },
      b = { value = 0.5, detail = { p = 1, q = "text", r = 0 / 0, s = math.huge, [1] = 5 } },
    } }):equals { m = { a = json.null, b = 0.5 }, d = { ["b.p"] = 1 } }
  end)

  it("leave out tokens that are no numbers", function()
    local odd = outcome.new { usage = { input_tokens = 0 / 0, output_tokens = "4",
      total_tokens = json.null } }
    expect(figures { outcome = odd, cost = "none" }):equals { m = { one = 1 } }
  end)

  it("take any bytes as a name", function()
    expect(figures { outcome = "none", cost = "none", metrics = {
      a = { value = 1, detail = { ["\xff"] = 2 } } } }.d):equals { ["a.\u{FFFD}"] = 2 }
  end)
end)
