-- report/markdown.lua: a page for pull requests and job summaries: verdict, figures, thresholds,
-- the cases that did not pass.

local facts = require "evalhost.report.facts"
local format = require "evalhost.report.format"
local json = require "evalhost.native.json"
local native = require "evalhost.native.text"
local view = require "evalhost.report.view"

-- Cases listed, and characters of a cell.
local MOST = 100
local CELL = 300

local BAD = { fail = true, error = true, unscored = true }

local function present(value)
  return value ~= nil and value ~= json.null
end

-- Text of a model or a file as plain words in a table: no markup, no line break, no mention.
local function escape(text)
  text = format.line(text, CELL)
  text = text:gsub("[&<>]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" })
  return (text:gsub("[\\|`*_{}%[%]#!~]", "\\%0"):gsub("@", "&#64;"))
end

local function row(out, cells)
  out:write("| " .. table.concat(cells, " | ") .. " |\n")
end

local function head(out, cells, align)
  local rule = {}
  for i = 1, #cells do
    rule[i] = align:sub(i, i) == "r" and "---:" or "---"
  end
  row(out, cells)
  row(out, rule)
end

local function interval(ci)
  if not present(ci) then
    return ""
  end
  return ("%s to %s"):format(format.number(ci[1]), format.number(ci[2]))
end

local function summary(out, run, all)
  local list = { { "Cases", format.count(all.cases) } }
  if all.pass_rate then
    local rate = format.percent(all.pass_rate)
    list[#list + 1] = { "Pass rate", all.pass_rate_ci and ("%s (95 %%: %s to %s)"):format(rate,
      format.percent(all.pass_rate_ci[1]), format.percent(all.pass_rate_ci[2])) or rate }
    list[#list + 1] = { "Passed", format.count(all.passed) }
    list[#list + 1] = { "Failed", format.count(all.failed) }
  end
  list[#list + 1] = { "Errors", format.count(all.errors) }
  list[#list + 1] = { "Unscored", format.count(all.unscored) }
  if all.cancelled > 0 then
    list[#list + 1] = { "Cancelled", format.count(all.cancelled) }
  end
  list[#list + 1] = { "Latency p50 / p95", ("%s / %s"):format(format.ms(all.latency_ms.p50),
    format.ms(all.latency_ms.p95)) }
  if all.tokens.total then
    list[#list + 1] = { "Tokens", format.count(all.tokens.total) }
  end
  if all.cost_usd then
    list[#list + 1] = { "Cost", format.money(all.cost_usd) }
  end
  for _, line in ipairs(facts.judges(run)) do
    list[#list + 1] = { "Judge", escape(line) }
  end
  head(out, { "Figure", "Value" }, "ll")
  for _, cells in ipairs(list) do
    row(out, cells)
  end
end

local function metrics(out, run, all)
  out:write "\n## Metrics\n\n"
  head(out, { "Metric", "Mean", "95 % interval", "Min", "Max", "n", "Unscored" }, "lrlrrrr")
  local function add(label, figures)
    row(out, { escape(label), format.number(figures.mean), interval(figures.ci),
      format.number(figures.min), format.number(figures.max), format.count(figures.n),
      figures.unscored and format.count(figures.unscored) or "" })
  end
  for _, entry in ipairs(run.metrics) do
    add(all.metrics[entry.name].label, all.metrics[entry.name])
  end
  if all.score then
    add("Score", all.score)
  end
end

local function thresholds(out, list)
  if #list == 0 then
    return
  end
  out:write "\n## Thresholds\n\n"
  head(out, { "Level", "Figure", "Wanted", "Measured", "" }, "lllrl")
  for _, item in ipairs(list) do
    row(out, { escape(item.level), escape(item.figure),
      escape(("%s %.14g"):format(item.op, item.limit)), format.number(item.actual),
      item.met and "met" or "**not met**" })
  end
end

local function reason_of(case)
  local err = type(case.error) == "table" and case.error
  if err then
    return ("%s: %s"):format(err.code, err.message)
  end
  return present(case.reason) and case.reason or ""
end

local function input_of(case)
  return type(case.input) == "table" and json.encode(case.input) or case.input
end

local function failures(out, run, all)
  local total, listed = all.failed + all.errors + all.unscored, 0
  if total == 0 then
    return
  end
  out:write(("\n## Not passed (%s)\n\n"):format(format.count(total)))
  head(out, { "Case", "Verdict", "Score", "Input", "Reason" }, "llrll")
  for case in view.cases(run, BAD) do
    row(out, { escape(case.id), case.verdict,
      present(case.score) and format.number(case.score) or "", escape(input_of(case)),
      escape(reason_of(case)) })
    listed = listed + 1
    if listed >= MOST or listed >= total then
      break
    end
  end
  if listed < total then
    out:write(("\n… and %s more\n"):format(format.count(total - listed)))
  end
end

---@param out { write: fun(self, text: string) }
---@param run table
---@param doc table
return function(out, run, doc)
  out:write(("# %s: %s\n\n"):format(escape(doc.run.suite), doc.run.status))
  out:write(("Run `%s`, target %s, started %s, %s, evalhost %s.\n\n"):format(doc.run.id,
    escape(doc.run.target), doc.run.started_at, format.ms(doc.run.duration_ms), doc.run.version))
  summary(out, run, doc.summary)
  metrics(out, run, doc.summary)
  thresholds(out, doc.thresholds)
  failures(out, run, doc.summary)
  for i, note in ipairs(doc.run.notes or {}) do
    out:write((i == 1 and "\n## Notes\n\n" or "") .. "- " .. native.trim(escape(note)) .. "\n")
  end
end
