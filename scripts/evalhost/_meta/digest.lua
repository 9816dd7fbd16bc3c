---@meta evalhost.native.digest

---Identity of texts and files, and seeds made of names.
---@class evalhost.native.digest
local digest = {}

---SHA-256, as 64 lower-case hex digits.
---@param s string
---@return string
function digest.sha256(s) end

---SHA-256 of a file's bytes. Blocks while it reads.
---@param path string
---@return string? hex
---@return table? err
function digest.sha256_file(path) end

---64-bit FNV-1a (for tables, not for identity).
---@param s string
---@return integer
function digest.fnv(s) end

---Two 64-bit integers that depend on every byte of the text, for `math.randomseed(a, b)`.
---@param s string
---@return integer a
---@return integer b
function digest.mix(s) end

return digest
