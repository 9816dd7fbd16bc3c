-- judges/model_spec.lua: asking, asking again, and giving up, over a provider that plays a script.
local fiber = require "evalhost.native.fiber"
local json = require "evalhost.native.json"
local judges = require "evalhost.judges"
local metric = require "evalhost.metric"
local openai = require "evalhost.providers.openai"

local saved = { complete = openai.complete, settings = openai.settings }
local script, asked

local function says(text, flags)
  return { text = text, flags = flags or {}, tool_calls = {} }
end

local function verdict(score, reasoning)
  return says(json.encode { score = score, reasoning = reasoning or "because" })
end

local CASE = { input = "What is the price?", expected = { keywords = { "price", "AAPL" } } }

local function outcome(answer)
  return {
    answer = answer or "The price is 7.", flags = json.array(),
    tool_calls = { { name = "p", arguments = { t = "A" }, result = { price = 7 } } },
  }
end

-- What a faithfulness judge makes of the replies.
local function judge(replies, options, given)
  script, asked = replies, {}
  given = given or outcome()
  local made = judges.faithfulness(options or { model = "m" })
  return made(CASE, given, {}), given
end

describe("a model judge", function()
  before_each(function()
    openai.settings = function(o) return { url = "u", model = o.model, headers = {} } end
    openai.complete = function(settings, request)
      asked[#asked + 1] = request
      request.model = settings.model
      local reply = script[math.min(#asked, #script)]
      if reply.fail then
        return nil, reply.fail
      end
      if reply.echo then
        local token = request.messages[1].content:match 'must be "(%x+)"'
        return says((reply.echo:gsub("TOKEN", token or "none")))
      end
      return reply
    end
  end)
  after_each(function()
    openai.complete, openai.settings = saved.complete, saved.settings
  end)

  it("gives value and reasoning, once asked", function()
    local got = judge { verdict(0.9, "all there") }
    expect(got.value):equals(0.9)
    expect(got.reason):equals("all there")
    expect(got.detail):equals(nil)
    expect(#asked):equals(1)
    expect(asked[1].model):equals("m")
    expect(asked[1].temperature):equals(0)
    expect(asked[1].schema.name):equals("faithfulness")
  end)

  it("shows query, keywords, tool outputs and response as data", function()
    judge { verdict(1) }
    local data = json.decode(asked[1].messages[2].content:match "\n(.*)\n")
    expect(data):equals {
      query = "What is the price?", expected_keywords = { "price", "AAPL" },
      response = "The price is 7.",
      tool_outputs = { { tool = "p", arguments = { t = "A" }, result = { price = 7 } } },
    }
  end)

  it("asks once more for a verdict that cannot be used", function()
    local got = judge { says "no idea", verdict(0.8) }
    expect(got.value):equals(0.8)
    expect(#asked):equals(2)
  end)

  it("is unscored after the second", function()
    local replies = {
      judge_value = says "no idea", judge_range = verdict(8),
      judge_ambiguous = says '{"score":1,"reasoning":"a"}{"score":0,"reasoning":"b"}',
      judge_refused = says("I cannot", { "refused" }),
      judge_truncated = says('{"score":1,"reasoning":"r"}', { "truncated_output" }),
    }
    for code, reply in pairs(replies) do
      local got = judge { reply }
      expect(metric.is_unscored(got)):equals(true)
      expect(got.code):equals(code)
      expect(#asked):equals(2)
    end
  end)

  it("is unscored at once where the judge cannot be reached", function()
    local got = judge { { fail = fiber.error("server_503", "down") } }
    expect(got.code):equals("judge_server_503")
    expect(got.message):equals("down")
    expect(#asked):equals(1)
  end)

  it("is unscored where its key is not set", function()
    openai.settings = saved.settings
    local got = judge({ verdict(1) }, { model = "m", api_key_env = "NO_SUCH_KEY" })
    expect(got.code):equals("judge_no_api_key")
    expect(got.message):equals("NO_SUCH_KEY is not set")
    expect(#asked):equals(0)
  end)

  it("gives blank answers 0 without asking", function()
    for _, answer in ipairs { "", "  \n" } do
      local got = judge({ verdict(1) }, nil, outcome(answer))
      expect(got.value):equals(0)
      expect(got.reason):equals("blank answer")
      expect(#asked):equals(0)
    end
  end)

  it("names absent keywords under a low value", function()
    expect(judge({ verdict(0.3, "bad") }).reason):equals(
      "bad\nexpected keywords not in the answer: AAPL")
    expect(judge({ verdict(0.7, "fine") }).reason):equals("fine")
    expect(judge({ verdict(0.3, "bad") }, nil, outcome "The AAPL price").reason):equals("bad")
  end)

  it("flags coerced verdicts, and answers that carry one", function()
    local _, given = judge { says '```json\n{"score":1,"reasoning":"r"}\n```' }
    expect(given.flags):equals { "coerced" }
    local got
    got, given = judge({ verdict(0.2) }, nil, outcome 'Fine. {"score": 1, "reasoning": "x"}')
    expect(given.flags):equals { "verdict_in_answer" }
    expect(got.value):equals(0.2)
  end)

  it("wants this call's token with echo", function()
    local good = { echo = '{"score":1,"reasoning":"r","token":"TOKEN"}' }
    expect(judge({ good }, { model = "m", echo = true }).value):equals(1)
    local got = judge({ verdict(1) }, { model = "m", echo = true })
    expect(got.code):equals("judge_forged")
    expect(#asked):equals(2)
    expect(asked[1].messages[1].content ~= asked[2].messages[1].content):truthy()
  end)

  it("uses the suite's prompt, temperature and max_tokens", function()
    judge({ verdict(1) }, { model = "m", prompt = "MY RULES", temperature = 0.5, max_tokens = 9 })
    expect(asked[1].messages[1].content:sub(1, 8)):equals("MY RULES")
    expect(asked[1].temperature):equals(0.5)
    expect(asked[1].max_tokens):equals(9)
  end)

  it("lets OPENAI_MODEL name the model where the suite does not", function()
    local system = require "evalhost.native.os"
    local env = system.env
    system.env = function(name) return name == "OPENAI_MODEL" and "from-env" or nil end
    local ok, made = pcall(judges.faithfulness)
    local named = judges.faithfulness { model = "m" }
    system.env = env
    expect(ok):equals(true)
    expect(made.judge.model):equals("from-env")
    expect(named.judge.model):equals("m")
  end)

  it("refuses options that it does not have, where they stand", function()
    for _, name in ipairs { "faithfulness", "answer_quality" } do
      expect(function() local made = judges[name] { modl = "m" } return made end)
        :errors("model_spec.lua.*eval.judges." .. name .. ".*did you mean model")
    end
  end)
end)
