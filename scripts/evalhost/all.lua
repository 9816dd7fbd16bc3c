-- all.lua: eval.all: functions side by side, so many at a time.

local check = require "evalhost.check"
local fiber = require "evalhost.native.fiber"

-- How many run at once; the others wait for a place.
local MOST = 32

local function check_functions(functions)
  if not check.is(functions, "list") then
    error(("eval.all: expected a list of functions, got a %s"):format(type(functions)), 3)
  end
  for i, fn in ipairs(functions) do
    if not check.is_callable(fn) then
      error(("eval.all: element %d must be a function, got a %s"):format(i, type(fn)), 3)
    end
  end
end

--- Runs functions side by side and gives the list of their results. The first error cancels the
--- others and is raised. Each draws its own random numbers, the same whatever the others do.
---@async
---@param functions (fun(): any)[]
---@return any[]
return function(functions)
  check_functions(functions)
  local results, running, failure, changed = {}, 0, nil, fiber.event()
  local handles <close> = setmetatable({}, { __close = function(list)
    for _, handle in ipairs(list) do
      handle:cancel()
    end
  end })
  local function run(i)
    local _ <close> = setmetatable({}, { __close = function(_, err)
      running, failure = running - 1, failure or err
      changed:wake()
    end })
    results[i] = functions[i]()
  end
  for i = 1, #functions do
    while running >= MOST and not failure do
      changed:wait()
    end
    if failure then
      break
    end
    running, handles[i] = running + 1, fiber.spawn(run, i)
  end
  while running > 0 and not failure do
    changed:wait()
  end
  if failure then
    error(failure, 0)
  end
  return results
end
