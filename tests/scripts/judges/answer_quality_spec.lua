-- judges/answer_quality_spec.lua: the judge of answers from sources, with and without a model.
local json = require "evalhost.native.json"
local judges = require "evalhost.judges"
local openai = require "evalhost.providers.openai"

local CASE = {
  input = "When was the Eiffel Tower finished?",
  expected = { sources = { "Eiffel Tower", "Paris" }, answer = "1889" },
}

local function outcome(answer)
  return {
    answer = answer, flags = {}, tool_calls = {},
    sources = {
      { id = "Eiffel Tower", text = "The Eiffel Tower is a lattice tower finished in 1889." },
      { id = "Paris", text = "Paris is the capital of France, with two million inhabitants." },
    },
  }
end

describe("answer_quality with a model", function()
  local saved = { complete = openai.complete, settings = openai.settings }
  local request
  before_each(function()
    openai.settings = function() return {} end
  end)
  after_each(function() openai.complete, openai.settings = saved.complete, saved.settings end)

  it("has overall_score as value and the parts as detail", function()
    openai.complete = function(_, asked)
      request = asked
      return { flags = {}, tool_calls = {}, text = json.encode { overall_score = 0.85,
        accuracy = 0.9, completeness = 0.8, relevance = 0.7, reasoning = "why" } }
    end
    local got = judges.answer_quality { model = "m" } (CASE, outcome "In 1889.", {})
    expect(got.value):equals(0.85)
    expect(got.reason):equals("why")
    expect(got.detail):equals { accuracy = 0.9, completeness = 0.8, relevance = 0.7 }
    expect(request.temperature):equals(0.1)
    expect(request.schema.schema.required):equals { "reasoning", "accuracy", "completeness",
      "relevance", "overall_score" }
    local data = json.decode(request.messages[2].content:match "\n(.*)\n")
    expect(data.expected_answer):equals("1889")
    expect(#data.retrieved):equals(2)
  end)

  it("is unscored if a part is missing", function()
    openai.complete = function()
      return { flags = {}, tool_calls = {}, text = '{"overall_score":1,"reasoning":"r"}' }
    end
    local got = judges.answer_quality { model = "m" } (CASE, outcome "In 1889.", {})
    expect(got.code):equals("judge_value")
  end)
end)

describe("answer_quality without a model", function()
  local builtin = judges.answer_quality().judge.builtin

  it("is the mean of the parts", function()
    local got = builtin(CASE, outcome "The Eiffel Tower, a lattice tower, was finished in 1889.")
    expect(got.detail.accuracy):equals(1)
    expect(got.detail.completeness):equals(0.5) -- nothing of the text on Paris
    expect(got.detail.relevance > 0.5):truthy()
    expect(got.value):near(
      (got.detail.accuracy + got.detail.completeness + got.detail.relevance) / 3, 1e-12)
  end)

  it("sees invented figures and answers to other questions", function()
    local good = builtin(CASE, outcome "The Eiffel Tower was finished in 1889.")
    local wrong = builtin(CASE, outcome "The Eiffel Tower was finished in 1925.")
    local other = builtin(CASE, outcome "Bananas are yellow.")
    expect(wrong.detail.accuracy < good.detail.accuracy):truthy()
    expect(other.value < wrong.value):truthy()
  end)

  it("gives blank answers 0", function()
    expect(builtin(CASE, outcome " ").value):equals(0)
  end)
end)
