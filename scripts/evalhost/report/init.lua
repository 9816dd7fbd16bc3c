-- report/init.lua: what a run leaves behind: the files that were asked for, and the suite's own
-- report. Every file appears whole or not at all.

local fiber = require "evalhost.native.fiber"
local fs = require "evalhost.native.fs"
local json = require "evalhost.native.json"
local os_ = require "evalhost.native.os"
local view = require "evalhost.report.view"

local report = {}

-- When this process began: tells its runs from those before.
report.began = os_.wall()

-- Seconds that a suite's report function may take.
local REPORT_TIMEOUT = 60

local ENDINGS = {
  { ".json", "evalhost.report.json" }, { ".jsonl", "evalhost.report.jsonl" },
  { ".csv", "evalhost.report.csv" }, { ".junit.xml", "evalhost.report.junit" },
  { ".md", "evalhost.report.markdown" },
}

-- The module that writes a file of this name.
local function writer_of(name)
  for _, entry in ipairs(ENDINGS) do
    if name:sub(-#entry[1]) == entry[1] and #fs.basename(name) > #entry[1] then
      return entry[2]
    end
  end
end

local function known_endings()
  local list = {}
  for i, entry in ipairs(ENDINGS) do
    list[i] = entry[1]
  end
  return table.concat(list, " ")
end

local function check_name(name, options, flag)
  if options.slots and options.slots > 1 and name == "-" then
    return nil, "--output -: several targets cannot share standard output; write files, such as "
      .. "--output results-{target}.json"
  elseif options.slots and options.slots > 1 and not name:find("{target}", 1, true) then
    return nil, ("%s %s: with several targets the name needs {target} in it, such as "
      .. "results-{target}.json"):format(flag, name)
  end
  return true
end

--- Can the outputs that the command line asks for be written, as far as their names go?
---@param options table the command line
---@return true|nil
---@return string|nil problem
function report.check(options)
  for _, name in ipairs(options.output or {}) do
    if name ~= "-" and not writer_of(name) then
      return nil, ("--output %s: unknown kind of file; known endings: %s (- is JSON on stdout)")
        :format(name, known_endings())
    end
    local ok, problem = check_name(name, options, "--output")
    if not ok then
      return nil, problem
    end
  end
  if options.suite_report then
    return check_name(options.suite_report, options, "--suite-report")
  end
  return true
end

-- JSON on stdout. A reader that has gone is not our trouble.
local Out = {}
Out.__index = Out
local CHUNK = 1 << 16

function Out:flush()
  local text = table.concat(self.parts)
  self.parts, self.size = {}, 0
  if not self.gone and text ~= "" then
    local ok, err = os_.write_out(text)
    if not ok then
      self.gone = true
      self.err = err.code ~= "reset" and err or nil
    end
  end
end

function Out:write(text)
  self.parts[#self.parts + 1] = text
  self.size = self.size + #text
  if self.size >= CHUNK then
    self:flush()
  end
end

local function to_stdout(run, doc)
  local out = setmetatable({ parts = {}, size = 0 }, Out)
  require "evalhost.report.json"(out, run, doc)
  out:flush()
  return out.err == nil, out.err
end

-- Keeps the first failure of a file's writer, so that what writes need not ask.
local function guarded(file)
  return { write = function(self, text)
    if not self.err then
      local ok, err = file:write(text)
      self.err = not ok and err or nil
    end
  end }
end

local function to_file(name, run, doc)
  local file <close>, err = fs.writer(name)
  if not file then
    return nil, err
  end
  local out = guarded(file)
  require(writer_of(name))(out, run, doc)
  if out.err then
    return nil, out.err
  end
  return file:commit()
end

local function file_name(name, run)
  return (name:gsub("{target}", (run.target_name:gsub("%%", "%%%%"))))
end

local function write_suite_report(run, seen)
  local name = file_name(run.options.suite_report, run)
  if not run.suite.report then
    return ("--suite-report %s: the suite has no report function"):format(name)
  end
  local ok, result = fiber.timeout(REPORT_TIMEOUT, run.suite.report, seen)
  if not ok then
    return "the suite's report failed: " .. fiber.text(result)
  elseif type(result) ~= "table" then
    return ("the suite's report returned a %s, not a table"):format(type(result))
  end
  local text, err = json.encode(result, { pretty = true, repair = true })
  if not text then
    return "the suite's report is no JSON: " .. fiber.text(err)
  end
  ok, err = fs.write_atomic(name, text .. "\n")
  if not ok then
    return ("%s was not written: %s"):format(name, fiber.text(err))
  end
end

--- Writes all that was asked for.
---@async
---@param run table
---@param doc { run: table, summary: table, thresholds: table[] }
---@return string[] problems what could not be written, and why
function report.write(run, doc)
  local problems = {}
  for _, given in ipairs(run.options.output or {}) do
    local name = file_name(given, run)
    local called, ok, err = fiber.timeout(math.huge, name == "-" and to_stdout or function(...)
      return to_file(name, ...)
    end, run, doc)
    if not called then
      ok, err = nil, ok
    end
    if not ok then
      problems[#problems + 1] = ("%s was not written: %s"):format(
        name == "-" and "standard output" or name, fiber.text(err))
    end
  end
  if run.options.suite_report then
    problems[#problems + 1] = write_suite_report(run, view.of(run, doc))
  end
  return problems
end

--- After a preflight that failed: the suite's own report says so, where one was asked for.
---@async
---@param run table
---@param message string
---@return string|nil problem
function report.preflight_failed(run, message)
  if run.options.suite_report and run.suite.report then
    return write_suite_report(run, view.of(run, nil, message))
  end
end

return report
