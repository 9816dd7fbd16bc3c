-- csv_spec.lua: eval.csv: files of rows.

local csv = require "evalhost.csv"
local fs = require "evalhost.native.fs"
local scratch = require "scratch"

before_each(scratch.open)
after_each(scratch.close)

describe("csv.read", function()
  it("gives rows by column name, relative to the suite's folder", function()
    scratch.write("a.csv", "x,y\n1,\"a, b\"\n2,\n")
    expect(csv.read "a.csv"):equals { { x = "1", y = "a, b" }, { x = "2", y = "" } }
  end)
  it("gives none of an empty file", function()
    scratch.write("a.csv", "")
    expect(csv.read "a.csv"):equals {}
  end)
  it("raises with file and line", function()
    expect(function() csv.read "none.csv" end):errors 'eval.csv.read("none.csv"): '
    scratch.write("a.csv", "x,y\n1,2\n3\n")
    expect(function() csv.read "a.csv" end):errors "a%.csv:3: "
    scratch.write("b.csv", "x\n\"open\n")
    expect(function() csv.read "b.csv" end):errors "b%.csv:2: "
  end)
end)

describe("csv.write", function()
  it("writes chosen columns in order; tables as JSON", function()
    scratch.expect "out.csv"
    csv.write("out.csv", { { a = 1, b = "x,y" }, { a = { 1, 2 }, c = "no" }, { a = false } },
      { columns = { "b", "a" } })
    expect(fs.read(scratch.folder .. "/out.csv")):equals 'b,a\n"x,y",1\n,"[1,2]"\n,false\n'
    expect(csv.read "out.csv"[1]):equals { a = "1", b = "x,y" }
  end)
  it("needs to know the columns", function()
    expect(function() csv.write("out.csv", {}, {}) end):errors "say columns"
    expect(function() csv.write("out.csv", {}, { column = {} }) end):errors "did you mean columns"
    expect(function() csv.write("out.csv", {}, { columns = "a" }) end):errors "must be a list"
  end)
  it("raises when it cannot write", function()
    scratch.write("file", "")
    expect(function() csv.write("file/out.csv", {}, { columns = { "a" } }) end)
      :errors 'eval.csv.write("file/out.csv"): '
  end)
end)
