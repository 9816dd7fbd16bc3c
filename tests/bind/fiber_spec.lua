-- fiber_spec.lua: the scheduler as scripts see it. (tests/vm/test_fiber.c has its rules.)
local fiber = require "evalhost.native.fiber"

describe("fiber", function()
  it("runs fibers side by side, and joins their results", function()
    local order = {}
    local function after(seconds, name, ...)
      fiber.sleep(seconds)
      order[#order + 1] = name
      return ...
    end
    local slow = fiber.spawn(after, 0.03, "slow", 1, nil, 3)
    local fast = fiber.spawn(after, 0.001, "fast")
    expect(slow:ended()):equals(false)
    expect(table.pack(slow:join())):equals({ true, 1, nil, 3, n = 4 })
    expect(fast:join()):equals(true)
    expect(order):equals({ "fast", "slow" })
    expect(slow:ended()):equals(true)
  end)

  it("keeps an error in its fiber, whatever was raised", function()
    local ok, err = fiber.spawn(error, { code = "odd", message = "as raised" }):join()
    expect(ok):equals(false)
    expect(err.code):equals("odd")
    ok, err = fiber.spawn(function() error("plain") end):join()
    expect(ok):equals(false)
    expect(err.message:find("plain", 1, true) ~= nil):equals(true)
    expect(err.traceback:find("fiber_spec", 1, true) ~= nil):equals(true)
    expect((fiber.spawn(function() error() end):join())):equals(false)
  end)

  it("cancels a wait, and closes what it holds", function()
    local closed = false
    local handle = fiber.spawn(function()
      local _ <close> = setmetatable({}, { __close = function() closed = true end })
      fiber.sleep(60)
    end)
    fiber.sleep(0)
    handle:cancel()
    local ok, err = handle:join()
    expect(ok):equals(false)
    expect(err.code):equals("cancelled")
    expect(closed):equals(true)
  end)

  it("ends work at its deadline, but not a booked wait", function()
    local ok, err = fiber.timeout(0.02, function() fiber.sleep(60) end)
    expect(ok):equals(false)
    expect(err.code):equals("timeout")
    expect(table.pack(fiber.timeout(0.02, function() fiber.wait(0.05) return "done" end)))
      :equals({ true, "done", n = 2 })
    local left
    fiber.timeout(5, function() left = fiber.time_left() end)
    expect(left > 4 and left <= 5):equals(true)
    expect(fiber.timeout(math.huge, fiber.time_left)):equals(true)
  end)

  it("stops a loop that never waits", function()
    local ok, err = fiber.timeout(0.05, function() while true do pcall(string.rep, "x", 10) end end)
    expect(ok):equals(false)
    expect(err.code):equals("timeout")
  end)

  it("gives locals to the fibers that it spawns", function()
    local function nested()
      fiber.locals().colour = "red"
      return select(2, fiber.spawn(function() return fiber.locals().colour end):join())
    end
    expect(select(2, fiber.spawn(nested):join())):equals("red")
  end)

  it("seeds math.random for one fiber", function()
    local function draw()
      fiber.seed(1, 2)
      local first = math.random(1 << 30)
      fiber.sleep(0)
      return first, math.random(1 << 30)
    end
    local a, b = fiber.spawn(draw), fiber.spawn(draw)
    expect(table.pack(a:join())):equals(table.pack(b:join()))
  end)

  it("wakes all who wait for an event", function()
    local event, woken = fiber.event(), 0
    local waiting = {}
    for i = 1, 3 do
      waiting[i] = fiber.spawn(function() event:wait() woken = woken + 1 end)
    end
    fiber.sleep(0)
    expect(woken):equals(0)
    event:wake()
    for _, handle in ipairs(waiting) do handle:join() end
    expect(woken):equals(3)
  end)

  it("makes texts of any value", function()
    expect(fiber.text(nil)):equals("nil")
    expect(fiber.text(12)):equals("12")
    local bad = setmetatable({}, { __tostring = function() error("no") end })
    expect(type(fiber.text(bad))):equals("string")
    bad = setmetatable({}, { __tostring = function() return 7 end })
    expect(type(fiber.text(bad))):equals("string")
  end)

  it("makes errors with a code", function()
    local err = fiber.error("connect", "no route")
    expect(err.code):equals("connect")
    expect(tostring(err)):equals("no route")
  end)

  it("counts the state's memory", function()
    collectgarbage()
    local before = fiber.memory()
    local text = ("x"):rep(8 << 20)
    local now, peak = fiber.memory()
    expect(now - before):near(#text, 4 << 20)
    expect(peak >= now):equals(true)
  end)

  it("refuses wrong arguments", function()
    expect(function() fiber.spawn(1) end):errors("function expected")
    expect(function() fiber.sleep("soon") end):errors("number expected")
    expect(function() fiber.sleep(-1) end):errors("")
    local function waits() fiber.sleep(0) end
    expect(function() table.sort({ 2, 1 }, waits) end):errors("cannot wait here")
  end)
end)
