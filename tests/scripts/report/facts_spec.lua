-- facts_spec.lua: which judges a run has, in words.

local facts = require "evalhost.report.facts"
local metric = require "evalhost.metric"

local function judge(key)
  return metric.describe { function() end,
    judge = { model = "gpt-4o", api_key_env = key, builtin = function() end } }
end

describe("facts.judges", function()
  it("says when the built-in judge stands in for a model", function()
    local run = { options = {}, metrics = { { name = "plain", metric = function() end },
      { name = "faith", metric = judge(), judge = "builtin" },
      { name = "quality", metric = judge(), judge = "builtin" } } }
    expect(facts.judges(run)):equals { "faith, quality judged by builtin (stands in for gpt-4o: "
      .. "OPENAI_API_KEY is not set; --judge builtin chooses it)" }
    run.options.judge = "builtin"
    expect(facts.judges(run)):equals { "faith, quality judged by builtin" }
  end)

  it("lists each judge once, and names the key that it would need", function()
    local run = { options = {}, metrics = {
      { name = "a", metric = judge(), judge = "openai:gpt-4o" },
      { name = "b", metric = judge "OTHER_KEY", judge = "builtin" } } }
    local lines = facts.judges(run)
    expect(lines[1]):equals "a judged by openai:gpt-4o"
    expect(lines[2]:find("OTHER_KEY is not set", 1, true)):truthy()
    expect(facts.judges { options = {}, metrics = {} }):equals {}
  end)
end)

describe("facts.cases", function()
  it("counts cases and repeats", function()
    expect(facts.cases({ suite = { repeats = { n = 1 } } }, 1)):equals "1 case"
    expect(facts.cases({ suite = { repeats = { n = 3 } } }, 12)):equals "12 cases, 3 times each"
    expect(facts.cases({ suite = { repeats = { n = 1 } } }, nil)):equals "cases from an iterator"
  end)
end)
