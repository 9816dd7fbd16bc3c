-- csv_spec.lua: evalhost.native.csv.
local csv = require "evalhost.native.csv"

-- A file with this text, for the time of a call of f.
local function with_file(text, f)
  local path = os.tmpname()
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  local ok, err = pcall(f, path)
  os.remove(path)
  if not ok then error(err, 0) end
end

-- The rows as one text: cells by |, rows by ;
local function show(rows)
  local lines = {}
  for i, row in ipairs(rows) do lines[i] = table.concat(row, "|") end
  return table.concat(lines, ";")
end

describe("csv.parse", function()
  it("gives all rows", function()
    expect(show(csv.parse "a,b\n1,\"x,\"\"y\"\"\"\n\n3,\n")):equals('a|b;1|x,"y";3|')
    expect(#csv.parse ""):equals(0)
  end)

  it("gives the first problem", function()
    local rows, problem = csv.parse "a,b\n1\n2\n"
    expect(rows):equals(nil)
    expect(problem.code):equals("parse")
    expect(problem.kind):equals("ragged_row")
    expect(problem.row):equals(1)
    expect(problem.line):equals(2)
    expect(problem.column):equals(2)
    expect(problem.offset):equals(5)
    expect(problem.fatal):equals(false)
    expect(tostring(problem)):truthy()
    expect(#problem.hint > 0):equals(true)
  end)

  it("takes options", function()
    expect(show(csv.parse("a,b\n1\n", { ragged = true }))):equals("a|b;1")
    local _, problem = csv.parse("a,b\n1\n", { max_problems = 1 })
    expect(problem.fatal):equals(true)
    _, problem = csv.parse("a,b\n12345", { max_record = 4 })
    expect(problem.kind):equals("too_large")
    expect(function() csv.parse("a", { max_problems = 0 }) end):errors("max_problems")
    expect(function() csv.parse("a", { max_problems = "x" }) end):errors("max_problems")
    expect(function() csv.parse {} end):errors("string")
  end)

  it("has an offset at the very start", function()
    local _, problem = csv.parse "\xFF\xFEa\0"
    expect(problem.kind):equals("utf16")
    expect(problem.offset):equals(0)
    expect(problem.line):equals(1)
  end)
end)

describe("csv.open", function()
  it("streams a file", function()
    with_file("\xEF\xBB\xBFid,text\r\n1,\"a\r\nb\"\r\n\r\n2,c", function(path)
      local reader <close> = assert(csv.open(path))
      expect(show { (reader:header()) }):equals("id|text")
      local row, line, number = reader:next()
      expect(show { row }):equals("1|a\r\nb")
      expect(line):equals(2)
      expect(number):equals(1)
      row, line, number = reader:next()
      expect(show { row }):equals("2|c")
      expect(line):equals(5)
      expect(number):equals(2)
      expect(select("#", reader:next())):equals(1)
      expect(reader:next()):equals(nil)
    end)
  end)

  it("goes on after a problem", function()
    with_file('a,b\n1,"x\n2,"y"\n3\n4,z\n', function(path)
      local reader <close> = assert(csv.open(path))
      local seen = {}
      reader:header()
      while true do
        local row, at = reader:next()
        if not row and not at then break end
        seen[#seen + 1] = row and table.concat(row, "|") or at.kind .. "@" .. at.line
      end
      expect(table.concat(seen, " ")):equals("text_after_quote@3 2|y ragged_row@4 4|z")
    end)
  end)

  it("ends after the last problem that it lists", function()
    with_file("a,b\n" .. ("x\n"):rep(50), function(path)
      local reader <close> = assert(csv.open(path))
      local count, problem = 0, nil
      reader:header()
      repeat
        local _, err = reader:next()
        problem, count = err or problem, count + (err and 1 or 0)
      until not err
      expect(count):equals(20)
      expect(problem.fatal):equals(true)
    end)
  end)

  it("tells what cannot be opened", function()
    local reader, err = csv.open "/nowhere/x.csv"
    expect(reader):equals(nil)
    expect(err.code):equals("not_found")
    reader, err = csv.open "."
    expect(reader):equals(nil)
    expect(err.code):equals("io")
    expect(function() csv.open "a\0b" end):errors("NUL")
  end)

  it("is closed once and for all", function()
    with_file("a\n", function(path)
      local reader = assert(csv.open(path))
      reader:close()
      reader:close()
      expect(function() reader:next() end):errors("closed")
      expect(function() reader:header() end):errors("closed")
    end)
  end)

  it("reads the header once", function()
    with_file("a\nb\n", function(path)
      local reader <close> = assert(csv.open(path))
      reader:next()
      expect(function() reader:header() end):errors("already")
    end)
  end)
end)

describe("csv.encode", function()
  it("quotes where it must", function()
    expect(csv.encode { "a", "b,c", 'd"e', "f\ng" }):equals('a,"b,c","d""e","f\ng"')
    expect(csv.encode { "", 1, 2.5 }):equals(",1,2.5")
    expect(csv.encode {}):equals("")
    expect(csv.encode { "" }):equals('""')
  end)

  it("guards formulas on request", function()
    local row = { "=1+1", "-1", "-x", -5, "@a" }
    expect(csv.encode(row)):equals("=1+1,-1,-x,-5,@a")
    expect(csv.encode(row, { formula_guard = true })):equals("'=1+1,-1,'-x,-5,'@a")
    expect(row[1]):equals("=1+1")
  end)

  it("refuses what is no cell", function()
    expect(function() csv.encode { "a", true } end):errors("cell 2")
    expect(function() csv.encode "a" end):errors("table")
  end)

  it("is read back the same", function()
    local row = { "a\r\nb", ' "x" ', ",", "\t", "é" }
    expect(table.concat(csv.parse(csv.encode(row))[1], "|")):equals(table.concat(row, "|"))
  end)
end)
