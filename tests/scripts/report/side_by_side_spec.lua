-- side_by_side_spec.lua: several runs in one table.

local fake_run = require "fake_run"
local json = require "evalhost.native.json"
local side_by_side = require "evalhost.report.side_by_side"
local style = require "evalhost.report.style"

local function document(target, id, results)
  local _, doc = fake_run.new(results)
  doc.run.target, doc.run.id = target, id
  return assert(json.decode(assert(json.encode(doc))))
end

local function look(width)
  return { width = width, paint = style.new(false) }
end

local function two()
  return {
    document("old", "run-1", { { score = 1, metrics = { tools = { value = 1 } } },
      { verdict = "fail", score = 0, metrics = { tools = { value = 0 } } } }),
    document("new", "run-2", { { score = 1, cost = 0.5, metrics = { tools = { value = 1 } } },
      { verdict = "error" } }),
  }
end

describe("side_by_side.lines", function()
  it("has a column for each target, and rows for what any of them has", function()
    expect(side_by_side.lines(two(), look(80))):equals {
      "              old      new",
      "Status     passed   passed",
      "Pass rate     50%      50%",
      "Passed          1        1",
      "Failed          1        0",
      "Errors          0        1",
      "Tools       0.500    1.000",
      "Score       0.500    1.000",
      "Cost          n/a  $0.5000",
      "Run         run-1    run-2",
    }
  end)

  it("becomes several tables where it is too wide", function()
    local lines = side_by_side.lines(two(), look(20))
    expect(lines[1]:match "old$"):truthy()
    for _, line in ipairs(lines) do
      expect(#line <= 20):truthy()
    end
  end)
end)
