-- junit_spec.lua: JUnit XML.

local fake_run = require "fake_run"
local write = require "evalhost.report.junit"

local function written(results)
  local run, doc = fake_run.new(results)
  local out = fake_run.out()
  write(out, run, doc)
  return out.text()
end

local function holds(text, part)
  if not text:find(part, 1, true) then
    error(("%q lacks %q"):format(text, part), 2)
  end
end

describe("the JUnit file", function()
  it("tells failures, errors and skipped cases apart", function()
    local text = written {
      { id = "ok", score = 1 },
      { id = "bad", verdict = "fail", reason = "score is 0", metrics = {
        tools = { value = 0, reason = "missing x" }, facts = { unscored = "judge_range" } },
        outcome = { answer = "no idea" } },
      { id = "down", verdict = "error", error = { code = "connect", message = "refused" } },
      { id = "odd", verdict = "unscored", error = { code = "judge_range", message = "8" } },
      { id = "late", verdict = "cancelled", error = { code = "cancelled", message = "stopped" } },
    }
    holds(text, 'tests="5" failures="1" errors="2" skipped="1"')
    holds(text, '<testcase classname="demo.reference" name="ok" time="0.015"/>')
    holds(text, '<failure message="score is 0" type="fail">tools: 0 (missing x)\n'
      .. "facts: unscored judge_range\ninput: a question\nanswer: no idea</failure>")
    holds(text, '<error message="refused" type="connect">')
    holds(text, '<error message="8" type="judge_range">')
    holds(text, '<skipped message="stopped"/>')
    holds(text, 'timestamp="2026-01-01T00:00:00"')
  end)

  it("escapes markup, and leaves out what XML does not allow", function()
    local text = written { { id = 'a<b>&"c"\n\0\27[31m', verdict = "fail",
      reason = "]]> \255 \239\191\191 100%", outcome = { answer = "<script>\1&amp;" } } }
    holds(text, 'name="a&lt;b&gt;&amp;&quot;c&quot;&#10;[31m"')
    holds(text, 'message="]]&gt; \239\191\189  100%"')
    holds(text, "answer: &lt;script&gt;&amp;amp;</failure>")
    expect(text:find "[%z\1-\8\11\12\14-\31]"):equals(nil)
  end)

  it("is whole without cases", function()
    local text = written {}
    holds(text, 'tests="0" failures="0" errors="0" skipped="0"')
    expect(text:find "</testsuites>\n$"):truthy()
  end)
end)
