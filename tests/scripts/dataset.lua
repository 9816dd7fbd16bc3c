-- dataset.lua: test data for specs: what a source is planned as.

local cases = require "evalhost.cases"
local scratch = require "scratch"

local dataset = {}

-- The cases that a plan visits.
local function visited(plan)
  local list = {}
  assert(plan.visit(function(case, index)
    list[index] = case
  end, function(problem) error(problem.message) end))
  return list
end

--- The cases of a source, and its plan.
function dataset.planned(value, options)
  local plan, problems = cases.plan(value, options or {})
  if not plan then
    error("problems: " .. problems[1].message, 2)
  end
  return visited(plan), plan
end

--- The problems of a source that cannot be planned.
function dataset.problems(value, options)
  local plan, problems = cases.plan(value, options or {})
  if plan then
    error("expected problems, there are none", 2)
  end
  return problems
end

--- eval.cases of a new temporary file.
function dataset.file(name, content, options)
  scratch.write(name, content)
  return cases.new(name, options)
end

--- The ids of a list of cases.
function dataset.ids(list)
  local names = {}
  for i, case in ipairs(list) do
    names[i] = case.id
  end
  return names
end

return dataset
