---@meta evalhost.native.os

---The process and its clocks, terminal and streams.
---@class evalhost.native.os
local os = {}

---An environment variable; nil if it is not set.
---@param name string
---@return string?
function os.env(name) end

---@param fd integer
---@return boolean
function os.isatty(fd) end

---The width of the terminal at stderr; nil if there is none.
---@return integer?
function os.columns() end

---Microseconds since 1970 UTC; only dates records.
---@return integer
function os.wall() end

---"2026-11-21T08:15:30.123Z" from microseconds since 1970 (years 1 to 9999).
---@param us integer
---@return string
function os.iso(us) end

---Seconds since an arbitrary start; never goes back.
---@return number
function os.mono() end

---Seconds of processor time that the process has used.
---@return number
function os.cpu() end

---Resident memory in KiB; nil if the system does not tell.
---@return integer?
function os.rss() end

---@return integer
function os.pid() end

---@return string
function os.hostname() end

---Writes all of it, past interruptions and full pipes (up to 30 s without a
---reader: `timeout`). `reset` when the reader has gone.
---@param text string
---@return true? ok
---@return table? err
function os.write_out(text) end

---The same to stderr.
---@param text string
---@return true? ok
---@return table? err
function os.write_err(text) end

---Random lower-case hex digits from the kernel.
---@param digits integer 1 to 256
---@return string? hex
---@return table? err
function os.random_hex(digits) end

return os
