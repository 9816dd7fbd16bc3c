-- csv_spec.lua: one row per case, safe to open in a spreadsheet.

local csv = require "evalhost.native.csv"
local fake_run = require "fake_run"
local write = require "evalhost.report.csv"

local function rows(results)
  local out = fake_run.out()
  write(out, (fake_run.new(results)))
  local list = assert(csv.parse(out.text()))
  local named = {}
  for i = 2, #list do
    named[i - 1] = {}
    for k, name in ipairs(list[1]) do
      named[i - 1][name] = list[i][k]
    end
  end
  return named, list[1]
end

describe("the CSV file", function()
  it("has verdict, score, metrics, tokens and tools", function()
    local list, names = rows { { id = "a", score = 1 / 3, input = "q, r", cost = 0.25,
      expected = { tools = { { name = "x" }, { name = "y" } } },
      metrics = { tools = { value = 0.5, reason = "half" }, facts = { unscored = "u" } },
      outcome = { answer = 'say "hi"\nbye', tool_calls = { { name = "x" } }, latency_ms = 12.5,
        usage = { input_tokens = 10, output_tokens = 2, total_tokens = 12 } } } }
    expect(table.concat(names, " ", 1, 5)):equals "id verdict score tools facts"
    expect(list[1]):equals { id = "a", verdict = "pass", score = "0.3333333333333333",
      tools = "0.5", facts = "", reason = "", input = "q, r", answer = 'say "hi"\nbye',
      expected_tools = "x, y", actual_tools = "x", latency_ms = "12.5", input_tokens = "10",
      output_tokens = "2", total_tokens = "12", cost_usd = "0.25", error_code = "",
      error_message = "", tools_reason = "half", facts_reason = "" }
  end)

  it("shows errors, and inputs that are messages", function()
    local list = rows { { verdict = "error", input = { { role = "user", content = "hi" } },
      error = { code = "connect", message = "refused" } } }
    expect(list[1].error_code):equals "connect"
    expect(list[1].error_message):equals "refused"
    expect(list[1].input):equals '[{"content":"hi","role":"user"}]'
  end)

  it("disarms formulas, and leaves numbers", function()
    local list = rows { { id = "=1+1", score = -0.5,
      outcome = { answer = "=cmd|'/c calc'!A1" }, input = "@x", reason = "+1 a" } }
    expect(list[1].id):equals "'=1+1"
    expect(list[1].answer):equals "'=cmd|'/c calc'!A1"
    expect(list[1].input):equals "'@x"
    expect(list[1].reason):equals "'+1 a"
    expect(list[1].score):equals "-0.5"
  end)
end)
