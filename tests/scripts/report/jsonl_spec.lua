-- jsonl_spec.lua: one canonical case per line.

local fake_run = require "fake_run"
local json = require "evalhost.native.json"
local write = require "evalhost.report.jsonl"

describe("the JSONL file", function()
  it("has a line for each case, in order", function()
    local run = fake_run.new { { id = "a\nb" }, { id = "c", outcome = { answer = "x\ny" } } }
    local out = fake_run.out()
    write(out, run)
    local ids = {}
    for line in out.text():gmatch "([^\n]*)\n" do
      ids[#ids + 1] = json.decode(line).id
    end
    expect(ids):equals { "a\nb", "c" }
  end)

  it("is empty without cases", function()
    local out = fake_run.out()
    write(out, (fake_run.new {}))
    expect(out.text()):equals ""
  end)
end)
