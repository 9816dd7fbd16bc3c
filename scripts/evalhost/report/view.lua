-- report/view.lua: the results of a run as reports read them: in case order, one case at a time,
-- from the store.

local fiber = require "evalhost.native.fiber"
local json = require "evalhost.native.json"
local merge = require "evalhost.report.merge"
local os_ = require "evalhost.native.os"
local reduce = require "evalhost.reduce"

local view = {}

-- After so many cases the loop gets a turn (signals, other runs).
local CASES_PER_TURN = 256

local function give_turns()
  local n = 0
  return function()
    n = n + 1
    if n % CASES_PER_TURN == 0 then
      fiber.sleep(0)
    end
  end
end

-- With one attempt each, the stored text is the canonical case.
local function single_texts(run)
  local step, _, _, closing = run.stored:results()
  local turn = give_turns()
  return function()
    local _, _, _, verdict, _, _, text = step()
    turn()
    return text, verdict
  end, nil, nil, closing
end

local function merged_cases(run)
  local step, _, _, closing = reduce.cases(run.stored, run.suite.repeats, { records = true })
  local turn = give_turns()
  return function()
    local reduced = step()
    turn()
    return reduced and merge.case(reduced)
  end, nil, nil, closing
end

--- The canonical cases as JSON texts, each with its verdict, for a generic for.
---@async
---@param run table
---@return fun(): string|nil, string|nil
function view.texts(run)
  if run.suite.repeats.n == 1 then
    return single_texts(run)
  end
  local step, _, _, closing = merged_cases(run)
  return function()
    local case = step()
    if case then
      return assert(json.encode(case)), case.verdict
    end
  end, nil, nil, closing
end

--- The canonical cases, decoded, for a generic for. With a set of verdicts, those only.
---@async
---@param run table
---@param wanted table<string, true>|nil
---@return fun(): table|nil
function view.cases(run, wanted)
  if run.suite.repeats.n == 1 then
    local step, _, _, closing = single_texts(run)
    return function()
      local text, verdict = step()
      while text and wanted and not wanted[verdict] do
        text, verdict = step()
      end
      return text and assert(json.decode(text))
    end, nil, nil, closing
  end
  local step, _, _, closing = merged_cases(run)
  return function()
    local case = step()
    while case and wanted and not wanted[case.verdict] do
      case = step()
    end
    return case
  end, nil, nil, closing
end

---@class evalhost.RunView what a suite's `report` function gets
---@field id string|nil
---@field suite string
---@field target string
---@field params table<string, any>
---@field judges table<string, string> metric to judge
---@field summary table|nil as in the canonical JSON; nil after a failed preflight
---@field thresholds table[]|nil
---@field started_at string ISO 8601, UTC
---@field finished_at string
---@field timestamp string the same as finished_at
---@field cases fun(): fun(): table|nil iterates over the canonical cases, in order
---@field cases_file string|nil the dataset, as the suite or --cases names it
---@field preflight_error string|nil

local function nothing() end

--- The run as a suite's report function sees it.
---@param run table
---@param doc table|nil the document without cases; nil after a failed preflight
---@param preflight_error string|nil
---@return evalhost.RunView
function view.of(run, doc, preflight_error)
  local head = doc and doc.run or {}
  local now = os_.iso(os_.wall())
  return {
    id = run.id, suite = run.suite.name, target = run.target_name, params = run.params,
    judges = run.judges, summary = doc and doc.summary, thresholds = doc and doc.thresholds,
    started_at = head.started_at or now, finished_at = head.finished_at or now,
    timestamp = head.finished_at or now, cases_file = run.data_name,
    preflight_error = preflight_error,
    cases = doc and function() return view.cases(run) end or function() return nothing end,
  }
end

return view
