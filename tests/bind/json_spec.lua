-- json_spec.lua: evalhost.native.json, and how it agrees with lua-cjson.
local json = require "evalhost.native.json"
local cjson = require "cjson"

-- The text that decode(text) gives when written again.
local function rewrite(text, options)
  return assert(json.encode(assert(json.decode(text)), options))
end

local function refused(text, options)
  local value, err = json.decode(text, options)
  expect(value):equals(nil)
  return err
end

local function unwritten(value, options)
  local text, err = json.encode(value, options)
  expect(text):equals(nil)
  return tostring(err.message)
end

describe("json.decode", function()
  it("gives Lua values", function()
    local v = json.decode [[{"a": [1, 2.5, true, null, "x\u00e9"], "b": {}, "c": []}]]
    expect(math.type(v.a[1])):equals("integer")
    expect(v.a[2]):equals(2.5)
    expect(v.a[3]):equals(true)
    expect(v.a[4] == json.null):equals(true)
    expect(v.a[5]):equals("xé")
    expect(#v.a):equals(5)
    expect(next(v.b)):equals(nil)
    expect(json.is_array(v.c)):equals(true)
    expect(json.is_array(v.b)):equals(false)
    expect(json.is_array(1)):equals(false)
  end)

  it("gives scalars, and null as json.null", function()
    expect(json.decode "null" == json.null):equals(true)
    expect(json.decode "false"):equals(false)
    expect(json.decode ' "" '):equals("")
    expect(json.null == cjson.null):equals(true)
  end)

  it("is exact", function()
    expect(json.decode "9007199254740993"):equals(9007199254740993)
    expect(json.decode "9223372036854775807"):equals(math.maxinteger)
    expect(json.decode "-9223372036854775808"):equals(math.mininteger)
    expect(math.type(json.decode "1.0")):equals("float")
    expect(1 / json.decode "-0"):equals(-math.huge)
  end)

  it("keeps larger integers as their digits", function()
    local big = json.decode "9223372036854775808"
    expect(type(big)):equals("userdata")
    expect(tostring(big)):equals("9223372036854775808")
    expect(big == json.decode "9223372036854775808"):equals(true)
    expect(big == json.decode "9223372036854775809"):equals(false)
    expect(json.encode { big }):equals("[9223372036854775808]")
  end)

  it("tells what is wrong, where, and how to repair it", function()
    local err = refused "{\n  'a': 1}"
    expect(err.code):equals("parse")
    expect(err.line):equals(2)
    expect(err.column):equals(3)
    expect(err.offset):equals(4)
    expect(err.hint:find("double quotes", 1, true) ~= nil):equals(true)
    expect(tostring(err):find("expected a key", 1, true) ~= nil):equals(true)
    expect(refused("[1e999]").code):equals("range")
    expect(refused('"\xff"').code):equals("invalid_utf8")
    expect(refused("[1] x").code):equals("parse")
    expect(refused("").code):equals("parse")
  end)

  it("refuses equal keys unless asked", function()
    local err = refused '{"a": 1, "b": {"a": 1}, "a": null}'
    expect(err.code):equals("exists")
    expect(err.offset):equals(24)
    expect(refused('{"a": null, "a": 1}').code):equals("exists")
    expect(json.decode('{"a": 1, "a": 2}', { duplicates = "last" }).a):equals(2)
  end)

  it("bounds depth and size", function()
    expect(refused(("["):rep(100000)).code):equals("too_deep")
    expect(refused(('{"a":'):rep(100000)).code):equals("too_deep")
    expect(refused(("["):rep(65), { max_depth = 64 }).code):equals("too_deep")
    expect(rewrite(("["):rep(512) .. ("]"):rep(512))):equals(("["):rep(512) .. ("]"):rep(512))
    expect(refused("[1, 2]", { max_bytes = 5 }).code):equals("too_large")
  end)

  it("tolerates a byte order mark when asked", function()
    expect(refused("\xEF\xBB\xBF1").hint):equals("remove the byte order mark")
    expect(json.decode("\xEF\xBB\xBF1", { bom = true })):equals(1)
  end)

  it("raises for wrong arguments", function()
    expect(function() json.decode(nil) end):errors("string expected")
    expect(function() json.decode("1", { depth = 3 }) end):errors("unknown option depth")
    expect(function() json.decode("1", { max_depth = 0 }) end):errors("max_depth")
    expect(function() json.decode("1", { duplicates = "first" }) end):errors("duplicates")
    expect(function() json.decode("1", { bom = 1 }) end):errors("bom")
  end)

  it("may be called by a finalizer while it runs", function()
    local calls = 0
    local function garbage()
      setmetatable({}, { __gc = function()
        calls = calls + 1
        local v = json.decode('{"in\\u006eer \\n\\n":[1,"\\u0061bc"]}')
        assert(v["inner \n\n"][2] == "abc" and json.encode(v))
      end })
    end
    local parts = {}
    for i = 1, 2000 do parts[i] = ('"k\\u0061 %d":"v\\n %d"'):format(i, i) end
    local text = "{" .. table.concat(parts, ",") .. "}"
    for _ = 1, 50 do
      for _ = 1, 20 do garbage() end
      local v = json.decode(text)
      for i = 1, 2000 do assert(v["ka " .. i] == "v\n " .. i) end
    end
    expect(calls > 0):equals(true)
  end)

  it("reads many tables of different sizes", function()
    local parts = {}
    for i = 1, 300 do
      local keys = {}
      for k = 1, i % 90 do
        keys[k] = ('"k%d":[%s]'):format(k, ("%d,"):rep(k % 5):format(1, 2, 3, 4):sub(1, -2))
      end
      parts[i] = "{" .. table.concat(keys, ",") .. "}"
    end
    local text = "[" .. table.concat(parts, ",") .. "]"
    local v = json.decode(text)
    expect(#v):equals(300)
    expect(#v[89].k89):equals(4)
    expect(json.encode(v)):equals(json.encode(json.decode(json.encode(v))))
  end)
end)

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

describe("lua-cjson beside it", function()
  it("agrees where it is exact", function()
    local function same(a, b)
      if type(a) ~= "table" then return a == b end
      for k, v in pairs(a) do
        if not same(v, b[k]) then return false end
      end
      for k in pairs(b) do
        if a[k] == nil then return false end
      end
      return true
    end
    for _, text in ipairs {
      '{"a":[1,2,3],"b":"x\\n\\u00e9\\ud83d\\ude00","c":null}', "[0.5,-1e3,1e-7]",
      "[true,false,[[]]]",
      '{"":{"k":{"k":[{"k":1}]}}}', '["\\"\\\\\\/\\b\\f\\n\\r\\t"]' } do
      expect(same(json.decode(text), cjson.decode(text))):equals(true)
      expect(same(cjson.decode(json.encode(json.decode(text))), cjson.decode(text))):equals(true)
    end
  end)

  it("reads what json writes", function()
    local seed = 7
    for _ = 1, 2000 do
      seed = seed * 6364136223846793005 + 1442695040888963407
      local x = (seed >> 11) * 2.0 ^ -53
      expect(cjson.decode(json.encode { x })[1]):equals(x)
      expect(json.decode(json.encode { x })[1]):equals(x)
    end
  end)

  it("is safe when asked to be", function()
    local value, err = require("cjson.safe").decode "{"
    expect(value):equals(nil)
    expect(type(err)):equals("string")
  end)
end)
