-- host_spec.lua: what scripts can ask of the process.
local host = require "evalhost.native.host"

describe("host", function()
  it("has a version", function()
    expect(host.version:match("^%d+%.%d+%.%d+$") ~= nil):equals(true)
  end)

  it("has had no signal", function()
    expect(host.signal()):equals(nil)
  end)
end)
