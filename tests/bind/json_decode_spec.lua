-- json_decode_spec.lua: JSON text as Lua values, and what is refused.
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
    -- The larger the heap that other specs left, the later the collector comes.
    for round = 1, 5000 do
      if round > 50 and calls > 0 then break end
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

describe("json.valid", function()
  it("says what decode says", function()
    local keys = {}
    for i = 1, 1000 do keys["k" .. i] = i end
    local many = json.encode(keys)
    for _, text in ipairs {
      '{"a": [1, "x", null], "b": {}}', "1", "null", "", "[1,]", '{"a":1 "b"}', "{'a': 1}",
      '{"a": 1, "\\u0061": 2}', '"\xff"', "[1e999]", "[1] x", ("["):rep(600),
      many, many:sub(1, -2) .. ',"k1": 1}',
    } do
      local _, wanted = json.decode(text)
      local valid, err = json.valid(text)
      expect(valid):equals(not wanted and true or nil)
      expect(tostring(err)):equals(tostring(wanted))
      expect(err and err.hint):equals(wanted and wanted.hint)
    end
  end)

  it("raises for what is no text", function()
    expect(function() json.valid() end):errors("string expected")
    expect(function() json.valid(1) end):errors("string expected")
  end)
end)
