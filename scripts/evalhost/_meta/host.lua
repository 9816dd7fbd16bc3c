---@meta evalhost.native.host

---This process.
---@class evalhost.native.host
---@field version string
local host = {}

---The first signal that came, if any.
---@return "SIGINT"|"SIGTERM"|"SIGHUP"|nil
function host.signal() end

---Waits for it. While nobody waits, a signal ends the process at once; so does a second one.
---@async
function host.wait_signal() end

return host
