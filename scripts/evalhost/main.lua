-- main.lua: where the host hands over: a command's options in, its exit code out.

local commands = {
  run = "evalhost.run",
  check = "evalhost.command.check",
  init = "evalhost.command.init",
  test = "evalhost.command.test",
  side_by_side = "evalhost.report.side_by_side",
}

-- What a suite prints is a diagnostic: it goes to stderr, above the progress line, and as it may be
-- a model's text, without control characters.
local function printed(...)
  local fiber, term = require "evalhost.native.fiber", require "evalhost.native.term"
  local text = require "evalhost.native.text"
  local parts = table.pack(...)
  for i = 1, parts.n do
    parts[i] = fiber.text(parts[i])
  end
  term.print(text.clean(table.concat(parts, "\t"), true) .. "\n")
end

---@param options table
---@return integer exit code
return function(options)
  _G.print = printed
  return require(commands[options.command]).main(options)
end
