-- readers_spec.lua: rows of CSV, JSON and JSONL files.

local json = require "evalhost.native.json"
local readers = require "evalhost.readers"
local scratch = require "scratch"

before_each(scratch.open)
after_each(scratch.close)

local function open(name, text, columns)
  return readers.open(scratch.write(name, text), readers.format_of(name), columns)
end

-- All rows and all problems of a file.
local function read(name, text, columns)
  local reader, problem = open(name, text, columns)
  if not reader then
    return nil, { problem }
  end
  local rows, problems = {}, {}
  for _ = 1, 100 do
    local row, second = reader.next()
    if row == nil and second == nil then
      if reader.close then
        reader.close()
      end
      return rows, problems
    elseif row == nil then
      problems[#problems + 1] = second
      if second.fatal then
        return rows, problems
      end
    else
      rows[#rows + 1] = row
    end
  end
  error "the reader does not end"
end

describe("readers.format_of", function()
  it("goes by the ending", function()
    expect(readers.format_of "a/b.csv"):equals "csv"
    expect(readers.format_of "B.JSON"):equals "json"
    expect(readers.format_of "x.jsonl"):equals "jsonl"
    expect(readers.format_of "x.ndjson"):equals "jsonl"
    for _, name in ipairs { "x.txt", "x.csv/data", "noending", "" } do
      expect(readers.format_of(name)):equals(nil)
    end
  end)
end)

describe("a CSV reader", function()
  it("gives rows by column name, with their lines", function()
    local reader = open("a.csv", "id,text\n1,\"two\nlines\"\n2,x\n")
    local row, line = reader.next()
    expect(row):equals { id = "1", text = "two\nlines" }
    expect(line):equals(2)
    row, line = reader.next()
    expect(row):equals { id = "2", text = "x" }
    expect(line):equals(4)
    expect(reader.next()):equals(nil)
    reader.close()
  end)

  it("names missing columns, with the nearest", function()
    local columns = { query = { to = "input", required = true }, note = { to = "metadata.note" } }
    local _, problems = read("a.csv", "qurey,x\n1,2\n", columns)
    expect(problems[1].message):equals(
      "Invalid CSV format: missing column query (the file has: qurey, x)")
    expect(problems[1].hint):equals "is 'qurey' meant to be query? rename it"
    _, problems = read("a.csv", "query;x\n1;2\n", columns)
    expect(problems[1].hint):equals
      "cells are separated by commas, not by ';': save it again as CSV with commas"
    _, problems = read("a.csv", "x,y\n1,2\n",
      { b = { to = "input", required = true }, a = { to = "id", required = true } })
    expect(problems[1].message:find("missing columns a, b", 1, true) ~= nil):equals(true)
  end)

  it("refuses columns without a name, or with the same", function()
    local _, problems = read("a.csv", "a,,b\n1,2,3\n")
    expect(problems[1].message):equals "Invalid CSV format: a column has no name"
    _, problems = read("a.csv", "a,b,a\n1,2,3\n")
    expect(problems[1].message):equals "Invalid CSV format: the column 'a' is there twice"
  end)

  it("goes on after a row that is wrong", function()
    local rows, problems = read("a.csv", "a,b\n1\n2,3\n4,5,6\n7,8\n")
    expect(rows):equals { { a = "2", b = "3" }, { a = "7", b = "8" } }
    expect(#problems):equals(2)
    expect(problems[1].message:find "^Invalid CSV format: " ~= nil):equals(true)
    expect(problems[1].line):equals(2)
    expect(problems[2].line):equals(4)
  end)

  it("has a problem with an empty file and none with a lone header", function()
    local rows, problems = read("a.csv", "")
    expect(rows):equals(nil)
    expect(problems[1].message):equals "Invalid CSV format: the file is empty"
    rows, problems = read("a.csv", "a,b\n")
    expect(rows):equals {}
    expect(problems):equals {}
  end)

  it("says what file is not there", function()
    local reader, problem = readers.open(scratch.folder .. "/none.csv", "csv")
    expect(reader):equals(nil)
    expect(problem.code):equals "not_found"
  end)
end)

describe("a JSONL reader", function()
  it("gives a table for each line", function()
    local rows, problems = read("a.jsonl", '{"a": 1}\n\n[2]\r\n{"a": null}')
    expect(problems):equals {}
    expect(#rows):equals(3)
    expect(rows[1].a):equals(1)
    expect(rows[3].a):equals(json.null)
  end)

  it("names the line of what is wrong, and goes on", function()
    local rows, problems = read("a.jsonl", '{"a": 1}\n{"a": }\n5\nnull\n{"a": 2}\n')
    expect(#rows):equals(2)
    expect(#problems):equals(3)
    expect(problems[1].line):equals(2)
    expect(problems[2].line):equals(3)
    expect(problems[2].message):equals "expected an object, got a number"
    expect(problems[3].message):equals "expected an object, got a null"
  end)

  it("stops at nesting that is too deep", function()
    local _, problems = read("a.jsonl", ("["):rep(70) .. ("]"):rep(70))
    expect(problems[1].code):equals "too_deep"
  end)
end)

describe("a JSON reader", function()
  it("reads an array of cases", function()
    local rows, problems = read("a.json", '[{"a": 1}, {"a": [2]}]')
    expect(problems):equals {}
    expect(rows):equals { { a = 1 }, { a = { 2 } } }
    expect((read("a.json", "[]"))):equals {}
  end)

  it("wants nothing else", function()
    for _, text in ipairs { '{"a": 1}', "5", "null", '"x"' } do
      local _, problems = read("a.json", text)
      expect(problems[1].message):equals "the file must hold a JSON array of cases"
    end
    local _, problems = read("a.json", '[{"a": 1},\n }]')
    expect(problems[1].line):equals(2)
  end)

  it("has a problem with each element that is no object", function()
    local rows, problems = read("a.json", '[1, null, false, "x", {"a": 1}]')
    expect(#rows):equals(1)
    expect(#problems):equals(4)
    expect(problems[2].message):equals "expected an object, got a null"
    expect(problems[3].message):equals "expected an object, got a boolean"
  end)
end)
