-- cjson_spec.lua: lua-cjson beside evalhost.native.json.
local json = require "evalhost.native.json"
local cjson = require "cjson"

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
