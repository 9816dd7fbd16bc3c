---@meta evalhost.native.process

---Other programs: no shell, bytes in and bytes out.
---@class evalhost.native.process
local process = {}

---@class evalhost.native.process.Options
---@field argv string[] the program (searched in PATH unless it has a slash) and its arguments
---@field stdin string? its input; none by default
---@field env table<string, string|false>? changes to our environment; false takes a variable away
---@field cwd string? its working folder
---@field timeout number? seconds; 60. Then TERM to its process group, and KILL 2 s later
---@field max_bytes integer? of its stdout; 8 MiB

---@class evalhost.native.process.Result
---@field code integer? its exit status; nil if a signal ended it
---@field signal string? "SIGKILL"
---@field stdout string
---@field stderr string its last 64 KiB

---Runs a program to its end: it has exited and closed its output. What it leaves running in its
---process group is killed.
---@async
---@param options evalhost.native.process.Options
---@return evalhost.native.process.Result? result whatever the exit status
---@return table? err codes: not_found, permission, busy, timeout, too_large; has `stderr` once run
function process.run(options) end

return process
