-- scratch.lua: a folder of temporary files for one test: open() before it, close() after it.

local fs = require "evalhost.native.fs"
local os_ = require "evalhost.native.os"
local paths = require "evalhost.paths"

local scratch = {}

local written, path, folder

--- Makes a folder, which is the suite's folder from here on.
---@return string
function scratch.open()
  written, path, folder = {}, package.path, paths.folder
  scratch.folder = "/tmp/evalhost-spec-" .. os_.random_hex(12)
  assert(fs.mkdir(scratch.folder))
  paths.folder = scratch.folder
  return scratch.folder
end

--- Writes a file into it. Gives its full path.
---@param name string
---@param text string
---@return string
function scratch.write(name, text)
  local full = fs.join(scratch.folder, name)
  assert(fs.write_atomic(full, text))
  written[#written + 1] = full
  return full
end

--- A file that the code under test will write goes when the test ends.
---@param name string
---@return string
function scratch.expect(name)
  written[#written + 1] = fs.join(scratch.folder, name)
  return written[#written]
end

function scratch.close()
  for _, full in ipairs(written) do
    fs.remove(full)
  end
  os.remove(scratch.folder)
  package.path, paths.folder = path, folder
end

return scratch
