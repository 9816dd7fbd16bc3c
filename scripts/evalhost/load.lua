-- load.lua: loads a suite file into this run's own Lua state.

local check = require "evalhost.check"
local digest = require "evalhost.native.digest"
local fiber = require "evalhost.native.fiber"
local fs = require "evalhost.native.fs"
local paths = require "evalhost.paths"
local suite = require "evalhost.suite"

local load_suite = {}

-- Seconds that loading a suite may take.
local LOAD_TIMEOUT = 60

-- How a message names what a suite file returned instead of a suite.
local RETURNED = { ["nil"] = "nothing", integer = "an integer", table = "a plain table" }

-- The line where a key is set in the suite's text ("key =" or ["key"] =), else that of eval.suite.
local function line_of(source, key)
  local number, fallback = 0, 1
  local plain = key and key:gsub("%W", "%%%0")
  for line in (source .. "\n"):gmatch "(.-)\n" do
    number = number + 1
    if plain and (line:find("%f[%w_]" .. plain .. "%f[^%w_]%s*=[^=]")
        or line:find("%[%s*[\"']" .. plain .. "[\"']%s*%]%s*=")) then
      return number
    end
    if line:find "eval%.suite" then
      fallback = number
    end
  end
  return fallback
end

-- A message that says where, whatever went wrong.
local function placed(path, source, err)
  if type(err) == "table" and (err.code == "suite" or err.code == "options") then
    return ("%s:%d: %s"):format(path, line_of(source, err.key), err.message)
  end
  local text = fiber.text(err)
  return text:find(path, 1, true) and text or ("%s: loading the suite raised %s"):format(path, text)
end

--- The folder of a suite becomes the first place that `require` looks in.
---@param path string
function load_suite.enter(path)
  local folder = fs.dirname(fs.absolute(path))
  paths.folder = folder
  package.path = ("%s/?.lua;%s/?/init.lua"):format(folder, folder)
end

--- Loads and validates a suite.
---@param path string
---@return evalhost.Suite|nil
---@return string|nil problem with file:line where there is one
function load_suite.load(path)
  local source, err = fs.read(path)
  if not source then
    if fs.is_regular(path) == false and fs.exists(path) then
      return nil, ("%s is a folder; name the suite file in it"):format(path)
    end
    return nil, ("cannot read the suite: %s"):format(fiber.text(err))
  end
  local chunk, syntax = load(source, "@" .. path, "t")
  if not chunk then
    return nil, source:sub(1, 1) == "\27" and path .. ": this is compiled Lua; name the source file"
      or syntax
  end
  load_suite.enter(path)
  local ok, result = fiber.timeout(LOAD_TIMEOUT, chunk)
  if not ok then
    local where = type(result) == "table" and result.code == "timeout"
      and ("%s: loading the suite did not end within %d s"):format(path, LOAD_TIMEOUT)
    return nil, where or placed(path, source, result),
      type(result) == "table" and result.code == "lua_error" and result.traceback or nil
  end
  if not suite.is(result) then
    return nil, ("%s: the suite file must return eval.suite{...}, it returned %s"):format(path,
      RETURNED[check.type_name(result)] or "a " .. check.type_name(result))
  end
  result.path, result.sha256 = path, digest.sha256(source)
  return result
end

--- One hash of all the Lua that the suite consists of: its file and what it required from its
--- own folder.
---@param loaded evalhost.Suite
---@return string
function load_suite.code_hash(loaded)
  local names, sum = {}, loaded.sha256
  for name in pairs(package.loaded) do
    if type(name) == "string" then
      names[#names + 1] = name
    end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local file = package.searchpath(name, package.path)
    if file then
      sum = digest.sha256(sum .. "|" .. name .. "|" .. (digest.sha256_file(file) or ""))
    end
  end
  return sum
end

return load_suite
