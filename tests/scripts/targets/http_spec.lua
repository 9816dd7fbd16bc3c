-- targets/http_spec.lua: what is sent to an agent behind a URL, without a network.
local native = require "evalhost.native.http"
local targets = require "evalhost.targets"

local saved, sent, replies = native.request, nil, nil

local function serve(...)
  replies, sent = { ... }, {}
end

local function reply(body, kind, status)
  return { status = status or 200, body = body, elapsed_ms = 1,
    headers = { ["content-type"] = kind or "application/json" } }
end

describe("eval.targets.http", function()
  before_each(function()
    native.request = function(request)
      sent[#sent + 1] = request
      return replies[math.min(#sent, #replies)]
    end
  end)
  after_each(function() native.request = saved end)

  it("posts the input as message, and maps the reply", function()
    serve(reply '{"answer":"yes","tool_calls":[{"name":"t","args":{"a":1}}]}')
    local outcome = targets.http { url = "http://h/chat" } { input = "hi" }
    expect(sent[1].method):equals("POST")
    expect(sent[1].body):equals('{"message":"hi"}')
    expect(outcome.answer):equals("yes")
    expect(outcome.tool_calls[1].arguments):equals { a = 1 }
  end)

  it("takes URL, headers and body from functions of the case", function()
    serve(reply '{"answer":"yes"}')
    targets.http {
      url = function(case) return "http://h/" .. case.id end,
      headers = function(case) return { ["x-id"] = case.id } end,
      body = function(case) return { q = case.input, k = 3 } end,
      method = "PUT",
    } { id = "7", input = "hi" }
    expect(sent[1].url):equals("http://h/7")
    expect(sent[1].headers["x-id"]):equals("7")
    expect(sent[1].body):equals('{"k":3,"q":"hi"}')
    expect(sent[1].method):equals("PUT")
  end)

  it("sends texts as they are, and no body with GET", function()
    serve(reply '{"answer":"yes"}')
    targets.http { url = "http://h", body = function() return "raw" end } { input = "hi" }
    targets.http { url = "http://h", method = "GET" } { input = "hi" }
    expect(sent[1].body):equals("raw")
    expect(sent[1].headers):equals {}
    expect(sent[2].body):equals(nil)
  end)

  it("understands streams", function()
    serve(reply('data: {"token":"He"}\n\ndata: {"token":"y"}\n\n', "text/event-stream"))
    expect((targets.http { url = "http://h" } { input = "hi" }).answer):equals("Hey")
  end)

  it("lets the suite read the reply", function()
    serve(reply("42", "text/plain"))
    local outcome = targets.http { url = "http://h", outcome = function(answer, case)
      return { answer = case.input .. answer.body, raw = answer.json() }
    end } { input = "hi" }
    expect(outcome):equals { answer = "hi42", raw = 42 }
    local value, err = targets.http { url = "http://h", outcome = function()
      return nil, "cannot read it"
    end } { input = "hi" }
    expect(value):equals(nil)
    expect(err):equals("cannot read it")
  end)

  it("gives errors of the reply", function()
    local function code(answer)
      serve(answer)
      local _, err = targets.http { url = "http://h" } { input = "hi" }
      return err.code
    end
    expect(code(reply('{"detail":"no"}', nil, 404))):equals("http_404")
    expect(code(reply('{"text":"x"}'))):equals("unknown_reply")
  end)

  it("raises for mistakes, where they were made", function()
    expect(function() targets.http {} end):errors "http_spec.lua.*url is missing"
    expect(function() targets.http { url = 7 } end):errors "http_spec.lua.*url must be a"
    expect(function() targets.http { url = "x", headrs = {} } end):errors "did you mean headers"
  end)
end)
