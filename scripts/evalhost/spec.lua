-- spec.lua: specs: a file becomes a tree of blocks and tests, which are then run in order. Each
-- has an environment and modules of its own, so that no file sees what another one did.

local expect = require "evalhost.spec.expect"
local fiber = require "evalhost.native.fiber"
local fs = require "evalhost.native.fs"

local spec = {}

-- Seconds that one test, with its hooks, may take; so for loading a file.
local TIMEOUT = 60

---@class evalhost.spec.Test
---@field name string full, with the names of the blocks around it
---@field fn function
---@field block table
---@field place string file:line

---@class evalhost.spec.Report
---@field file string
---@field name string
---@field status "passed"|"failed"|"skipped"
---@field message string|nil
---@field place string|nil file:line
---@field traceback string|nil

local function caller(level)
  local info = debug.getinfo(level + 1, "Sl")
  return ("%s:%d"):format(info.short_src, info.currentline)
end

local function check_block(what, name, fn)
  if type(name) ~= "string" or type(fn) ~= "function" then
    error(("%s(name, function) expected"):format(what), 3)
  end
end

local function full_name(block, name)
  return block.name and block.name .. " " .. name or name
end

-- Skips the rest of the test, the block or the file that says it.
local function skip(reason)
  error(fiber.error("skip", reason and fiber.text(reason) or "no reason given"), 0)
end

-- The words of a spec, bound to one file's tree.
local function words(tree)
  local at = tree.root
  local function describe(name, fn)
    check_block("describe", name, fn)
    local outer, place = at, caller(2)
    at = { name = full_name(outer, name), outer = outer, before = {}, after = {} }
    local ok, err = fiber.timeout(TIMEOUT, fn)
    if not ok then
      tree.tests[#tree.tests + 1] = { name = at.name, block = outer, place = place, broken = err }
    end
    at = outer
  end
  local function it(name, fn)
    check_block("it", name, fn)
    tree.tests[#tree.tests + 1] = { name = full_name(at, name), fn = fn, block = at,
      place = caller(2) }
  end
  return {
    describe = describe, it = it, expect = expect, skip = skip,
    before_each = function(fn) at.before[#at.before + 1] = fn end,
    after_each = function(fn) at.after[#at.after + 1] = fn end,
  }
end

local function run_before(block)
  if block then
    run_before(block.outer)
    for _, fn in ipairs(block.before) do
      fn()
    end
  end
end

-- Every hook runs, whatever the others did; the first failure counts.
local function run_after(block)
  local first
  while block do
    for i = #block.after, 1, -1 do
      local ok, err = fiber.timeout(TIMEOUT, block.after[i])
      first = first or not ok and err or nil
    end
    block = block.outer
  end
  return first
end

local function report_of(test, err)
  if not err then
    return { name = test.name, status = "passed", place = test.place }
  elseif err.code == "skip" then
    return { name = test.name, status = "skipped", message = err.message, place = test.place }
  end
  return {
    name = test.name, status = "failed", message = fiber.text(err),
    place = err.place or test.place,
    traceback = err.code ~= "expect" and err.traceback or nil,
  }
end

local function run_test(test)
  if test.broken then
    return report_of(test, test.broken)
  end
  local ok, err = fiber.timeout(TIMEOUT, function()
    run_before(test.block)
    test.fn()
  end)
  local after = run_after(test.block)
  return report_of(test, not ok and err or after)
end

-- Modules and paths as they were, so that the next file starts anew. Native modules are all there
-- from the start: they keep their identity, and a fake put in the place of one goes again.
local function snapshot()
  for name in pairs(package.preload) do
    if name:find("^evalhost%.native%.") then
      require(name)
    end
  end
  local loaded, path = {}, package.path
  for name, value in pairs(package.loaded) do
    loaded[name] = value
  end
  return function()
    for name in pairs(package.loaded) do
      if loaded[name] == nil then
        package.loaded[name] = nil
      end
    end
    for name, value in pairs(loaded) do
      package.loaded[name] = value
    end
    package.path = path
  end
end

local function enter(path)
  local folder = fs.dirname(fs.absolute(path))
  package.path = ("%s/?.lua;%s/?/init.lua"):format(folder, folder)
  require("evalhost.paths").folder = folder
end

local function load_file(path, tree)
  local source, err = fs.read(path)
  if not source then
    return nil, err
  end
  local env = setmetatable(words(tree), { __index = _G })
  env._G = env
  local chunk, syntax = load(source, "@" .. path, "t", env)
  if not chunk then
    return nil, fiber.error("syntax", syntax)
  end
  enter(path)
  local ok, failure = fiber.timeout(TIMEOUT, chunk)
  return ok or nil, failure
end

--- Runs one spec file. visit is called with the report of every test, as it ends.
---@async
---@param path string
---@param visit fun(report: evalhost.spec.Report)
function spec.run(path, visit)
  local restore <close> = setmetatable({}, { __close = snapshot() })
  local tree = { root = { before = {}, after = {} }, tests = {} }
  local ok, err = load_file(path, tree)
  if not ok then
    tree.tests = { { name = "loading " .. path, place = path, block = tree.root, broken = err } }
  end
  for _, test in ipairs(tree.tests) do
    local report = run_test(test)
    report.file = path
    visit(report)
  end
  return restore
end

local function add_folder(path, list)
  local names, err = fs.list(path)
  if not names then
    return nil, err
  end
  for _, name in ipairs(names) do
    local full = fs.join(path, name)
    local stat = fs.stat(full)
    if stat and stat.type == "folder" and name:sub(1, 1) ~= "." and name ~= "node_modules" then
      add_folder(full, list)
    elseif stat and stat.type == "file" and name:find "_spec%.lua$" then
      list[#list + 1] = full
    end
  end
  return true
end

--- The spec files of paths: a file is taken as it is, a folder searched for *_spec.lua.
---@param paths string[]
---@return string[]|nil files in sorted order below each path
---@return string|nil problem
function spec.find(paths)
  local list = {}
  for _, path in ipairs(paths) do
    local stat, err = fs.stat(path)
    if not stat then
      return nil, ("%s: %s"):format(path, fiber.text(err))
    elseif stat.type ~= "folder" then
      list[#list + 1] = path
    else
      local ok, problem = add_folder(path, list)
      if not ok then
        return nil, ("%s: %s"):format(path, fiber.text(problem))
      end
    end
  end
  return list
end

return spec
