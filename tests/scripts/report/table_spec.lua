-- table_spec.lua: aligned columns.

local grid = require "evalhost.report.table"

local function star(text) return "*" .. text .. "*" end

describe("grid.lines", function()
  it("aligns left and right, without spaces at the end", function()
    expect(grid.lines({ { "name", "n" }, { "a", "10" }, { "long one", "" } }, { "l", "r" }))
      :equals { "name       n", "a         10", "long one" }
  end)

  it("measures by columns on the screen, and colors after measuring", function()
    expect(grid.lines { { "東京", "x" }, { { text = "ab", paint = star }, "y" } })
      :equals { "東京  x", "*ab*    y" }
  end)

  it("indents, and is empty without rows", function()
    expect(grid.lines({ { "a", "b" } }, nil, "  ")):equals { "  a  b" }
    expect(grid.lines {}):equals {}
  end)
end)
