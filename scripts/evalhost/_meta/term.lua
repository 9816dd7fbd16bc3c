---@meta evalhost.native.term

---The terminal behind stderr: live lines at the bottom, text above them.
---@class evalhost.native.term
local term = {}

---Can lines be redrawn?
---@return boolean
function term.live() end

---Sets a live line; nil removes it. Without a terminal nothing happens.
---@param slot integer 1 to 16
---@param text string|nil
function term.status(slot, text) end

---Writes to stderr, above the live lines.
---@param text string
function term.print(text) end

return term
