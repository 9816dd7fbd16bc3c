---@meta evalhost.native.fs

---Files and paths. Outside failures give `nil, err`; wrong arguments raise
---(an empty path, a NUL inside, 4,096 bytes or more).
---@class evalhost.native.fs
local fs = {}

---The bytes of a file; `too_large` beyond max_bytes.
---@param path string
---@param max_bytes? integer at most and by default 2^30
---@return string? text
---@return table? err
function fs.read(path, max_bytes) end

---Replaces a file whole: a reader sees the old text or the new one. Durable
---when it returns. Makes missing parent folders, keeps the mode of a file that
---was there, follows links; what is no plain file (a pipe) is written directly.
---@param path string
---@param text string
---@return true? ok
---@return table? err
function fs.write_atomic(path, text) end

---The same for a text that comes in parts. Without a commit nothing is left.
---@param path string
---@return evalhost.native.fs.writer? writer
---@return table? err
function fs.writer(path) end

---Makes a folder and its parents; fine if it is there.
---@param path string
---@return true? ok
---@return table? err
function fs.mkdir(path) end

---Removes a file (no folder).
---@param path string
---@return true? ok
---@return table? err
function fs.remove(path) end

---@param path string
---@return boolean
function fs.exists(path) end

---@class evalhost.native.fs.stat
---@field type "file"|"folder"|"pipe"|"other"
---@field size integer bytes
---@field mtime integer microseconds since 1970 UTC

---Links are followed.
---@param path string
---@return evalhost.native.fs.stat? stat
---@return table? err
function fs.stat(path) end

---Is it a plain file (so that it can be read twice)?
---@param path string
---@return boolean
function fs.is_regular(path) end

---Makes a path absolute, from base or else the working folder, and works out
---`.`, `..` and `//` on the text; links are not followed.
---@param path string
---@param base? string
---@return string? path
---@return table? err
function fs.absolute(path, base) end

---The folder part; "." if there is none.
---@param path string
---@return string
function fs.dirname(path) end

---The last component.
---@param path string
---@return string
function fs.basename(path) end

---folder/name; an absolute name stays as it is.
---@param folder string
---@param name string
---@return string
function fs.join(folder, name) end

---The names in a folder, sorted by bytes, without "." and "..".
---@param path string
---@return string[]? names
---@return table? err
function fs.list(path) end

---Copies a pipe, or stdin for "-", to a new temporary file, which the caller
---removes. Blocks until the end of the input.
---@param path string
---@return string? path
---@return table? err
function fs.spool(path) end

---A closed writer (after commit or abort) raises.
---@class evalhost.native.fs.writer
local writer = {}

---@param text string
---@return true? ok
---@return table? err
function writer:write(text) end

---Makes the text durable under its name and closes, also when it fails.
---@return true? ok
---@return table? err
function writer:commit() end

---Closes and leaves no trace; harmless when closed. Also on collection and at
---the end of a `<close>` variable.
function writer:abort() end

return fs
