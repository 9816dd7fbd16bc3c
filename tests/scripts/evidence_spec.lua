-- evidence_spec.lua: what an answer may rest on.
local evidence = require "evalhost.evidence"
local json = require "evalhost.native.json"

describe("evidence.of", function()
  it("takes results and errors of tools, and the texts of sources", function()
    expect(evidence.of {
      tool_calls = {
        { name = "price", result = { price = 7 } }, { name = "say", result = "as it is" },
        { name = "bad", error = "unknown ticker", result = json.null }, { name = "nothing" },
      },
      sources = { "only an id", { id = 3, text = "retrieved" } },
      citations = { { text = "quoted" } },
    }):equals {
      { id = "price", text = '{"price":7}' }, { id = "say", text = "as it is" },
      { id = "bad", text = "unknown ticker" }, { id = "3", text = "retrieved" },
      { text = "quoted" },
    }
    expect(evidence.of {}):equals {}
  end)
end)

describe("evidence.query", function()
  it("is the input, or the user's last message", function()
    expect(evidence.query { input = "q" }):equals("q")
    expect(evidence.query {}):equals("")
    expect(evidence.query { input = {
      { role = "user", content = "first" }, { role = "assistant", content = "x" },
      { role = "user", content = { { type = "text", text = "a" }, { type = "image_url" } } },
    } }):equals("a")
    expect(evidence.query { input = { year = 7 } }):equals('{"year":7}')
  end)
end)

describe("evidence.keywords, evidence.blank", function()
  it("leaves out what is no keyword", function()
    expect(evidence.keywords { expected = { keywords = { "a", " ", 7, "b c" } } })
      :equals { "a", "b c" }
    expect(evidence.keywords { expected = {} }):equals {}
    expect(evidence.keywords {}):equals {}
  end)

  it("knows blank answers", function()
    for _, answer in ipairs { "", " \n", "\u{3000}\u{a0}" } do
      expect(evidence.blank(answer)):equals(true)
    end
    expect(evidence.blank(nil)):equals(true)
    expect(evidence.blank "0"):equals(false)
  end)
end)
