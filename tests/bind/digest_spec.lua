-- digest_spec.lua: evalhost.native.digest.
local digest = require "evalhost.native.digest"

local ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

describe("digest", function()
  it("gives SHA-256 of texts", function()
    expect(digest.sha256 "abc"):equals(ABC)
    expect(#digest.sha256 "a\0b"):equals(64)
    expect(digest.sha256 "a\0b" == digest.sha256 "a"):equals(false)
  end)

  it("gives SHA-256 of files", function()
    local path = os.tmpname()
    local file <close> = assert(io.open(path, "w"))
    file:write(("abc"):rep(100000))
    file:flush()
    expect(digest.sha256_file(path)):equals(digest.sha256(("abc"):rep(100000)))
    os.remove(path)
  end)

  it("tells what cannot be read", function()
    local hex, err = digest.sha256_file "/nowhere/x"
    expect(hex):equals(nil)
    expect(err.code):equals("not_found")
    hex, err = digest.sha256_file "."
    expect(hex):equals(nil)
    expect(err.code):equals("io")
    expect(function() digest.sha256_file "a\0b" end):errors("NUL")
  end)

  it("hashes by FNV-1a", function()
    expect(digest.fnv "a"):equals(0xaf63dc4c8601ec8c)
    expect(digest.fnv ""):equals(0xcbf29ce484222325)
  end)

  it("makes seeds of names", function()
    local a, b = digest.mix "abc"
    expect(a):equals(tonumber("0x" .. ABC:sub(1, 16)))
    expect(b):equals(tonumber("0x" .. ABC:sub(17, 32)))
    expect(math.type(a)):equals("integer")
  end)
end)
