-- problems_spec.lua: problems of suites and data, as people read them.

local problems = require "evalhost.report.problems"

describe("problems.lines", function()
  it("names file, line, column, row and offset", function()
    expect(problems.lines({ row = 4, line = 5, column = 40, offset = 216, message = "6 cells" },
      "data.csv")):equals { "data.csv:5:40: row 4, offset 216: 6 cells" }
  end)

  it("names a column of the table", function()
    expect(problems.lines({ row = 1, line = 2, column = "expected_args", offset = 1,
      message = "no JSON", hint = "use double quotes" }, "data.csv")):equals {
      "data.csv:2: row 1, column expected_args, offset 1: no JSON", "  hint: use double quotes" }
  end)

  it("does with what there is", function()
    expect(problems.lines({ message = "no such file" }, "data.csv"))
      :equals { "data.csv: no such file" }
    expect(problems.lines { row = 2, message = "bad", hint = "" }):equals { "row 2: bad" }
    expect(problems.lines { line = 3, message = "bad" }):equals { "line:3: bad" }
    expect(problems.lines { message = "bad" }):equals { "bad" }
  end)

  it("shows no control characters of the data", function()
    expect(problems.lines { message = "the id 'a\27[2J\nb' is used twice" })
      :equals { "the id 'a b' is used twice" }
  end)
end)

describe("problems.text", function()
  it("lists all, and says when there may be more", function()
    local list = {}
    for i = 1, 20 do
      list[i] = { row = i, message = "bad" }
    end
    local text = problems.text { message = "the test data has problems", problems = list }
    expect(select(2, text:gsub("\n", "\n"))):equals(22)
    expect(text:match "^[^\n]*"):equals "evalhost: the test data has problems"
    expect(text:find("only the first 20", 1, true)):truthy()
  end)

  it("adds a script's traceback", function()
    expect(problems.text { message = "suite.lua:3: oops", traceback = "stack traceback:\n\t[C]" })
      :equals "evalhost: suite.lua:3: oops\nstack traceback:\n\t[C]\n"
  end)
end)
