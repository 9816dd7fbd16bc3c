-- json_spec.lua: the canonical document.

local fake_run = require "fake_run"
local json = require "evalhost.native.json"
local write = require "evalhost.report.json"

local function written(results, more)
  local run, doc = fake_run.new(results, more)
  local out = fake_run.out()
  write(out, run, doc)
  return out.text()
end

describe("the JSON document", function()
  it("is valid and whole", function()
    local text = written({ { score = 1 }, { verdict = "fail", score = 0.5 } },
      { thresholds = { { "minimum", "score", 0.5 } } })
    local doc = assert(json.decode(text))
    expect(doc.schema):equals "evalhost.run/1"
    expect(doc.run.suite):equals "demo"
    expect(doc.summary.cases):equals(2)
    expect(doc.thresholds[1].met):equals(true)
    expect(doc.cases[2].verdict):equals "fail"
    expect(doc.cases[2].metrics):equals {}
  end)

  it("has its keys in order, null where nothing is known, one case a line", function()
    local text = written { { id = "a" }, { id = "b" } }
    local from = 1
    for _, key in ipairs { "schema", "run", "id", "status", "summary", "pass_rate", "metrics",
      "score", "tokens", "latency_ms", "cost_usd", "thresholds", "cases" } do
      local _, last = text:find('"' .. key .. '":', from, true)
      expect(last):truthy()
      from = last or from
    end
    expect(text:find('"cost_usd": null', 1, true)):truthy()
    expect(text:find '"cases": %[\n    {"id":"a",[^\n]*},\n    {"id":"b",[^\n]*}\n  %]\n}\n$')
      :truthy()
  end)

  it("writes no cases as an empty list", function()
    local text = written {}
    expect(text:find('"cases": []\n}\n', 1, true)):truthy()
    expect(json.decode(text).thresholds):equals {}
  end)
end)
