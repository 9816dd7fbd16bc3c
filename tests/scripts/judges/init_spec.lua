-- judges/init_spec.lua: who judges.
local judges = require "evalhost.judges"
local metric = require "evalhost.metric"
local system = require "evalhost.native.os"

local env, variables = system.env, {}

describe("judges.resolve", function()
  before_each(function()
    variables = {}
    system.env = function(name) return variables[name] end
  end)
  after_each(function() system.env = env end)

  local function resolve(mode, options)
    local made = judges.faithfulness(options or { model = "m" })
    local fn, name = judges.resolve(made, mode)
    if fn == nil then
      return nil, name
    end
    expect(fn):equals(name == "builtin" and made.judge.builtin or made.fn)
    return name
  end

  it("takes the built-in judge without a key", function()
    expect(resolve "auto"):equals("builtin")
    variables.OPENAI_API_KEY = ""
    expect(resolve "auto"):equals("builtin")
  end)

  it("takes the model with key, base URL, or the judge's own base URL", function()
    expect(resolve("auto", { model = "m", base_url = "http://h" })):equals("openai:m")
    variables = { OPENAI_BASE_URL = "http://h" }
    expect(resolve "auto"):equals("openai:m")
    variables = { OPENAI_API_KEY = "k" }
    expect(resolve "auto"):equals("openai:m")
    expect(resolve("auto", { model = "m", api_key_env = "OTHER" })):equals("builtin")
    variables.OTHER = "k"
    expect(resolve("auto", { model = "m", api_key_env = "OTHER" })):equals("openai:m")
  end)

  it("obeys --judge", function()
    variables = { OPENAI_API_KEY = "k" }
    expect(resolve "builtin"):equals("builtin")
    expect(resolve "openai"):equals("openai:m")
    variables = {}
    local fn, problem = resolve "openai"
    expect(fn):equals(nil)
    expect(problem):equals("OPENAI_API_KEY is not set")
  end)
end)

describe("eval.judges", function()
  it("has its judges, and names the nearest for others", function()
    expect(metric.is(judges.faithfulness())):equals(true)
    expect(metric.is(judges.answer_quality())):equals(true)
    expect(metric.is(judges.rubric { prompt = "be nice" })):equals(true)
    expect(function() return judges.faithfulnes end):errors "init_spec.lua.*did you mean faithful"
  end)
end)
