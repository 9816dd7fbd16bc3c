-- chat_spec.lua: the chat target, and the HTTP client below it, against a scripted model server.
local eval = require "evalhost"
local http = require "evalhost.http"

local server = eval.env "EVALHOST_TEST_SERVER"
local mock = eval.env "EVALHOST_THIRD_PARTY_MOCK"

local price = {
  name = "get_stock_price",
  description = "Price of a stock",
  parameters = { type = "object", properties = { ticker = { type = "string" } },
    required = { "ticker" } },
  run = function(args)
    eval.sleep(0) -- tools may wait
    return { ticker = args.ticker, price = 182.5 }
  end,
}
local broken = { name = "broken", run = function() error "the database is down" end }

local serial = 0

-- A path of its own for what counts requests.
local function session(steps)
  serial = serial + 1
  local name = ("chat%d_%d"):format(serial, math.random(1 << 30))
  local base = ("%s/session/%s/%s/v1"):format(server, name, steps)
  return base, function()
    return assert(http.get(("%s/session/%s/log"):format(server, name)).json()).requests
  end
end

-- Runs one case; also gives what the server was asked.
local function chat(steps, input, options)
  local base, log = session(steps)
  local o = { model = "test-model", base_url = base, tools = { price, broken } }
  for key, value in pairs(options or {}) do
    o[key] = value
  end
  local outcome, err = eval.targets.chat(o) { id = "1", input = input }
  return outcome, err, log
end

-- Runs the body for replies in one piece and as streams.
local function both(name, body)
  for _, stream in ipairs { false, true } do
    it(name .. (stream and ", streamed" or ""), function()
      if not server then
        skip "EVALHOST_TEST_SERVER is not set"
      end
      body(stream)
    end)
  end
end

local function only(name, body)
  it(name, function()
    if not server then
      skip "EVALHOST_TEST_SERVER is not set"
    end
    body()
  end)
end

