-- metrics/grounding_spec.lua: keywords, the model-free judge, citations.
local metrics = require "evalhost.metrics"

local function case(keywords, input)
  return { input = input or "What is Apple's current stock price?",
    expected = { keywords = keywords } }
end

describe("keywords", function()
  it("is the share of whole phrases in the answer", function()
    local m = metrics.keywords()
    local outcome = { answer = "The Current  PRICE of Apple is $182.50" }
    expect(m(case { "current price", "apple" }, outcome).value):equals(1)
    local got = m(case { "apple", "sector", "art" }, { answer = "Start with Apple" })
    expect(got.value):near(1 / 3, 1e-12)
    expect(got.reason):equals("not in the answer: sector, art")
  end)

  it("takes the list for synonyms with any", function()
    local m = metrics.keywords { any = true }
    expect(m(case { "latest price", "apple" }, { answer = "Apple" }).value):equals(1)
    expect(m(case { "latest price", "sector" }, { answer = "Apple" }).value):equals(0)
  end)

  it("measures blank answers, and is unscored without keywords", function()
    local m = metrics.keywords()
    expect(m(case { "a" }, { answer = "" }).value):equals(0)
    expect(m(case { "a" }, {}).value):equals(0)
    expect(m(case {}, { answer = "x" }).code):equals("no_expected_keywords")
    expect(m(case(nil), { answer = "x" }).code):equals("no_expected_keywords")
  end)

  it("looks at another field if asked", function()
    local m = metrics.keywords { of = "summary" }
    expect(m(case { "apple" }, { answer = "x", summary = "an apple" }).value):equals(1)
  end)
end)

describe("grounded", function()
  it("gives the guide's good example at least 0.9 and its bad one less than 0.4", function()
    local m = metrics.grounded()
    local good = m(case { "current price" }, {
      answer = "Apple's current stock price is $182.50",
      tool_calls = { { name = "get_stock_price",
        result = { current_price = 182.50, ticker = "AAPL" } } },
    })
    expect(good.value >= 0.9):truthy()
    local bad = m(case({ "sector", "industry" }, "Tell me about Microsoft"), {
      answer = "Microsoft is a company.",
      tool_calls = { { name = "get_company_info",
        result = { sector = "Technology", industry = "Software" } } },
    })
    expect(bad.value < 0.4):truthy()
    expect(bad.detail.absent):equals { "sector", "industry" }
    expect(bad.reason:find("sector", 1, true)):truthy()
  end)

  it("finds invented figures", function()
    local m = metrics.grounded { keywords = 0, facts = 1, coverage = 0 }
    local calls = { { name = "p", result = { price = 182.5 } } }
    expect(m(case {}, { answer = "It trades at $182.50.", tool_calls = calls }).value):equals(1)
    local got = m(case {}, { answer = "It trades at $999.99.", tool_calls = calls })
    expect(got.value):equals(0)
    expect(got.reason:find("999.99", 1, true)):truthy()
  end)

  it("is 0 for a blank answer, unscored where nothing can be checked", function()
    local m = metrics.grounded()
    expect(m(case { "a" }, { answer = "" }).value):equals(0)
    expect(m({ input = "Hi", expected = {} }, { answer = "Hi." }).code)
      :equals("nothing_to_check")
  end)

  it("refuses weights that make no sense", function()
    expect(function() metrics.grounded { keywords = -1 } end)
      :errors "grounding_spec.lua.*must not be negative"
    expect(function() metrics.grounded { facts = 0 / 0 } end):errors "must not be negative"
    expect(function() metrics.grounded { keywords = 0, facts = 0, coverage = 0 } end)
      :errors "not all be 0"
  end)
end)

describe("citations_grounded", function()
  local m = metrics.citations_grounded()

  it("wants every cited id among the sources", function()
    local got = m({}, { citations = { "a", { id = 2 } }, sources = { { id = "2" }, "a", "b" } })
    expect(got.value):equals(1)
    expect(got.detail.citing):equals(1)
    got = m({}, { citations = { "a", "x", {} }, sources = { "a" } })
    expect(got.value):equals(0)
    expect(got.reason):equals("cited but not among the sources: x, (a citation without id)")
    expect(m({}, { citations = { "a" } }).value):equals(0)
  end)

  it("is 1 for an answer that cites nothing, unless citing is required", function()
    local got = m({}, {})
    expect(got.value):equals(1)
    expect(got.detail):equals(nil)
    expect(metrics.citations_grounded({ require = true })({}, { citations = {} }).value):equals(0)
  end)
end)
