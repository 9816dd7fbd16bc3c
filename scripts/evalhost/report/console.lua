-- report/console.lua: what a run shows while it goes and when it ends. Results go to stdout,
-- progress and diagnostics to stderr.

local ending = require "evalhost.report.ending"
local facts = require "evalhost.report.facts"
local failures = require "evalhost.report.failures"
local format = require "evalhost.report.format"
local native = require "evalhost.native.text"
local os_ = require "evalhost.native.os"
local problems = require "evalhost.report.problems"
local progress = require "evalhost.report.progress"
local secrets = require "evalhost.secrets"
local style = require "evalhost.report.style"
local term = require "evalhost.native.term"

local console = {}

-- Columns where there is no terminal to ask.
local PLAIN_WIDTH = 120
-- Without live lines, a line at each of these steps, or after these seconds.
local STEP, SECONDS = 0.1, 10

---@class evalhost.Console
---@field live boolean
---@field interval number|nil seconds between two ticks; nil when nothing is to be shown
local Console = {}
Console.__index = Console

local VERDICTS = {
  pass = { "pass", "green" }, fail = { "FAIL", "red" }, error = { "ERROR", "yellow" },
  unscored = { "UNSCORED", "yellow" }, scored = { "scored" }, cancelled = { "cancelled" },
}

local function json_on_stdout(options)
  for _, name in ipairs(options.output or {}) do
    if name == "-" then
      return true
    end
  end
  return false
end

--- The console of a run.
---@param run table
---@return evalhost.Console
function console.new(run)
  local options = run.options
  local colors, several = style.colors(options), (options.slots or 1) > 1
  local live = not options.quiet and term.live()
  local to_err = json_on_stdout(options)
  return setmetatable({
    run = run, live = live, quiet = options.quiet, verbose = options.verbose,
    interval = not options.quiet and (live and 0.1 or 1) or nil,
    slot = options.slot or 1, prefix = several and run.target_name or nil,
    err = style.new(colors.err), out = style.new(to_err and colors.err or colors.out),
    -- Live lines of other runs stay below what is printed, if one writer writes all of it.
    to_err = to_err or live and os_.isatty(1),
    last_done = 0, last_at = os_.mono(), shown_done = 0, shown_at = os_.mono(),
  }, Console)
end

--- The columns of the terminal behind stdout (1) or stderr (2).
---@param fd integer
---@return integer
function console.width(fd)
  return os_.isatty(fd) and os_.columns() or PLAIN_WIDTH
end

-- A diagnostic on a line of its own.
function Console:say(text)
  local prefix = self.prefix and self.err.bold(self.prefix) .. "  " or ""
  term.print(prefix .. text .. "\n")
end

-- Results. When nobody reads them any more, the run goes on.
function Console:print(text)
  if self.to_err then
    term.print(text)
  elseif not self.gone then
    self.gone = not os_.write_out(text)
  end
end

---@param run table
---@param plan evalhost.Plan
function Console:started(run, plan)
  self.last_at, self.shown_at = os_.mono(), os_.mono()
  if self.quiet then
    return
  end
  self:say(("%s: %s%s, run %s"):format(self.err.bold(run.suite.name),
    facts.cases(run, plan.total), self.prefix and "" or ", target " .. run.target_name, run.id))
  for _, line in ipairs(facts.judges(run)) do
    self:say(self.err.dim(line))
  end
  for _, warning in ipairs(run.warnings or {}) do
    self:say(self.err.yellow "warning: " .. format.line(warning))
  end
end

function Console:progress_view(now)
  return { elapsed = now - self.run.state.started, idle = now - self.last_at,
    prefix = self.prefix, paint = self.err }
end

-- A plain progress line, when it is time for one.
function Console:plain(state, now)
  local steps = state.total and (state.done - self.shown_done) / state.total or 0
  if state.done ~= state.total and (now - self.shown_at >= SECONDS
      or steps >= STEP and now - self.shown_at >= 1) then
    self.shown_done, self.shown_at = state.done, now
    local view = self:progress_view(now)
    view.prefix = nil -- say puts it there
    self:say(progress.line(state, view, PLAIN_WIDTH))
  end
end

---@param state table the run's counts
function Console:tick(state)
  if self.quiet then
    return
  end
  local now = os_.mono()
  if state.done ~= self.last_done then
    self.last_done, self.last_at = state.done, now
  end
  if self.live then
    local line = progress.line(state, self:progress_view(now), console.width(2) - 1, true)
    term.status(self.slot, line)
  else
    self:plain(state, now)
  end
end

---@param result evalhost.Result
function Console:result(result)
  if not self.verbose or self.quiet then
    return
  end
  local word, color = table.unpack(VERDICTS[result.verdict])
  local again = self.run.suite.repeats.n > 1 and (" (%d)"):format(result.attempt) or ""
  local parts = { (color and self.err[color] or self.err.dim)(("%-8s"):format(word)),
    format.line(result.case.id, 40) .. again }
  if result.score then
    parts[#parts + 1] = "score " .. format.number(result.score, 2)
  end
  parts[#parts + 1] = format.ms(result.timings.target_ms)
  local reason = failures.reason(result)
  if reason ~= "" then
    parts[#parts + 1] = format.line(reason, math.max(40, console.width(2) - 50))
  end
  self:say(table.concat(parts, "  "))
end

---@param signal string
---@param state table
---@param grace number seconds
function Console:stopping(signal, state, grace)
  self:say(("%s: no new cases; %s in flight %s %d s to end (once more to stop at once)"):format(
    signal, format.plural(state.in_flight, "case"), state.in_flight == 1 and "has" or "have",
    grace))
end

--- What a suite logs: warnings and errors, with --verbose everything.
---@param case_id string
---@param level string
---@param text any
function Console:log(case_id, level, text)
  local serious = level == "warn" or level == "warning" or level == "error"
  if self.quiet or not (serious or self.verbose) then
    return
  end
  local paint = serious and self.err.yellow or self.err.dim
  self:say(("%s %s: %s"):format(paint(format.line(level, 10)), format.line(case_id, 40),
    native.clean(secrets.without_values(tostring(text)), true)))
end

---@async
---@param run table
---@param doc { run: table, summary: table, thresholds: table[] }
function Console:finished(run, doc)
  if self.live then
    term.status(self.slot, nil)
  end
  local fd = self.to_err and 2 or 1
  local look = { width = console.width(fd), whole = not os_.isatty(fd), paint = self.out }
  self:print(ending.text(run, doc, look))
end

--- A problem that is not a run's: one line on stderr.
---@param text string
function console.problem(text)
  term.print("evalhost: " .. native.clean(secrets.without_values(text), true) .. "\n")
end

--- A problem before a run, with the rows of the data that are wrong.
---@param p { message: string, problems: table[]|nil, name: string|nil, traceback: string|nil }
function console.problems(p)
  term.print(problems.text(p))
end

console.colors = style.colors

return console
