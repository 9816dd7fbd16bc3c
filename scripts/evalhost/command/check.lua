-- command/check.lua: `evalhost check SUITE.lua`: everything that can be known without a call.

local console = require "evalhost.report.console"
local facts = require "evalhost.report.facts"
local fiber = require "evalhost.native.fiber"
local format = require "evalhost.report.format"
local fs = require "evalhost.native.fs"
local os_ = require "evalhost.native.os"
local prepare = require "evalhost.prepare"
local targets = require "evalhost.targets"

local check = {}

local EXIT = { passed = 0, usage = 2 }

local function plural_list(list, word)
  return ("%s (%s)"):format(format.plural(#list, word), table.concat(list, ", "))
end

local function metric_names(run)
  local names = {}
  for i, entry in ipairs(run.metrics) do
    names[i] = entry.name
  end
  return names
end

-- "target a (of a, b, c)"
local function target_text(run)
  local names = {}
  for name in pairs(run.suite.targets) do
    names[#names + 1] = name
  end
  table.sort(names)
  return ("target %s%s"):format(run.target_name,
    #names > 1 and (" (of %s)"):format(table.concat(names, ", ")) or "")
end

local function threshold_texts(suite)
  local texts = {}
  for i, item in ipairs(suite.thresholds) do
    texts[i] = ("%s %s %s %.14g"):format(item.level, item.figure, item.bound.op, item.bound.limit)
  end
  return texts
end

-- What would be run, in a few lines.
local function description(run, plan)
  local lines = {
    ("ok: %s: %s, %s"):format(run.suite.name, facts.cases(run, plan.total), target_text(run)),
    "  " .. plural_list(metric_names(run), "metric"),
  }
  for _, line in ipairs(facts.judges(run)) do
    lines[#lines + 1] = "  " .. line
  end
  local texts = threshold_texts(run.suite)
  lines[#lines + 1] = "  " .. (#texts > 0 and plural_list(texts, "threshold") or "no thresholds")
  return table.concat(lines, "\n") .. "\n"
end

-- shown holds the warnings of other targets: what is wrong with the data is said once.
local function check_one(options, shown)
  local run, plan = prepare.run(options)
  if not run then
    console.problems(plan)
    return EXIT.usage
  end
  if run.spooled then
    fs.remove(run.spooled)
  end
  for _, warning in ipairs(run.warnings) do
    if not shown[warning] then
      shown[warning] = true
      console.problem(("%s: %s"):format(run.data_name or options.operands[1], warning))
    end
  end
  if #run.warnings > (plan.warning and 1 or 0) then -- that one is mended, not wrong
    return EXIT.usage
  end
  os_.write_out(description(run, plan))
  local ready, err = targets.ready(run.target)
  if not ready then
    console.problem(("warning: target %s cannot be run as it is: %s"):format(run.target_name,
      fiber.text(err)))
  end
  return EXIT.passed
end

--- The targets of --target a,b one by one.
local function each_target(options)
  local list = {}
  for name in (options.target or ""):gmatch "[^,]+" do
    local one = {}
    for key, value in pairs(options) do
      one[key] = value
    end
    one.target = name
    list[#list + 1] = one
  end
  return #list > 0 and list or { options }
end

---@async
---@param options table the command line
---@return integer exit code
function check.main(options)
  local code, shown = EXIT.passed, {}
  for _, one in ipairs(each_target(options)) do
    code = math.max(code, check_one(one, shown))
  end
  return code
end

return check
