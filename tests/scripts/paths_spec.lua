-- paths_spec.lua: relative to the suite's folder.

local paths = require "evalhost.paths"
local scratch = require "scratch"

before_each(scratch.open)
after_each(scratch.close)

describe("paths.resolve", function()
  it("puts relative paths below the suite's folder", function()
    expect(paths.resolve "data/x.csv"):equals(scratch.folder .. "/data/x.csv")
    expect(paths.resolve "../x"):equals(scratch.folder .. "/../x")
  end)
  it("leaves absolute ones as they are", function()
    expect(paths.resolve "/a/b"):equals "/a/b"
  end)
end)
