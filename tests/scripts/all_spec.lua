-- all_spec.lua: functions side by side.

local all = require "evalhost.all"
local fiber = require "evalhost.native.fiber"
local os_ = require "evalhost.native.os"

describe("eval.all", function()
  it("runs functions side by side and gives their results in order", function()
    local started = os_.mono()
    local results = all { function()
      fiber.sleep(0.06)
      return "slow"
    end, function()
      fiber.sleep(0.05)
      return "quick"
    end, function() return false end }
    expect(results):equals { "slow", "quick", false }
    expect(os_.mono() - started < 0.105):equals(true)
    expect(all {}):equals {}
  end)

  it("raises the first error, at once, and cancels the rest", function()
    local started, ended, closed = os_.mono(), false, 0
    local function slow()
      local _ <close> = setmetatable({}, { __close = function() closed = closed + 1 end })
      fiber.sleep(5)
      ended = true
    end
    expect(function()
      all { slow, function()
        fiber.sleep(0.01)
        error "boom"
      end, slow }
    end):errors "boom"
    expect(os_.mono() - started < 2):equals(true)
    fiber.sleep(0.01)
    expect(ended):equals(false)
    expect(closed):equals(2)
  end)

  it("is bounded", function()
    local now, most, functions = 0, 0, {}
    for i = 1, 100 do
      functions[i] = function()
        now = now + 1
        most = math.max(most, now)
        fiber.sleep(0.001)
        now = now - 1
        return i
      end
    end
    local results = all(functions)
    expect(#results):equals(100)
    expect(results[100]):equals(100)
    expect(most > 1 and most <= 32):equals(true)
  end)

  it("takes callable tables, and any error", function()
    local callable = setmetatable({}, { __call = function() return 7 end })
    expect(all { callable }):equals { 7 }
    expect(function() all { function() error() end } end):errors "error(nil)"
    local _, err = pcall(all, { function() error { code = "mine", message = "m" } end })
    expect(err.code):equals "mine"
  end)

  it("ends with its caller's deadline", function()
    local ended = false
    local ok, err = fiber.timeout(0.05, all, { function()
      fiber.sleep(5)
      ended = true
    end })
    expect(ok):equals(false)
    expect(err.code):equals "timeout"
    expect(ended):equals(false)
  end)

  it("gives each function the same random numbers whatever the others do", function()
    local function draw()
      return math.random(1 << 40)
    end
    local functions = { draw }
    for i = 2, 40 do
      functions[i] = function()
        fiber.sleep(i % 3 / 1000)
        return draw()
      end
    end
    math.randomseed(7)
    local results = all(functions)
    for i = 1, 40 do
      expect(results[i]):equals(results[1])
    end
  end)

  it("wants functions", function()
    expect(function() all { 5 } end):errors "eval.all: element 1 must be a function"
    expect(function() all(print) end):errors "eval.all: expected a list of functions"
  end)
end)
