-- judges/faithfulness_spec.lua: the judge of the FinAgent guide, and its model-free replacement.
local judges = require "evalhost.judges"

local function builtin(answer, keywords, result, query)
  local made = judges.faithfulness()
  return made.judge.builtin({ input = query, expected = { keywords = keywords } },
    { answer = answer, tool_calls = result and { { name = "t", result = result } } or {} }, {})
end

describe("faithfulness", function()
  it("is described as the guide does", function()
    local made = judges.faithfulness { model = "gpt-4o", temperature = 0 }
    expect(made.label):equals("Faithfulness")
    expect(made.range):equals { 0, 1 }
    expect(made.judge.model):equals("gpt-4o")
    expect(made.judge.api_key_env):equals("OPENAI_API_KEY")
    expect(made.meanings):equals {
      good = "Responses grounded and accurate",
      acceptable = "Generally good, minor deviations",
      needs_work = "Hallucinations or missing information",
    }
  end)

  it("gives the guide's two examples at least 0.9 and below 0.4 without a model", function()
    expect(builtin("Apple's current stock price is $182.50", { "current price" },
      { current_price = 182.50, ticker = "AAPL" }, "What is Apple's current stock price?").value
      >= 0.9):truthy()
    local bad = builtin("Microsoft is a company.", { "sector", "industry" },
      { sector = "Technology", industry = "Software" }, "Tell me about Microsoft")
    expect(bad.value < 0.4):truthy()
    expect(bad.reason:find("sector", 1, true)):truthy()
  end)

  it("gives blank answers 0, and no value where nothing can be checked", function()
    expect(builtin("", { "a" }).value):equals(0)
    expect(builtin(nil, { "a" }).value):equals(0)
    expect(builtin("Hi.", {}, nil, "Hi").code):equals("nothing_to_check")
  end)
end)
