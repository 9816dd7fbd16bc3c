-- data_spec.lua: third-party data through the binary. It is not part of the tree; EVALHOST_DATA is
-- the folder that holds it, and without it these are skipped.

local fs = require "evalhost.native.fs"
local json = require "evalhost.native.json"
local os_ = require "evalhost.native.os"
local support = require "support"

after_each(support.cleanup)

local DATA = os_.env "EVALHOST_DATA"

local function data(name)
  local path = DATA and DATA ~= "" and assert(fs.absolute(DATA)) .. "/" .. name
  if not path or not fs.exists(path) then
    skip "EVALHOST_DATA is not there"
  end
  return path
end

-- A suite of tests/cases, run over the data.
local function recorded(name, file)
  data(file)
  local folder = support.folder()
  return support.read_json(support.evalhost(folder,
    { ("%s/tests/cases/%s/suite.lua"):format(support.root, name), "-o", "out.json" },
    { env = { EVALHOST_DATA = assert(fs.absolute(DATA)) } }))
end

describe("recorded trajectories", function()
  it("of seed_rules give the recorded values on every row", function()
    local result = recorded("seed_rules", "trajectories/seed_rule_cases.jsonl")
    expect(result.code):equals(0)
    expect(result.json.summary.cases):equals(60)
    expect(result.json.summary.passed):equals(60)
  end)

  it("of tau_airline give the means that another program computed", function()
    local result = recorded("tau_airline", "trajectories/tau_airline_gpt4o.jsonl")
    expect(result.code):equals(0)
    local all = result.json.summary
    expect(all.cases):equals(100)
    expect({ all.errors, all.unscored, all.cancelled }):equals { 0, 0, 0 }
    local metrics = all.metrics
    expect(metrics.tool_selection.mean):near(0.77223809523809506, 1e-12)
    expect(metrics.argument_match.mean):near(0.70327489177489166, 1e-12)
    expect(metrics.tool_minimality.mean):near(0.14, 1e-12)
    expect(metrics.tools_exact.mean):near(0.09, 1e-12)
    expect(metrics.reward.mean):near(0.41, 1e-12)
    expect(#result.json.thresholds):equals(5)
    local rows = support.stored(result.folder)
    expect(#rows):equals(100)
  end)
end)

describe("a dataset in the seed's format", function()
  local function suite(path)
    return support.suite {
      cases = ("eval.cases(%q, { columns = eval.columns.finagent })"):format(path),
      target = "function(case) return { answer = case.input, tool_calls = case.expected.tools } "
        .. "end",
      metrics = "{ tools = eval.metrics.tool_selection(), args = eval.metrics.argument_match() }",
      pass = "{ tools = 1, args = 1 }",
    }
  end

  it("loads by check", function()
    local path = data "trajectories/seed_format_dataset.csv"
    local folder = support.folder { ["suite.lua"] = suite(path) }
    local result = support.evalhost(folder, { "check", "suite.lua" })
    expect(result.stderr):equals ""
    expect(result.code):equals(0)
    expect(result.stdout:find("200 cases", 1, true)):truthy()
  end)

  it("is answered right by an agent that does what is expected", function()
    local result = support.run(suite(data "trajectories/seed_format_dataset.csv"))
    expect(result.code):equals(0)
    expect(result.json.summary.passed):equals(200)
  end)
end)

local function from_base64(text)
  local result = support.shell(support.folder(), "base64 -d", { stdin = text })
  return result.stdout
end

describe("csv-spectrum", function()
  it("rows become cases with the same cells", function()
    local path = data "formats/csv_spectrum_sample.jsonl"
    local count = 0
    for line in assert(fs.read(path)):gmatch "[^\n]+" do
      local sample = assert(json.decode(line))
      -- Every column is metadata but the input, which every row needs: it gets one of its own.
      local result = support.run(support.suite {
        cases = [[eval.cases("data.csv", { map = function(row, n)
          return { id = "r" .. n, input = "x", metadata = { row = row } }
        end })]] }, {}, { ["data.csv"] = from_base64(sample.csv_base64) })
      expect(result.code):equals(0)
      expect(#result.json.cases):equals(#sample.rows)
      for i, row in ipairs(sample.rows) do
        expect(result.cases["r" .. i].metadata.row):equals(row)
      end
      count = count + 1
    end
    expect(count > 0):truthy()
  end)
end)
