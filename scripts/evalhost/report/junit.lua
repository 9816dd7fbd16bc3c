-- report/junit.lua: JUnit XML, for the test pages of CI systems. A wrong answer is a failure; no
-- answer, or one that could not be measured, is an error; what did not run is skipped.

local format = require "evalhost.report.format"
local json = require "evalhost.native.json"
local native = require "evalhost.native.text"
local reduce = require "evalhost.reduce"
local view = require "evalhost.report.view"

local ENTITIES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;",
  ["\n"] = "&#10;", ["\t"] = "&#9;", ["\r"] = "&#13;" }

-- The text without the characters that XML 1.0 does not allow.
local function legal(text)
  return (native.repair(tostring(text)):gsub("[%z\1-\8\11\12\14-\31\127]", "")
    :gsub("\239\191[\190\191]", ""))
end

local function attribute(text)
  return (legal(text):gsub('[&<>"\n\t\r]', ENTITIES))
end

local function content(text)
  return (legal(text):gsub("[&<>\r]", ENTITIES))
end

local function present(value)
  return value ~= nil and value ~= json.null
end

-- What there is to know about a case that did not pass.
local function details(run, case)
  local lines = {}
  local function add(name, value)
    if present(value) then
      lines[#lines + 1] = ("%s: %s"):format(name, value)
    end
  end
  for _, entry in ipairs(run.metrics) do
    local metric = case.metrics[entry.name]
    if metric then
      local value = present(metric.value) and ("%.14g"):format(metric.value)
        or "unscored " .. tostring(metric.unscored)
      add(entry.name, present(metric.reason) and ("%s (%s)"):format(value, metric.reason) or value)
    end
  end
  add("input", type(case.input) == "table" and json.encode(case.input) or case.input)
  add("answer", type(case.outcome) == "table" and case.outcome.answer or nil)
  return table.concat(lines, "\n")
end

local function problem(run, case)
  local err = type(case.error) == "table" and case.error or {}
  local function message(key, default)
    return present(err[key]) and err[key] or default
  end
  if case.verdict == "fail" then
    local reason = present(case.reason) and case.reason or "failed"
    return ('<failure message="%s" type="fail">%s</failure>'):format(attribute(reason),
      content(details(run, case)))
  elseif case.verdict == "error" or case.verdict == "unscored" then
    return ('<error message="%s" type="%s">%s</error>'):format(
      attribute(message("message", case.verdict)), attribute(message("code", case.verdict)),
      content(details(run, case)))
  elseif case.verdict == "cancelled" then
    return ('<skipped message="%s"/>'):format(attribute(message("message", "cancelled")))
  end
end

local function seconds(timings)
  local ms = 0
  for _, key in ipairs { "target_ms", "judge_ms" } do
    ms = ms + (type(timings) == "table" and tonumber(timings[key]) or 0)
  end
  return ms / 1000
end

local function count(run)
  local counts = { tests = 0, pass = 0, fail = 0, error = 0, unscored = 0, scored = 0,
    cancelled = 0 }
  for case in reduce.cases(run.stored, run.suite.repeats) do
    counts.tests = counts.tests + 1
    counts[case.verdict] = counts[case.verdict] + 1
  end
  return ('tests="%d" failures="%d" errors="%d" skipped="%d"'):format(counts.tests, counts.fail,
    counts.error + counts.unscored, counts.cancelled)
end

---@param out { write: fun(self, text: string) }
---@param run table
---@param doc table
return function(out, run, doc)
  local counts = count(run)
  local time = ('time="%.3f"'):format((doc.run.duration_ms or 0) / 1000)
  out:write(('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="evalhost" %s %s>\n')
    :format(counts, time))
  out:write(('  <testsuite name="%s" %s %s timestamp="%s">\n'):format(attribute(doc.run.suite),
    counts, time, attribute((doc.run.started_at:gsub("%.%d+Z$", "")))))
  out:write '    <properties>\n'
  for _, pair in ipairs { { "run", doc.run.id }, { "target", doc.run.target },
    { "status", doc.run.status }, { "pass_rate", doc.summary.pass_rate
      and format.percent(doc.summary.pass_rate) } } do
    if pair[2] then
      out:write(('      <property name="%s" value="%s"/>\n'):format(pair[1], attribute(pair[2])))
    end
  end
  out:write '    </properties>\n'
  local class = attribute(doc.run.suite .. "." .. doc.run.target)
  for case in view.cases(run) do
    local inner = problem(run, case)
    out:write(('    <testcase classname="%s" name="%s" time="%.3f"%s\n'):format(class,
      attribute(case.id), seconds(case.timings),
      inner and (">\n      %s\n    </testcase>"):format(inner) or "/>"))
  end
  out:write "  </testsuite>\n</testsuites>\n"
end
