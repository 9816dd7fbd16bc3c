-- report/progress.lua: how far a run is, on one line that fits.

local format = require "evalhost.report.format"
local native = require "evalhost.native.text"

local progress = {}

-- From so many seconds without a result on, the line says that it waits.
local IDLE = 5
local BAR_MOST, BAR_LEAST = 20, 5

---@class evalhost.Progress what the line shows beside the counts
---@field elapsed number seconds since the start
---@field idle number seconds since the last result
---@field prefix string|nil
---@field paint evalhost.Style

-- Seconds left at the rate so far; nil while nothing is known.
local function eta(state, view)
  if state.total and state.done > 0 and state.done < state.total then
    return view.elapsed / state.done * (state.total - state.done)
  end
end

-- The parts of the line, { text, rank, color }: the higher the rank, the sooner it is left out.
local function parts_of(state, view)
  local list = {}
  local function add(rank, color, text, ...)
    list[#list + 1] = { text = text:format(...), rank = rank, color = color }
  end
  if view.prefix then
    add(2, nil, "%s", view.prefix)
  end
  if state.total then
    add(0, nil, "%d/%d", state.done, state.total)
  else
    add(0, nil, "%d done", state.done)
  end
  for _, one in ipairs { { "pass", "green" }, { "fail", "red" }, { "error", "yellow" },
    { "unscored", "yellow" }, { "scored" }, { "cancelled" } } do
    if state[one[1]] > 0 then
      add(1, one[2], "%d %s", state[one[1]], one[1])
    end
  end
  if view.elapsed >= 0.5 and state.done > 0 then
    add(6, nil, "%.1f/s", state.done / view.elapsed)
  end
  local left = eta(state, view)
  if left and view.elapsed >= 1 then
    add(4, nil, "ETA %s", format.clock(left))
  end
  if state.cost > 0 then
    add(5, nil, "%s", format.money(state.cost))
  end
  if state.in_flight > 0 and view.idle >= IDLE then
    add(3, nil, "waiting, %d s idle", view.idle // 1)
  end
  return list
end

local function width_of(list)
  local width = 0
  for i, part in ipairs(list) do
    width = width + native.width(part.text) + (i > 1 and 2 or 0)
  end
  return width
end

-- Leaves the least important parts out until the rest fits; the last ones of equal rank first.
local function fit(list, width)
  while #list > 1 and width_of(list) > width do
    local worst = 1
    for i, part in ipairs(list) do
      if part.rank >= list[worst].rank then
        worst = i
      end
    end
    table.remove(list, worst)
  end
end

local function bar(state, width)
  local filled = math.floor(width * math.min(1, state.done / math.max(1, state.total)))
  return "[" .. ("#"):rep(filled) .. (" "):rep(width - filled) .. "]"
end

--- The progress line, at most so wide; with a bar where there is room for one.
---@param state table the counts of the run
---@param view evalhost.Progress
---@param width integer
---@param with_bar boolean|nil
---@return string
function progress.line(state, view, width, with_bar)
  local list = parts_of(state, view)
  fit(list, width)
  local room = width - width_of(list) - 4 -- brackets and space
  if with_bar and state.total and room >= BAR_LEAST then
    local at = view.prefix and list[1].text == view.prefix and 2 or 1
    table.insert(list, at, { text = bar(state, math.min(room, BAR_MOST)) })
  end
  local texts = {}
  for i, part in ipairs(list) do
    local text = native.cut(part.text, width)
    texts[i] = part.color and view.paint[part.color](text) or text
  end
  return table.concat(texts, "  ")
end

return progress
