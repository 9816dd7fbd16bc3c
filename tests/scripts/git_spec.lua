-- git_spec.lua: the commit as it stands in .git, without git.

local fs = require "evalhost.native.fs"
local git = require "evalhost.git"
local json = require "evalhost.native.json"
local os_ = require "evalhost.native.os"

local HASH = ("0123456789"):rep(4)
local OTHER = ("abcdef0123"):rep(4)

local folder, files

before_each(function()
  folder, files = "/tmp/evalhost-git-" .. os_.random_hex(8), {}
end)

after_each(function()
  for _, path in ipairs(files) do
    fs.remove(path)
  end
end)

local function write(name, text)
  local path = fs.join(folder, name)
  assert(fs.write_atomic(path, text))
  files[#files + 1] = path
end

describe("git.commit", function()
  it("reads a branch", function()
    write("HEAD", "ref: refs/heads/main\n")
    write("refs/heads/main", HASH .. "\n")
    expect(git.commit(folder)):equals(HASH)
  end)

  it("reads a detached HEAD", function()
    write("HEAD", HASH .. "\n")
    expect(git.commit(folder)):equals(HASH)
  end)

  it("reads packed refs, and those of a worktree's repository", function()
    write("HEAD", "ref: refs/heads/main\n")
    write("packed-refs", "# pack-refs with: peeled\n" .. OTHER .. " refs/heads/other\n"
      .. HASH .. " refs/heads/main\n")
    expect(git.commit(folder)):equals(HASH)
    write("worktrees/w/HEAD", "ref: refs/heads/other\n")
    write("worktrees/w/commondir", "../..\n")
    expect(git.commit(folder .. "/worktrees/w")):equals(OTHER)
  end)

  it("has none before the first commit, in a broken folder, and outside of it", function()
    expect(git.commit(folder)):equals(nil)
    write("HEAD", "ref: refs/heads/main\n")
    expect(git.commit(folder)):equals(nil)
    write("HEAD", "ref: ../../../etc/passwd\n")
    expect(git.commit(folder)):equals(nil)
    write("HEAD", "nonsense")
    expect(git.commit(folder)):equals(nil)
  end)
end)

describe("git.start", function()
  it("looks upward, also through a .git file", function()
    write("repo/.git/HEAD", HASH)
    write("repo/deep/er/file", "")
    expect(git.start(folder .. "/repo/deep/er"):known().commit):equals(HASH)
    write("tree/.git", "gitdir: ../repo/.git\n")
    expect(git.start(folder .. "/tree").commit):equals(HASH)
  end)

  it("is nil outside of a repository", function()
    expect(fs.mkdir(folder)):equals(true)
    expect(git.start(folder)):equals(nil)
  end)

  it("knows at once, and learns in the end, or gives up", function()
    write(".git/HEAD", HASH)
    local handle = git.start(folder)
    expect(handle:known()):equals { commit = HASH, dirty = json.null }
    local known = handle:result()
    expect(known.commit):equals(HASH)
    expect(known.dirty == json.null or type(known.dirty) == "boolean"):equals(true)
  end)
end)
