-- record_spec.lua: the canonical case: which keys, in which order, null where there is nothing.

local json = require "evalhost.native.json"
local record = require "evalhost.record"

local function result(more)
  local one = { case = { id = "a", input = "q", expected = {}, metadata = {} }, attempt = 1,
    verdict = "pass", metrics = {}, timings = { target_ms = 1, judge_ms = 0, wait_ms = 0 } }
  for key, value in pairs(more or {}) do
    one[key] = value
  end
  return one
end

local function keys(text)
  local list = {}
  for key in text:gmatch '"([^"]+)":' do
    list[#list + 1] = key
  end
  return table.concat(list, " ")
end

describe("record.encode", function()
  it("writes every key, in order", function()
    local text = assert(record.encode(result()))
    expect(keys(text)):equals("id repeat verdict score metrics input expected metadata outcome "
      .. "error reason flags timings target_ms judge_ms wait_ms cost_usd attempts cached")
    expect(text:find('"flags":[]', 1, true)):truthy()
    expect(text:find('"outcome":null', 1, true)):truthy()
  end)

  it("orders what is inside, and puts the rest after it", function()
    local text = assert(record.encode(result {
      metrics = { m = { value = 1, reason = "r" } },
      case = { id = "a", input = "q", metadata = {},
        expected = { tools = { { arguments = { x = 1 }, name = "t" } } } },
      outcome = { tool_calls = json.array { { arguments = { b = 1 }, name = "t" } }, model = "m",
        answer = "x", sources = json.array(), citations = json.array(), flags = json.array() },
    }))
    expect(text:find('"m":{"value":1,"reason":"r","detail":null,"unscored":null,"judge":null}', 1,
      true)):truthy()
    expect(text:find('"tools":[{"name":"t","arguments":{"x":1}}]', 1, true)):truthy()
    expect(text:find('"outcome":{"answer":"x","tool_calls":[{"name":"t","arguments":{"b":1},'
      .. '"result":null,"error":null}],"sources":[],"citations":[],"usage":null,'
      .. '"latency_ms":null,"model":"m"}', 1, true)):truthy()
  end)

  it("says what a target gave that JSON cannot hold", function()
    local text, err = record.encode(result { outcome = { answer = "x", raw = print,
      tool_calls = {}, flags = {} } })
    expect(text):equals(nil)
    expect(err.message:find("raw", 1, true)):truthy()
  end)
end)

describe("record.mark", function()
  it("gives a decoded case the order that it had", function()
    local text = assert(record.encode(result { error = { message = "m", code = "c" } }))
    expect(json.encode(record.mark(assert(json.decode(text))))):equals(text)
  end)
end)

describe("record.figures", function()
  it("keeps numbers, and null for what is unscored", function()
    local figures = json.decode(record.figures(result { cost = 0.5,
      metrics = { a = { value = 0.5, detail = { x = 1, y = "no", z = 0 / 0 } },
        b = { unscored = "u", detail = { x = 9 } } },
      outcome = { latency_ms = 7, usage = { input_tokens = 3, total_tokens = "4" } } }))
    expect(figures.m.a):equals(0.5)
    expect(figures.m.b):equals(json.null)
    expect(figures.d):equals { ["a.x"] = 1 }
    expect(figures.c):equals(0.5)
    expect(figures.l):equals(7)
    expect(figures.i):equals(3)
    expect(figures.t == nil or figures.t == json.null):equals(true)
  end)
end)
