-- command/init.lua: `evalhost init DIR`: a suite skeleton that runs at once, offline.

local console = require "evalhost.report.console"
local fiber = require "evalhost.native.fiber"
local fs = require "evalhost.native.fs"
local os_ = require "evalhost.native.os"
local templates = require "evalhost.command.templates"

local init = {}

local EXIT = { passed = 0, usage = 2 }

-- A suite's name made of the folder's.
local function suite_name(folder)
  local name = fs.basename(fs.absolute(folder)):lower():gsub("[^a-z0-9_-]+", "_")
    :gsub("^_+", ""):gsub("_+$", "")
  return name ~= "" and name or "my_suite"
end

-- Is there room for a suite?
local function check_folder(folder)
  local stat, err = fs.stat(folder)
  if not stat then
    return err.code == "not_found", fiber.text(err)
  elseif stat.type ~= "folder" then
    return false, "it is there and is no folder"
  end
  local names
  names, err = fs.list(folder)
  if not names then
    return false, fiber.text(err)
  end
  return #names == 0, "the folder is not empty"
end

---@param options table the command line
---@return integer exit code
function init.main(options)
  local folder = options.operands[1]
  local ok, problem = check_folder(folder)
  if not ok then
    console.problem(("init %s: %s"):format(folder, problem))
    return EXIT.usage
  end
  local values = { NAME = suite_name(folder), SUITE = fs.join(folder, "suite.lua") }
  for _, template in ipairs(templates) do
    local path = fs.join(folder, template.name)
    local written, err = fs.write_atomic(path, (template.text:gsub("@(%u+)@", values)))
    if not written then
      console.problem(("init: %s: %s"):format(path, fiber.text(err)))
      return EXIT.usage
    end
    os_.write_out(path .. "\n")
  end
  os_.write_out(("\nRun it:  evalhost %s\n"):format(values.SUITE))
  return EXIT.passed
end

return init
