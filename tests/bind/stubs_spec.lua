-- stubs_spec.lua: what the native modules bind is what their stubs describe.
-- Compares each loaded module, and each metatable that the modules registered,
-- with scripts/evalhost/_meta. Run from the root of the tree.

local PREFIX = "evalhost.native."

-- What a stub declares: functions and fields of the module, one set of methods for each local that
-- has some, and one of function fields for each other class that has some.
local function read_stub(path, module)
  local stub = { names = {}, methods = {}, callables = {}, undocumented = {} }
  local class, last, variable
  for line in io.lines(path) do
    class = line:match("^%-%-%-@class ([%w_.]+)") or class
    if class == module then
      local field = line:match("^%-%-%-@field ([%w_]+)")
      if field then stub.names[field] = true end
      variable = variable or line:match("^local ([%w_]+) *=")
    elseif class then
      local field = line:match("^%-%-%-@field ([%w_]+) fun%(")
      if field then
        stub.callables[class] = stub.callables[class] or {}
        stub.callables[class][field] = true
      end
    end
    local owner, mark, name = line:match("^function ([%w_]+)([.:])([%w_]+) *%(")
    if not owner then
      owner, name = line:match("^([%w_]+)%.([%w_]+) *=")
      mark = "."
    end
    if name and mark == "." and owner == variable then
      stub.names[name] = true
    elseif name then
      stub.methods[owner] = stub.methods[owner] or {}
      stub.methods[owner][name] = true
    end
    if name and not (last or ""):find("^%-%-%-") then
      stub.undocumented[#stub.undocumented + 1] = name
    end
    last = line
  end
  return stub
end

local function sorted(set)
  local list = {}
  for name in pairs(set) do list[#list + 1] = name end
  table.sort(list)
  return list
end

-- The names of a that b lacks.
local function less(a, b)
  local list = {}
  for _, name in ipairs(sorted(a)) do
    if not b[name] then list[#list + 1] = name end
  end
  return list
end

local function native_modules()
  local names = {}
  for name in pairs(package.preload) do
    if name:sub(1, #PREFIX) == PREFIX then names[name] = true end
  end
  return sorted(names)
end

local function stub_path(module)
  return "scripts/evalhost/_meta/" .. module:sub(#PREFIX + 1) .. ".lua"
end

-- The methods behind a metatable's __index: a table, or a C function that has it as upvalue 1.
local function methods_of(meta)
  local index, methods = meta.__index, {}
  if type(index) == "function" then index = select(2, debug.getupvalue(index, 1)) end
  for key, value in pairs(type(index) == "table" and index or {}) do
    if type(value) == "function" and not key:find("^__") then methods[key] = true end
  end
  return methods
end

-- Methods that scripts can call, of each userdata type of ours.
local function native_types()
  local types = {}
  for name, meta in pairs(debug.getregistry()) do
    if type(name) == "string" and name:find("^evalhost%.") and type(meta) == "table" then
      local methods = methods_of(meta)
      if next(methods) then types[name] = methods end
    end
  end
  return types
end

-- The unused group that differs least from `methods`, and has something in common.
local function nearest(methods, groups)
  local best, least
  for _, group in ipairs(groups) do
    local missing, surplus = #less(methods, group.set), #less(group.set, methods)
    local shared = #sorted(methods) > missing
    if not group.used and shared and (not least or missing + surplus < least) then
      best, least = group, missing + surplus
    end
  end
  return best, least
end

-- Pairs types and groups, those first that fit exactly; calls found for the rest.
local function each_pair(types, groups, found)
  local rest = {}
  for name, methods in pairs(types) do
    local group, distance = nearest(methods, groups)
    if distance == 0 then group.used = true else rest[name] = true end
  end
  for _, name in ipairs(sorted(rest)) do
    local group = nearest(types[name], groups)
    if group then group.used = true end
    found(name, types[name], group)
  end
end

local function same(problems)
  expect(table.concat(problems, "\n")):equals("")
end

describe("stubs", function()
  local modules = native_modules()

  it("find native modules to compare", function()
    expect(#modules > 5):truthy()
  end)

  for _, module in ipairs(modules) do
    it("describe " .. module, function()
      local path = stub_path(module)
      local file <close> = assert(io.open(path))
      expect(file:read()):equals("---@meta " .. module)
      local stub, problems = read_stub(path, module), {}
      local bound = {}
      for name in pairs(require(module)) do bound[name] = true end
      for _, name in ipairs(less(bound, stub.names)) do
        problems[#problems + 1] = ("%s: %s is bound, not described"):format(path, name)
      end
      for _, name in ipairs(less(stub.names, bound)) do
        problems[#problems + 1] = ("%s: %s is described, not bound"):format(path, name)
      end
      for _, name in ipairs(stub.undocumented) do
        problems[#problems + 1] = ("%s: %s has no comment"):format(path, name)
      end
      same(problems)
    end)
  end

  it("describe the methods of every native type", function()
    local groups, problems = {}, {}
    for _, module in ipairs(modules) do
      require(module)
      local stub = read_stub(stub_path(module), module)
      for owner, set in pairs(stub.methods) do
        groups[#groups + 1] = { set = set, name = stub_path(module) .. ": " .. owner }
      end
      for class, set in pairs(stub.callables) do
        groups[#groups + 1] = { set = set, name = class, optional = true }
      end
    end
    each_pair(native_types(), groups, function(name, methods, group)
      if not group then
        problems[#problems + 1] = ("%s: its methods are in no stub"):format(name)
      else
        for _, method in ipairs(less(methods, group.set)) do
          problems[#problems + 1] = ("%s:%s is bound, not described"):format(group.name, method)
        end
        for _, method in ipairs(less(group.set, methods)) do
          problems[#problems + 1] = ("%s:%s is described, not bound"):format(group.name, method)
        end
      end
    end)
    for _, group in ipairs(groups) do
      if not group.used and not group.optional then
        problems[#problems + 1] = group.name .. ": no native type has these methods"
      end
    end
    table.sort(problems)
    same(problems)
  end)
end)
