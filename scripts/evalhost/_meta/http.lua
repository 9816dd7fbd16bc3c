---@meta evalhost.native.http

---One HTTP client for the program: keep-alive, HTTP/2 over TLS, gzip undone, peers verified (with
---the system's certificates, or those in the file that SSL_CERT_FILE names), proxies by the usual
---environment variables. No redirects, no retries, no limit on how many requests run at once.
---@class evalhost.native.http
local http = {}

---@class evalhost.native.http.Request
---@field url string http or https
---@field method string? GET, or POST where there is a body
---@field headers table<string, string|string[]>?
---@field body string?
---@field timeout number? seconds for all of it; 60
---@field connect_timeout number? seconds until the request can be sent; 10
---@field max_bytes integer? of the decoded body; 8 MiB

---@class evalhost.native.http.Reply
---@field status integer
---@field body string decoded
---@field headers table<string, string> names in lower case; repeated ones joined with ", "
---@field header fun(self, name: string): string? one of them (any case), cheaper than all
---@field elapsed_ms number
---@field first_byte_ms number

---@class evalhost.native.http.Error
---@field code string connect, dns, tls, timeout, too_large, truncated, reset, protocol, busy,
---argument, internal
---@field message string
---@field phase string? of a timeout: connect, first_byte, body
---@field retryable boolean whether it may go well at another time

---One request. Any status is a reply. A reply that is not whole is an error, whatever its status.
---@async
---@param request evalhost.native.http.Request
---@return evalhost.native.http.Reply? reply
---@return evalhost.native.http.Error? err
function http.request(request) end

return http
