---@meta evalhost.native.sse

---Server-sent events, by the rules of the WHATWG.
---@class evalhost.native.sse
local sse = {}

---@class evalhost.native.sse.Event
---@field event string "message" where the stream names none
---@field data string its lines joined by "\n"
---@field id string the last id so far, or ""

---The events of a whole stream. complete is false if it ends inside of an event, which is then
---left out.
---@param text string
---@return evalhost.native.sse.Event[] events
---@return boolean complete
function sse.parse(text) end

return sse
