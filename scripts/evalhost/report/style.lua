-- report/style.lua: colors, where they are wanted: on a terminal, and nobody asked for none.

local os_ = require "evalhost.native.os"

local style = {}

local CODES = { bold = "1", dim = "2", red = "31", green = "32", yellow = "33" }

local function plain(text)
  return text
end

---@class evalhost.Style
---@field bold fun(text: string): string
---@field dim fun(text: string): string
---@field red fun(text: string): string
---@field green fun(text: string): string
---@field yellow fun(text: string): string

local function painter(code)
  return function(text)
    return text == "" and text or ("\27[%sm%s\27[0m"):format(code, text)
  end
end

--- Functions that color a text, or leave it as it is.
---@param enabled boolean
---@return evalhost.Style
function style.new(enabled)
  local paint = {}
  for name, code in pairs(CODES) do
    paint[name] = enabled and painter(code) or plain
  end
  return paint
end

local function is_set(name)
  local value = os_.env(name)
  return value ~= nil and value ~= ""
end

--- Which of stdout and stderr may be colored.
---@param options { no_color: boolean|nil }
---@return { out: boolean, err: boolean }
function style.colors(options)
  if options.no_color or is_set "NO_COLOR" or is_set "CI" or os_.env "TERM" == "dumb" then
    return { out = false, err = false }
  end
  return { out = os_.isatty(1), err = os_.isatty(2) }
end

local EPSILON = 1e-12

--- The color of a share from 0 to 1: green from 0.7, yellow from 0.4, else red; on the unrounded
--- value.
---@param value number
---@return "green"|"yellow"|"red"
function style.band(value)
  if value >= 0.7 - EPSILON then
    return "green"
  end
  return value >= 0.4 - EPSILON and "yellow" or "red"
end

return style
