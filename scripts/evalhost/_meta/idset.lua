---@meta evalhost.native.idset

---A set of texts that keeps 16 bytes of hash for each.
---@class evalhost.native.idset
local idset = {}

---@class evalhost.native.idset.set
local set = {}

---@return evalhost.native.idset.set
function idset.new() end

---@param text string
---@return boolean new false if it was there already
function set:add(text) end

---@return integer
function set:count() end

---Frees its memory.
function set:close() end

return idset
