-- view_spec.lua: results in case order, and what a suite's report function sees.

local fake_run = require "fake_run"
local json = require "evalhost.native.json"
local view = require "evalhost.report.view"

local results = { { id = "a" }, { id = "b", verdict = "fail" }, { id = "c", verdict = "error" } }

describe("view", function()
  it("gives texts with their verdicts", function()
    local ids = {}
    for text, verdict in view.texts((fake_run.new(results))) do
      ids[#ids + 1] = json.decode(text).id .. verdict
    end
    expect(ids):equals { "apass", "bfail", "cerror" }
  end)

  it("gives the cases of some verdicts only", function()
    local ids = {}
    for case in view.cases(fake_run.new(results), { fail = true, error = true }) do
      ids[#ids + 1] = case.id
    end
    expect(ids):equals { "b", "c" }
  end)
end)

describe("view.of", function()
  it("has what reports need, and iterates again and again", function()
    local run, doc = fake_run.new(results)
    local seen = view.of(run, doc)
    expect(seen.suite):equals "demo"
    expect(seen.summary.cases):equals(3)
    expect(seen.timestamp):equals "2026-01-01T00:00:01.000Z"
    expect(seen.cases_file):equals "cases.csv"
    for _ = 1, 2 do
      local n = 0
      for case in seen.cases() do
        n = n + 1
        expect(case.id):equals(results[n].id)
      end
      expect(n):equals(3)
    end
  end)

  it("has an error and no cases after a failed preflight", function()
    local run = fake_run.new(results)
    local seen = view.of(run, nil, "no quotes")
    expect(seen.preflight_error):equals "no quotes"
    expect(seen.summary):equals(nil)
    for _ in seen.cases() do
      error "no case expected"
    end
  end)
end)
