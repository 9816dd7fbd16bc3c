-- init_spec.lua: `require "evalhost"`, the table that suites use.

local eval = require "evalhost"
local os_ = require "evalhost.native.os"
local scratch = require "scratch"

before_each(scratch.open)
after_each(scratch.close)

describe("eval", function()
  it("has what API.md names", function()
    for _, name in ipairs { "suite", "cases", "metric", "unscored", "scored", "path", "sleep",
      "all", "read", "env" } do
      expect(type(eval[name])):equals "function"
    end
    for _, name in ipairs { "columns", "csv", "http", "json", "metrics", "process", "stats",
      "targets", "text" } do
      expect(type(eval[name])):equals "table"
    end
    expect(type(eval.http.get)):equals "function"
    expect(type(eval.http.post)):equals "function"
    expect(eval.judges.faithfulness):truthy()
  end)

  it("names the nearest for what it does not have", function()
    expect(function() return eval.metrcs end):errors "eval.metrcs does not exist; did you mean"
    expect(function() return eval[5] end):errors "eval.5 does not exist"
    local _, err = pcall(function() return eval.caes end)
    expect(err:find "^[^:]*init_spec.lua:%d+: eval.caes does not exist; did you mean cases%?"
      ~= nil):equals(true)
  end)
end)

describe("eval.read", function()
  it("reads relative to the suite's folder, or raises", function()
    scratch.write("a.txt", "text\n")
    expect(eval.read "a.txt"):equals "text\n"
    expect(eval.read(scratch.folder .. "/a.txt")):equals "text\n"
    expect(eval.path "a.txt"):equals(scratch.folder .. "/a.txt")
    expect(function() eval.read "none.txt" end)
      :errors 'init_spec.lua:%d+: eval.read%("none.txt"%): '
  end)
end)

describe("eval.env", function()
  it("takes an empty variable for none", function()
    expect(eval.env "PATH"):equals(os_.env "PATH")
    expect(eval.env("EVALHOST_NO_SUCH_VARIABLE", "default")):equals "default"
    expect(eval.env "EVALHOST_NO_SUCH_VARIABLE"):equals(nil)
  end)
end)

describe("eval.json", function()
  it("loads files, with a byte order mark, too", function()
    scratch.write("a.json", "\xef\xbb\xbf{\"a\": [1, null]}")
    expect(eval.json.load "a.json".a[1]):equals(1)
    expect(eval.json.load "a.json".a[2]):equals(eval.json.null)
    scratch.write("null.json", "null")
    expect(eval.json.load "null.json"):equals(eval.json.null)
    scratch.write("false.json", "false")
    expect(eval.json.load "false.json"):equals(false)
    expect(eval.json.decode "[1]"):equals { 1 }
  end)
  it("says where a file is malformed", function()
    scratch.write("bad.json", "{\n  \"a\": }")
    expect(function() eval.json.load "bad.json" end):errors "bad.json:2:8: "
    expect(function() eval.json.load "none.json" end):errors 'eval.json.load("none.json"): '
  end)
end)
