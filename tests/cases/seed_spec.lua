-- seed_spec.lua: seed A, through the binary: its own rows load unchanged, its suite has a known
-- outcome, and its troubleshooting is what the program says.

local fs = require "evalhost.native.fs"
local support = require "support"

after_each(support.cleanup)

local SUITE = support.root .. "/suites/finagent/suite.lua"
local EXAMPLE = support.root .. "/tests/cases/fixtures/seed_example.csv"
local HEADER = "test_id,query,expected_tool,expected_args,expected_response_contains\n"

local function holds(text, ...)
  for _, part in ipairs { ... } do
    if not text:find(part, 1, true) then
      error(("%q is not in\n%s"):format(part, text), 2)
    end
  end
end

local function finagent(args, files)
  local all = { SUITE, "-o", "out.json" }
  table.move(args or {}, 1, #(args or {}), #all + 1, all)
  return support.read_json(support.evalhost(support.folder(files), all))
end

local function rows(text)
  return finagent({ "--cases", "rows.csv" }, { ["rows.csv"] = HEADER .. text })
end

local function check(text)
  local folder = support.folder { ["rows.csv"] = HEADER .. text }
  return support.evalhost(folder, { "check", SUITE, "--cases", "rows.csv" })
end

describe("the seed's own example", function()
  it("loads unchanged and passes", function()
    local result = finagent { "--cases", EXAMPLE }
    expect(result.code):equals(0)
    expect(result.json.summary.cases):equals(6)
    expect(result.json.summary.passed):equals(6)
    for _, case in ipairs(result.json.cases) do
      expect(case.metrics.tool_selection.value):equals(1)
      expect(case.metrics.argument_match.value):equals(1)
    end
    local investment = result.cases["4"]
    expect(investment.input):equals "$1000 at 7% for 10 years?"
    expect(investment.expected.tools):equals { { name = "calculate_investment_returns",
      arguments = { principal = 1000, annual_rate = 7, years = 10 } } }
    expect(investment.expected.keywords):equals { "future value" }
    expect(result.cases["5"].expected.keywords):equals { "Apple", "stock", "sector" }
    expect(result.cases["6"].expected.tools):equals {
      { name = "get_stock_price", arguments = { ticker = "AAPL" } },
      { name = "get_stock_price", arguments = { ticker = "MSFT" } } }
  end)

  it("needs the same tool twice for row 6", function()
    local result = rows('6,"What is Apple\'s stock price?","[""get_stock_price"",'
      .. '""get_stock_price""]","[{""ticker"":""AAPL""},{""ticker"":""MSFT""}]","Apple"\n')
    expect(result.cases["6"].metrics.tool_selection.value):equals(0.5)
    expect(result.cases["6"].metrics.argument_match.value):equals(0.5)
  end)
end)

describe("suites/finagent", function()
  it("runs to a verdict, offline", function()
    local result = finagent()
    expect(result.code):equals(0)
    local all = result.json.summary
    expect({ all.cases, all.passed, all.failed, all.errors, all.unscored, all.cancelled })
      :equals { 18, 17, 1, 0, 0, 0 }
    expect(result.cases.hard_paraphrase.verdict):equals "fail"
    expect(result.cases.hard_two_periods.metrics.argument_match.value):equals(0.75)
    expect(result.json.run.judges):equals { faithfulness = "builtin" }
    for _, case in ipairs(result.json.cases) do
      local m = case.metrics
      expect(case.score):near((m.tool_selection.value + m.argument_match.value
        + m.faithfulness.value) / 3)
      expect(m.faithfulness.judge):equals "builtin"
    end
  end)

  it("shows the seed's summary block", function()
    holds(finagent().stdout, "Pass Rate: 94%\nTotal Tests: 18\nPassed: 17\nFailed: 1\n\n"
      .. "Average Scores:\n- Tool Selection: 94%\n- Argument Match: 93%\n- Faithfulness: ",
      "\nOverall Average: ", "Agent reliably chooses correct tools")
  end)

  it("says that the built-in judge was used, and why", function()
    holds(finagent().stderr, "builtin", "OPENAI_API_KEY is not set")
  end)

  it("is found in order by check, which calls nothing", function()
    local folder = support.folder()
    local result = support.evalhost(folder, { "check", SUITE })
    expect(result.code):equals(0)
    holds(result.stdout, "ok: finagent", "18 cases")
    expect(#fs.list(folder)):equals(0)
  end)

  it("gives the same stable JSON at -j 1 and -j 64", function()
    local one, many = finagent { "-j", "1" }, finagent { "-j", "64" }
    expect(support.stable(one.json) == support.stable(many.json)):truthy()
  end)
end)

describe("the seed's troubleshooting", function()
  it("Invalid CSV format: names, spaces in headers, encoding", function()
    local folder = support.folder {
      ["names.csv"] = HEADER:gsub("test_id", "testid") .. "1,q,,,\n",
      ["spaces.csv"] = HEADER:gsub(",", " , ") .. "1,What's the stock price?,,,ticker\n",
      ["latin.csv"] = HEADER .. "1,caf\233,,,\n",
    }
    local function cases(name)
      return support.evalhost(folder, { SUITE, "--cases", name })
    end
    local names = cases "names.csv"
    expect(names.code):equals(2)
    holds(names.stderr, "Invalid CSV format", "test_id", "is 'testid' meant to be test_id?")
    local spaces = cases "spaces.csv"
    expect(spaces.code):equals(0)
    holds(spaces.stderr, "warning: ", "expected_tool")
    local latin = cases "latin.csv"
    expect(latin.code):equals(2)
    holds(latin.stderr, "Invalid CSV format", "UTF-8")
  end)

  it("expected_args must be valid JSON: with the repair", function()
    local single = check [[1,q,get_stock_price,{'ticker':'AAPL'},
]]
    expect(single.code):equals(2)
    holds(single.stderr, "rows.csv:2", "row 1", "column expected_args",
      "expected_args must be valid JSON", "hint:", "double quotes")
  end)

  it("a tool's display name: the internal one is named, by check and by a run", function()
    local line = "x,What is Apple's stock price?,Stock Price Lookup,"
      .. '"{""ticker"":""AAPL""}",price\n'
    local checked = check(line)
    expect(checked.code):equals(2)
    holds(checked.stderr, "row 1", "'Stock Price Lookup'",
      "did you mean get_stock_price? use the internal name")
    local result = rows(line)
    expect(result.cases.x.metrics.tool_selection.value):equals(0)
    holds(result.stderr, "did you mean get_stock_price? use the internal name")
    holds(check('x,q,get_stock_prize,,\n').stderr,
      "did you mean get_stock_price? use the internal name")
  end)

  it("low argument match: names and types that differ are in the reasons", function()
    local result = rows('x,"$1000 at 7% for 10 years?",calculate_investment_returns,'
      .. '"{""principal"":""1000"",""annual_rate"":7,""years"":10,""currency"":""USD""}",'
      .. '"future value,unicorn"\n')
    local metrics = result.cases.x.metrics
    expect(metrics.argument_match.value):equals(0.5)
    holds(metrics.argument_match.reason, "principal", "string", "number", "currency")
  end)

  it("low faithfulness: the absent keywords are named", function()
    local result = rows('x,"What is Apple\'s stock price?",get_stock_price,'
      .. '"{""ticker"":""AAPL""}","Apple,unicorn,current price"\n')
    local faithfulness = result.cases.x.metrics.faithfulness
    expect(faithfulness.value < 1):truthy()
    holds(faithfulness.reason, "absent: unicorn")
  end)
end)
