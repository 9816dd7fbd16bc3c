-- judges/rubric_spec.lua: a judge by a suite's own words.
local judges = require "evalhost.judges"
local openai = require "evalhost.providers.openai"

describe("rubric", function()
  local saved = { complete = openai.complete, settings = openai.settings }
  after_each(function() openai.complete, openai.settings = saved.complete, saved.settings end)

  it("needs its words", function()
    expect(function() judges.rubric {} end):errors "rubric_spec.lua.*prompt"
    expect(function() judges.rubric { prompt = " " } end):errors "prompt"
    expect(function() judges.rubric() end):errors "prompt"
  end)

  it("puts them into the instructions, word by word", function()
    local request
    openai.settings = function() return {} end
    openai.complete = function(_, asked)
      request = asked
      return { flags = {}, tool_calls = {}, text = '{"score":0.5,"reasoning":"half"}' }
    end
    local made = judges.rubric { prompt = "Polite; 100%1 %s so.", model = "m" }
    local got = made({ input = "q", expected = {} }, { answer = "a", flags = {} }, {})
    expect(got.value):equals(0.5)
    expect(request.messages[1].content:find("Polite; 100%1 %s so.", 1, true)):truthy()
  end)

  it("has no built-in replacement, and says so", function()
    local made = judges.rubric { prompt = "Be nice." }
    expect(made.judge.builtin({ input = "q" }, { answer = "a" }, {}).code)
      :equals("judge_needs_model")
  end)
end)
