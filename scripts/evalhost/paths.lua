-- paths.lua: paths that a suite names are relative to its own folder.

local fs = require "evalhost.native.fs"

local paths = { folder = "." }

--- An absolute path as it is, any other below the suite's folder.
---@param path string
---@return string
function paths.resolve(path)
  if path:sub(1, 1) == "/" then
    return path
  end
  return fs.join(paths.folder, path)
end

return paths
