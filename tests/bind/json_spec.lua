-- json_spec.lua: evalhost.native.json: writing, records, lines.
local json = require "evalhost.native.json"

-- The text that decode(text) gives when written again.
local function rewrite(text, options)
  return assert(json.encode(assert(json.decode(text)), options))
end

local function unwritten(value, options)
  local text, err = json.encode(value, options)
  expect(text):equals(nil)
  return tostring(err.message)
end

describe("json.encode", function()
  it("writes arrays and objects", function()
    expect(json.encode {}):equals("{}")
    expect(json.encode(json.array {})):equals("[]")
    expect(json.encode(json.array())):equals("[]")
    expect(json.encode { 1, "a", false, json.null }):equals('[1,"a",false,null]')
    expect(json.encode { b = 1, a = { c = {} } }):equals('{"a":{"c":{}},"b":1}')
    expect(rewrite '{"b":[],"a":{}}'):equals('{"a":{},"b":[]}')
    expect(json.encode("x")):equals('"x"')
    expect(json.encode(json.null)):equals("null")
  end)

  it("writes short numbers", function()
    expect(json.encode { 1.0, 0.1, 1e300, 2 ^ 53, -0.0, 3, 2500.0 })
      :equals("[1,0.1,1e300,9.007199254740992e15,-0,3,2500]")
    expect(json.encode(math.mininteger)):equals("-9223372036854775808")
  end)

  it("can be read by people and hashed", function()
    expect(json.encode({ a = { 1 }, b = {} }, { pretty = true }))
      :equals('{\n  "a": [\n    1\n  ],\n  "b": {}\n}')
    expect(json.encode({ b = 1, a = 2 }, { canonical = true })):equals('{"a":2,"b":1}')
    expect(json.encode({ "</" }, { html = true })):equals('["<\\/"]')
  end)

  it("names the path of what cannot be written", function()
    expect(unwritten { cases = { {}, {}, { outcome = { answer = print } } } })
      :equals("cases[3].outcome.answer: a function cannot be written as JSON")
    expect(unwritten { a = { 0 / 0 } }):equals("a[1]: NaN cannot be written as JSON; use null")
    expect(unwritten { ["x y"] = math.huge }:sub(1, 7)):equals('["x y"]')
    expect(unwritten(io.stdout)):equals("a userdata cannot be written as JSON")
    expect(unwritten(coroutine.create(print))):equals("a thread cannot be written as JSON")
    expect(unwritten { 1, 2, x = 3 }:find("both names and indexes", 1, true) ~= nil):equals(true)
    expect(unwritten { 1, nil, 3 }:find("holes", 1, true) ~= nil):equals(true)
    expect(unwritten { [0] = 1 }:find("below 1", 1, true) ~= nil):equals(true)
    expect(unwritten { [1.5] = 1 }:find("neither", 1, true) ~= nil):equals(true)
    expect(unwritten(json.array { n = 1 }):find("array with a name", 1, true) ~= nil):equals(true)
  end)

  it("finds cycles, and lets a table occur twice", function()
    local t = { list = {} }
    t.list[1] = { up = t }
    expect(unwritten(t)):equals("list[1].up: a table that contains itself")
    local shared = { 1 }
    expect(json.encode { shared, shared }):equals("[[1],[1]]")
  end)

  it("bounds depth", function()
    local t = {}
    for _ = 1, 5000 do t = { t } end
    expect(unwritten(t):find("nested too deeply", 1, true) ~= nil):equals(true)
    local _, err = json.encode({ { {} } }, { max_depth = 2 })
    expect(err.code):equals("too_deep")
  end)

  it("checks UTF-8, or repairs it", function()
    local _, err = json.encode { a = "x\xff" }
    expect(err.code):equals("invalid_utf8")
    expect(err.message):equals("a: the string is not valid UTF-8")
    expect(json.encode({ a = "x\xffy" }, { repair = true })):equals('{"a":"x\u{FFFD}y"}')
    expect(unwritten { ["\xff"] = 1 }):equals("a key is not valid UTF-8")
    expect(json.encode({ ["\xff"] = 1 }, { repair = true })):equals('{"\u{FFFD}":1}')
  end)

  it("raises for wrong arguments", function()
    expect(function() json.encode() end):errors("value expected")
    expect(function() json.encode(1, { prety = true }) end):errors("unknown option prety")
    expect(function() json.array(1) end):errors("table expected")
  end)

  it("is the inverse of decode", function()
    for _, text in ipairs { "[]", "{}", "null", '[[[]],{"a":{"":[]}}]', '"\\u0000\\u2028"',
      "[9007199254740993,18446744073709551616,0.1,-0,1e-7]" } do
      expect(rewrite(text)):equals(text)
      expect(rewrite(text, { canonical = true })):equals(text)
    end
  end)
end)

describe("json.record", function()
  local record = json.record { "id", "score", "name" }

  it("writes its keys first, in order, and always", function()
    expect(json.encode(record { name = "n", id = 1, extra = true, a = 2 }))
      :equals('{"id":1,"score":null,"name":"n","a":2,"extra":true}')
    expect(json.encode { record {} }):equals('[{"id":null,"score":null,"name":null}]')
  end)

  it("has the same content when sorted", function()
    expect(json.encode(record { id = 1, a = 2 }, { canonical = true }))
      :equals('{"a":2,"id":1,"name":null,"score":null}')
  end)

  it("names the path inside", function()
    expect(unwritten { record { score = 0 / 0 } })
      :equals("[1].score: NaN cannot be written as JSON; use null")
    expect(unwritten { record { 1 } }):equals("[1]: a record with an index as key")
  end)

  it("raises for wrong names", function()
    expect(function() json.record { "a", "a" } end):errors("twice")
    expect(function() json.record { 1 } end):errors("names")
    expect(function() record(1) end):errors("table expected")
  end)
end)

describe("json.lines", function()
  local function file(text)
    local path = os.tmpname()
    local f = assert(io.open(path, "wb"))
    f:write(text)
    f:close()
    return path
  end

  it("gives lines with number and offset", function()
    local path = file '\xEF\xBB\xBF{"a":1}\r\n\n[2]'
    local lines <close> = assert(json.lines(path))
    local text, number, offset = lines:next()
    expect(text):equals('{"a":1}')
    expect(number):equals(1)
    expect(offset):equals(3)
    text, number = lines:next()
    expect(text):equals("[2]")
    expect(number):equals(3)
    expect(select("#", lines:next())):equals(1)
    expect(lines:next()):equals(nil)
    lines:close()
    lines:close()
    expect(function() lines:next() end):errors("closed")
    os.remove(path)
  end)

  it("tells of a missing file", function()
    local lines, err = json.lines "/nonexistent/file.jsonl"
    expect(lines):equals(nil)
    expect(err.code):equals("not_found")
  end)
end)
