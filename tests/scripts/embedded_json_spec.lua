-- embedded_json_spec.lua: JSON found inside of texts.
local embedded = require "evalhost.embedded_json"

local function values(text, most)
  local list = {}
  for i, found in ipairs(embedded.find(text, most or 10)) do
    list[i] = found.value
  end
  return list
end

describe("embedded.find", function()
  it("finds outermost objects and arrays", function()
    expect(values 'say {"a": {"b": [1]}} and [2] end'):equals { { a = { b = { 1 } } }, { 2 } }
    expect(values "none, not even {this} or [that one"):equals {}
    expect(values ""):equals {}
  end)

  it("is not misled by brackets inside of strings", function()
    expect(values [[x {"a": "} \" ]"} y]]):equals { { a = '} " ]' } }
    expect(values [[{"a": "never closed]]):equals {}
    expect(values [[{"a": "\]]):equals {}
  end)

  it("goes on behind brackets that are no JSON", function()
    expect(values "{no} [1] (]} {\"a\":1}"):equals { { 1 }, { a = 1 } }
    expect(values '{oops {"a":1} }'):equals { { a = 1 } }
  end)

  it("takes equal keys, gives places, stops in time", function()
    local found = embedded.find('ab{"a":1,"a":2}', 1)
    expect(found[1].value):equals { a = 2 }
    expect({ found[1].first, found[1].last }):equals { 3, 15 }
    expect(#values("[1][2][3]", 2)):equals(2)
    expect(values(("["):rep(100000))):equals {}
    expect(values(('{"'):rep(250) .. ("\\\\"):rep(400000))):equals {} -- in time, too
  end)
end)
