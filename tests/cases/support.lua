-- support.lua: runs the real binary in a folder of its own, and reads what it left there.

local fs = require "evalhost.native.fs"
local json = require "evalhost.native.json"
local os_ = require "evalhost.native.os"
local process = require "evalhost.native.process"
local store = require "evalhost.native.store"

local support = {}

-- Seconds that one run of the binary may take; a spec has 60.
local TIMEOUT = 45

--- The binary under test: CTest says which; else the one that runs the spec.
support.binary = os_.env "EVALHOST_BIN" and assert(fs.absolute(os_.env "EVALHOST_BIN"))
  or ("/proc/%d/exe"):format(os_.pid())

--- The root of the tree: specs are started there.
support.root = assert(fs.absolute ".")

-- What could make a run depend on who starts it; false takes a variable away.
local ENVIRONMENT = {
  OPENAI_API_KEY = false, OPENAI_BASE_URL = false, OPENAI_MODEL = false, NO_COLOR = false,
  CI = false, TERM = "xterm-256color", http_proxy = false, https_proxy = false,
  HTTP_PROXY = false, HTTPS_PROXY = false, ALL_PROXY = false, all_proxy = false,
}

local folders = {}

--- A new folder that cleanup() removes, with files { NAME = text }.
---@param files table<string, string>|nil
---@return string
function support.folder(files)
  local path = ("%s/evalhost-cases-%s"):format(os_.env "TMPDIR" or "/tmp", os_.random_hex(12))
  assert(fs.mkdir(path))
  folders[#folders + 1] = path
  for name, text in pairs(files or {}) do
    assert(fs.write_atomic(fs.join(path, name), text))
  end
  return path
end

--- For after_each: the folders of the test go.
function support.cleanup()
  for _, path in ipairs(folders) do
    assert(process.run { argv = { "rm", "-rf", path } })
  end
  folders = {}
end

local function environment(changes)
  local env = {}
  for name, value in pairs(ENVIRONMENT) do
    env[name] = value
  end
  for name, value in pairs(changes or {}) do
    env[name] = value
  end
  return env
end

---@class support.Result
---@field code integer|nil
---@field signal string|nil
---@field stdout string
---@field stderr string
---@field folder string
---@field json table|nil the document of out.json
---@field cases table<string, table> its cases by id

-- Any program, in a folder, under the environment of the tests.
local function start(argv, folder, options)
  options = options or {}
  return assert(process.run {
    argv = argv, cwd = folder, env = environment(options.env), stdin = options.stdin,
    timeout = TIMEOUT, max_bytes = 64 << 20,
  })
end

--- Runs evalhost with these arguments in the folder.
---@param folder string
---@param args string[]
---@param options { env: table|nil, stdin: string|nil }|nil
---@return support.Result
function support.evalhost(folder, args, options)
  local result = start({ support.binary, table.unpack(args) }, folder, options)
  result.folder = folder
  return result
end

--- Runs a shell line in the folder; $EVALHOST is the binary.
---@param folder string
---@param line string
---@param options { env: table|nil, stdin: string|nil }|nil
---@return support.Result
function support.shell(folder, line, options)
  local env = { EVALHOST = support.binary }
  for name, value in pairs(options and options.env or {}) do
    env[name] = value
  end
  local result = start({ "/bin/sh", "-c", line }, folder,
    { env = env, stdin = options and options.stdin })
  result.folder = folder
  return result
end

--- Adds `json` and `cases` from a canonical document.
---@param result support.Result
---@param name string|nil default out.json
function support.read_json(result, name)
  result.cases = {}
  local text = fs.read(fs.join(result.folder, name or "out.json"))
  if text then
    result.json = assert(json.decode(text))
    for _, case in ipairs(result.json.cases) do
      result.cases[case.id] = case
    end
  end
  return result
end

--- Runs a suite, given as text, with -o out.json, in a new folder.
---@param suite string
---@param args string[]|nil more arguments
---@param files table<string, string>|nil beside the suite
---@param options { env: table|nil, stdin: string|nil }|nil
---@return support.Result
function support.run(suite, args, files, options)
  local folder = support.folder(files)
  assert(fs.write_atomic(fs.join(folder, "suite.lua"), suite))
  local all = { "suite.lua", "-o", "out.json" }
  table.move(args or {}, 1, #(args or {}), #all + 1, all)
  return support.read_json(support.evalhost(folder, all, options))
end

-- A suite that passes; FIELD = text replaces or adds a field.
local DEFAULTS = {
  name = '"t"',
  cases = '{ { id = "a", input = "one" }, { id = "b", input = "two" } }',
  target = "function(case) return case.input end",
  metrics = "{ ok = function() return 1 end }",
}

--- The text of a suite.
---@param fields table<string, string>|nil
---@param before string|nil Lua in front of it
---@return string
function support.suite(fields, before)
  local all, names = {}, {}
  for name, text in pairs(DEFAULTS) do
    all[name] = text
  end
  for name, text in pairs(fields or {}) do
    all[name] = text
  end
  if all.targets and not (fields and fields.target) then
    all.target = nil
  end
  for name in pairs(all) do
    names[#names + 1] = name
  end
  table.sort(names)
  local lines = { 'local eval = require "evalhost"', before or "", "return eval.suite {" }
  for _, name in ipairs(names) do
    lines[#lines + 1] = ("  %s = %s,"):format(name, all[name])
  end
  return table.concat(lines, "\n") .. "\n}\n"
end

--- The results that a run left in the store: a list of { id, attempt, verdict, score, record }.
---@param folder string
---@param key string|nil default "last"
---@return table[] rows
---@return evalhost.native.store.run
function support.stored(folder, key)
  local handle <close> = assert(store.open(fs.join(folder, ".evalhost/store.db")))
  local run, rows = assert(handle:run(key or "last")), {}
  for index, attempt, id, verdict, score, _, record in run:results() do
    rows[#rows + 1] = { index = index, attempt = attempt, id = id, verdict = verdict,
      score = score, record = json.decode(record) }
  end
  return rows, run
end

local VOLATILE = {
  run = { "id", "started_at", "finished_at", "duration_ms", "git", "version" },
  case = { "timings" }, outcome = { "latency_ms" },
}

local function without(value, names)
  for _, name in ipairs(names) do
    if type(value) == "table" then
      value[name] = nil
    end
  end
end

--- The stable form of a document (API section 6) as text: what must not depend on time and order.
---@param document table
---@return string
function support.stable(document)
  without(document.run, VOLATILE.run)
  without(document.summary, { "latency_ms" })
  for _, case in ipairs(document.cases) do
    without(case, VOLATILE.case)
    without(case.outcome, VOLATILE.outcome)
    for _, attempt in ipairs(case.attempts) do
      without(attempt, VOLATILE.case)
      without(attempt.outcome, VOLATILE.outcome)
    end
  end
  return assert(json.encode(document, { canonical = true }))
end

--- How often a plain text occurs.
---@param text string
---@param part string
---@return integer
function support.count(text, part)
  local count, at = 0, 1
  while true do
    local first, last = text:find(part, at, true)
    if not first then
      return count
    end
    count, at = count + 1, last + 1
  end
end

return support
