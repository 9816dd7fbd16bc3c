-- markdown_spec.lua: the page for pull requests.

local fake_run = require "fake_run"
local write = require "evalhost.report.markdown"

local function written(results, more)
  local run, doc = fake_run.new(results, more)
  local out = fake_run.out()
  write(out, run, doc)
  return out.text()
end

local function holds(text, part)
  if not text:find(part, 1, true) then
    error(("%q lacks %q"):format(text, part), 2)
  end
end

describe("the Markdown page", function()
  it("has the verdict, figures, thresholds and what did not pass", function()
    local text = written({ { score = 1, metrics = { tools = { value = 1 } } },
      { id = "bad", verdict = "fail", score = 0.25, reason = "wrong" } },
      { thresholds = { { "minimum", "pass_rate", 0.7 } }, status = "failed", notes = { "odd" } })
    holds(text, "# demo: failed\n")
    holds(text, "| Pass rate | 50% (95 %: ")
    holds(text, "| Tools | 1.000 |")
    holds(text, "| minimum | pass\\_rate | &gt;= 0.7 | 0.500 | **not met** |")
    holds(text, "## Not passed (1)")
    holds(text, "| bad | fail | 0.250 | a question | wrong |")
    holds(text, "## Notes\n\n- odd\n")
  end)

  it("lets no text of a model become markup", function()
    local text = written { { id = "a|b", verdict = "fail",
      input = "line\nbreak <img src=x> [link](http://x) `code` @someone *bold* \\",
      reason = "![x](y)" } }
    holds(text, "| a\\|b | fail |  | line break &lt;img src=x&gt; \\[link\\](http://x) "
      .. "\\`code\\` &#64;someone \\*bold\\* \\\\ | \\!\\[x\\](y) |")
  end)

  it("lists a hundred cases and counts the rest", function()
    local results = {}
    for i = 1, 103 do
      results[i] = { verdict = "error", error = { code = "connect", message = "refused" } }
    end
    local text = written(results)
    holds(text, "| case-100 | error |")
    holds(text, "\n… and 3 more\n")
    expect(text:find("case-101", 1, true)):equals(nil)
  end)

  it("says nothing of cases where all passed", function()
    expect(written({ {} }):find("Not passed", 1, true)):equals(nil)
  end)
end)
