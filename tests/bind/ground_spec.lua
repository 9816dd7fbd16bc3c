-- ground_spec.lua: evalhost.native.ground. (The rules: tests/metric/test_ground.c.)
local ground = require "evalhost.native.ground"

describe("ground.grounded", function()
  it("gives parts, claims and their evidence", function()
    local value, reason, detail = ground.grounded {
      answer = "The price is $182.50, not 77.", query = "And Apple?",
      keywords = { "price", "sector" },
      evidence = { "nothing", { id = "call-2", text = '{"price": 182.5}' } },
    }
    expect(value):near(0.4 * 0.5 + 0.4 * 0.5 + 0.2, 1e-12)
    expect(reason):equals("keywords 1/2 (absent: sector); facts 1/2 supported "
      .. '(unsupported: "77" at 26-28); 1/1 content words in the evidence')
    expect(detail.keywords):equals(0.5)
    expect(detail.facts):equals(0.5)
    expect(detail.coverage):equals(1)
    expect(detail.absent[1]):equals("sector")
    local claim = detail.claims[1]
    expect(claim.text):equals("182.50")
    expect(claim.status):equals("supported")
    expect(claim.evidence):equals("call-2")
    expect(("The price is $182.50, not 77."):sub(claim.first, claim.last)):equals("182.50")
    expect(detail.claims[2].status):equals("unsupported")
  end)

  it("is 0 for a blank answer, and unscored when nothing can be checked", function()
    local value, reason, detail = ground.grounded { answer = " \n", keywords = { "a" } }
    expect(value):equals(0)
    expect(reason):equals("blank answer")
    expect(detail.absent[1]):equals("a")
    value, reason = ground.grounded { answer = "Yes." }
    expect(value):equals(nil)
    expect(reason):equals("nothing_to_check")
  end)

  it("has weights", function()
    local input = { answer = "price 77", keywords = { "price" }, evidence = { "x" } }
    input.weights = { facts = 0, coverage = 0 }
    expect((ground.grounded(input))):equals(1)
    input.weights = { keywords = 0, facts = 0, coverage = 0 }
    expect(function() ground.grounded(input) end):errors("not all be 0")
    input.weights = { facts = -1 }
    expect(function() ground.grounded(input) end):errors("weights.facts")
  end)

  it("refuses wrong input", function()
    local function wrong(input, pattern)
      expect(function() ground.grounded(input) end):errors(pattern)
    end
    wrong({}, "answer: expected a string")
    wrong({ answer = "x", keywords = { 1 } }, "keywords: expected")
    wrong({ answer = "x", evidence = { {} } }, "evidence.text")
    wrong({ answer = "x", evidence = "y" }, "expected a list")
  end)
end)

describe("ground.keywords", function()
  it("is the share of whole phrases", function()
    local value, absent = ground.keywords("The P/E Ratio is\n high",
      { "p/e ratio", "ratio is high", "rat" })
    expect(value):near(2 / 3, 1e-12)
    expect(#absent):equals(1)
    expect(absent[1]):equals("rat")
  end)

  it("takes synonyms", function()
    expect((ground.keywords("a b", { "b", "c" }, true))):equals(1)
    expect((ground.keywords("a b", { "d", "c" }, true))):equals(0)
  end)

  it("is unscored without keywords", function()
    local value, code = ground.keywords("a", {})
    expect(value):equals(nil)
    expect(code):equals("no_keywords")
  end)
end)