describe("a conversation", function()
  both("without tools ends with the answer", function(stream)
    local outcome, _, log = chat("plain", "SAY Grüße, 世界", { stream = stream, system = "Be kind.",
      temperature = 0, max_tokens = 50 })
    expect(outcome.answer):equals("Grüße, 世界")
    expect(outcome.tool_calls):equals {}
    expect(outcome.flags):equals {}
    expect(outcome.model):equals("test-model")
    expect(outcome.usage.total_tokens):equals(
      outcome.usage.input_tokens + outcome.usage.output_tokens)
    expect(outcome.usage.input_tokens > 0):truthy()
    local request = log()[1].json
    expect(request.messages[1]):equals { role = "system", content = "Be kind." }
    expect(request.temperature):equals(0)
    expect(request.max_tokens):equals(50)
    expect(request.stream):equals(stream or nil)
    expect(#request.tools):equals(2)
  end)

  both("calls a tool and answers from its result", function(stream)
    local outcome, _, log = chat("tools", 'Please.\nCALL get_stock_price {"ticker": "AAPL"}',
      { stream = stream })
    expect(#outcome.tool_calls):equals(1)
    local call = outcome.tool_calls[1]
    expect({ call.name, call.arguments.ticker, call.result.price })
      :equals { "get_stock_price", "AAPL", 182.5 }
    expect(call.latency_ms >= 0):truthy()
    expect(outcome.answer):equals('The tools said: {"price":182.5,"ticker":"AAPL"}')
    expect(#log()):equals(2)
    expect(#outcome.messages):equals(4)
  end)

  both("runs parallel calls in their order", function(stream)
    local outcome, _, log = chat("parallel", 'CALL get_stock_price {"ticker": "AAPL"}\n'
      .. 'CALL get_stock_price {"ticker": "MSFT"}\nSAY both', { stream = stream })
    expect(outcome.answer):equals("both")
    expect(#outcome.tool_calls):equals(2)
    expect(outcome.tool_calls[1].arguments.ticker):equals("AAPL")
    expect(outcome.tool_calls[2].arguments.ticker):equals("MSFT")
    expect(#log()):equals(2)
  end)

  both("tells the model what goes wrong in tools", function(stream)
    local outcome = chat("tools", "CALL broken\nCALL nothing_like_it {}\n"
      .. 'CALL get_stock_price {"ticker": \nCALL get_stock_price {"ticker": "A"}',
      { stream = stream })
    local calls = outcome.tool_calls
    expect(#calls):equals(4)
    expect(calls[1].error:find("the database is down", 1, true)):truthy()
    expect(calls[2].error:find("unknown tool: nothing_like_it", 1, true)):truthy()
    expect(calls[3].args_unparseable):equals(true)
    expect(calls[3].arguments):equals('{"ticker":')
    expect(calls[4].result.price):equals(182.5)
    expect(outcome.answer:find('{"error":"', 1, true)):truthy()
    expect(outcome.flags):equals { "args_unparseable" }
  end)

  both("ends when the model never stops calling tools", function(stream)
    local outcome, err, log = chat("loop_tools", "Go on for ever", { stream = stream,
      max_turns = 4 })
    expect(outcome):equals(nil)
    expect(err.code):equals("max_turns")
    expect(#err.partial.tool_calls):equals(4)
    expect(#log()):equals(4)
  end)

  both("takes a refusal for the answer, with a flag", function(stream)
    local outcome = chat("judge", "VERDICT!refuse<<I will not say.>>", { stream = stream })
    expect(outcome.answer):equals("I will not say.")
    expect(outcome.flags):equals { "refused" }
    outcome = chat("judge", "VERDICT!filter", { stream = stream })
    expect(outcome.answer):equals(nil)
    expect(outcome.flags):equals { "refused" }
  end)

  both("flags an answer that was cut at its length", function(stream)
    local outcome = chat("judge", "VERDICT!length<<half of it>>", { stream = stream })
    expect(outcome.answer):equals("half of it")
    expect(outcome.flags):equals { "truncated_output" }
  end)

  only("understands a stream that it did not ask for", function()
    expect(chat("stream/plain", "SAY hi").answer):equals("hi")
  end)
end)

describe("faults", function()
  local saved = http.policy.base
  before_each(function() http.policy.base = 0.01 end)
  after_each(function() http.policy.base = saved end)

  both("are survived where trying again helps", function(stream)
    for _, steps in ipairs { "fail_first/2/503/plain", "fail_first/1/429/plain",
                             "retry_after/0.05/plain" } do
      local outcome, err, log = chat(steps, "SAY back", { stream = stream })
      expect(err):equals(nil)
      expect(outcome.answer):equals("back")
      expect(#log()):equals(steps:find "2/503" and 3 or 2)
    end
  end)

  only("are given up after three retries", function()
    local outcome, err, log = chat("status/500", "x")
    expect(outcome):equals(nil)
    expect(err.code):equals("server_500")
    expect(err.attempts):equals(4)
    expect(#log()):equals(4)
  end)

  both("of the body are never taken for an answer", function(stream)
    local wanted = { truncated = "truncated", reset = "reset", html = "not_json",
      badjson = "bad_json" }
    for steps, code in pairs(wanted) do
      local outcome, err = chat(steps, "x", { stream = stream })
      expect(outcome):equals(nil)
      expect(err.code):equals(code)
    end
  end)

  only("that are ours are not repeated", function()
    for status, code in pairs { [400] = "http_400", [401] = "http_401", [404] = "http_404",
                                [422] = "http_422" } do
      local _, err, log = chat("status/" .. status, "x")
      expect(err.code):equals(code)
      expect(err.message:find("asked for a " .. status, 1, true)):truthy()
      expect(#log()):equals(1)
    end
  end)

  only("redirects are named, not followed", function()
    local _, err, log = chat("redirect/plain", "x")
    expect(err.code):equals("redirect")
    expect(err.message:find("/plain/v1/chat/completions", 1, true)):truthy()
    expect(#log()):equals(1)
  end)

  only("a server that is not there", function()
    local _, err = eval.targets.chat { model = "m",
      base_url = eval.env "EVALHOST_TEST_REFUSED" .. "/v1" } { input = "x" }
    expect(err.code):equals("connect")
    expect(err.attempts):equals(4)
  end)

  only("a rate limit that asks for too long", function()
    local _, err, log = chat("retry_after/300/plain", "x")
    expect(err.code):equals("rate_limited")
    expect(err.message:find("300 s", 1, true)):truthy()
    expect(#log()):equals(1)
  end)
end)

describe("eval.targets.http", function()
  local function ask(path, input, options)
    local o = { url = server .. path }
    for key, value in pairs(options or {}) do
      o[key] = value
    end
    return eval.targets.http(o) { id = "1", input = input }
  end

  only("finds the answer under every usual key", function()
    for _, key in ipairs { "answer", "response", "output", "message" } do
      local outcome = ask("/agent/" .. key, 'SAY yes\nCALL t {"a": 1}')
      expect(outcome.answer):equals("yes")
      expect(outcome.tool_calls[1].arguments):equals { a = 1 }
      expect(outcome.sources):equals { "doc-1" }
      expect(outcome.usage.total_tokens > 0):truthy()
    end
  end)

  only("understands streams of events", function()
    local outcome = ask("/sse_agent", 'SAY one two three\nCALL t {"a": 1}')
    expect(outcome.answer):equals("one two three")
    expect(outcome.tool_calls[1].name):equals("t")
  end)

  only("gives faults of the server as errors", function()
    expect(select(2, ask("/status/404", "x")).code):equals("http_404")
    expect(select(2, ask("/agent/text", "x")).code):equals("unknown_reply")
  end)
end)

describe("the mock of a third party", function()
  local function ask(input, stream)
    return eval.targets.chat {
      model = "gpt-4o", base_url = mock, tools = { price }, stream = stream,
    } { id = "1", input = input }
  end

  for _, stream in ipairs { false, true } do
    it("agrees with us on what chat completions are" .. (stream and ", streamed" or ""), function()
      if not mock then
        skip "EVALHOST_THIRD_PARTY_MOCK is not set"
      end
      local outcome, err = ask("one price", stream)
      expect(err):equals(nil)
      expect(outcome.answer):equals("Apple trades at the price that the tool gave.")
      expect(outcome.tool_calls[1].arguments):equals { ticker = "AAPL" }
      outcome = ask("two prices", stream)
      expect(outcome.answer):equals("Both prices are in: naïve café, 価格.")
      expect(#outcome.tool_calls):equals(2)
      expect(outcome.tool_calls[2].arguments.ticker):equals("MSFT")
      expect(ask("no tool", stream).answer):equals("Hello from a mock that nobody here wrote.")
    end)
  end

  it("fails as it is told to", function()
    if not mock then
      skip "EVALHOST_THIRD_PARTY_MOCK is not set"
    end
    local saved = http.policy.base
    http.policy.base = 0.01
    local _, err = ask("an outage")
    http.policy.base = saved
    expect(err.code):equals("server_503")
  end)
end)
