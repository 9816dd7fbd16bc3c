-- git.lua: which commit of the working folder's repository a run belongs to. The commit is read
-- from .git; whether files were changed is asked of git, beside the run.

local fiber = require "evalhost.native.fiber"
local fs = require "evalhost.native.fs"
local json = require "evalhost.native.json"
local process = require "evalhost.native.process"

local git = {}

-- Seconds that git may take, and that a run which has ended waits for it.
local STATUS_TIMEOUT = 2
local PATIENCE = 0.1

-- The .git folder upward from a folder; in a worktree or submodule, .git is a file that names it.
local function find(folder)
  while true do
    local path = fs.join(folder, ".git")
    local stat = fs.stat(path)
    if stat and stat.type == "folder" then
      return path
    elseif stat then
      local named = (fs.read(path, 4096) or ""):match "^gitdir: ([^\n]+)"
      return named and fs.absolute(named, folder) or nil
    end
    local parent = fs.dirname(folder)
    if parent == folder then
      return nil
    end
    folder = parent
  end
end

local function first_line(path)
  local text = fs.is_regular(path) and fs.read(path, 1 << 20)
  return text and text:match "^%s*([^\n]*)" or nil
end

local function is_hash(text)
  return text ~= nil and #text >= 40 and text:find "^%x+$" ~= nil
end

local function packed(folder, ref)
  local path = fs.join(folder, "packed-refs")
  local text = fs.is_regular(path) and fs.read(path, 64 << 20)
  for line in (text or ""):gmatch "[^\n]+" do
    local hash, name = line:match "^(%x+) (.+)$"
    if name == ref then
      return hash
    end
  end
end

--- The commit that HEAD of a .git folder names, without starting git.
---@param folder string
---@return string|nil hash
function git.commit(folder)
  local head = first_line(fs.join(folder, "HEAD"))
  if is_hash(head) then
    return head
  end
  local ref = head and head:match "^ref: (.+)$"
  if not ref or ref:find("..", 1, true) then
    return nil
  end
  local common = first_line(fs.join(folder, "commondir"))
  common = common and fs.absolute(common, folder) or folder
  local hash = first_line(fs.join(folder, ref)) or first_line(fs.join(common, ref))
  if is_hash(hash) then
    return hash
  end
  return packed(common, ref)
end

local function is_dirty()
  local result = process.run {
    argv = { "git", "--no-optional-locks", "status", "--porcelain", "--untracked-files=no" },
    timeout = STATUS_TIMEOUT, max_bytes = 16 << 20,
  }
  if result and result.code == 0 then
    return result.stdout ~= ""
  end
end

---@class evalhost.Git
---@field commit string
local Git = {}
Git.__index = Git

--- Waits, not long, for git's answer, and gives what is known then.
---@async
---@return { commit: string, dirty: boolean|lightuserdata }
function Git:result()
  if self.asked then
    fiber.timeout(PATIENCE, self.asked.join, self.asked)
    self.asked:cancel()
    self.asked = nil
  end
  return self:known()
end

--- What is known: dirty is null as long as git has not answered.
---@return { commit: string, dirty: boolean|lightuserdata }
function Git:known()
  local dirty = self.dirty
  if dirty == nil then
    dirty = json.null
  end
  return { commit = self.commit, dirty = dirty }
end

--- Looks the commit up and starts to ask whether it is what lies in the folder. nil where there is
--- no repository, or no commit yet.
---@param folder string|nil where to look first; default: the working folder
---@return evalhost.Git|nil
function git.start(folder)
  local found = find(folder or fs.absolute ".")
  local commit = found and git.commit(found)
  if not commit then
    return nil
  end
  local self = setmetatable({ commit = commit }, Git)
  self.asked = fiber.spawn(function() self.dirty = is_dirty() end)
  return self
end

return git
