-- report/table.lua: aligned columns, by the width of the text on a terminal.

local native = require "evalhost.native.text"

local grid = {}

---@class evalhost.grid.Cell
---@field text string
---@field paint (fun(text: string): string)|nil

local function text_of(cell)
  return type(cell) == "table" and cell.text or cell
end

local function padded(cell, width, right, last)
  local text = text_of(cell)
  local space = (" "):rep(math.max(0, width - native.width(text)))
  if type(cell) == "table" and cell.paint then
    text = cell.paint(text)
  end
  if right then
    return space .. text
  end
  return last and text or text .. space
end

--- Lines of aligned cells, two spaces between columns; a cell is a text or { text, paint }. align
--- has "l" or "r" for each column (default "l").
---@param rows (string|evalhost.grid.Cell)[][]
---@param align string[]|nil
---@param indent string|nil
---@return string[]
function grid.lines(rows, align, indent)
  local widths = {}
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row) do
      widths[i] = math.max(widths[i] or 0, native.width(text_of(cell)))
    end
  end
  local lines = {}
  for n, row in ipairs(rows) do
    local parts = {}
    for i, cell in ipairs(row) do
      parts[i] = padded(cell, widths[i], align and align[i] == "r", i == #row)
    end
    lines[n] = ((indent or "") .. table.concat(parts, "  ")):gsub("%s+$", "")
  end
  return lines
end

return grid
