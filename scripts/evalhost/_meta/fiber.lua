---@meta evalhost.native.fiber

---The scheduler. A fiber is a coroutine of the host's; its waits look synchronous.
---@class evalhost.native.fiber
local fiber = {}

---@class evalhost.native.fiber.handle
local handle = {}

---Starts a fiber. It has what is left of the current fiber's time, and shares its locals.
---@param fn fun(...): ...
---@param ... any arguments
---@return evalhost.native.fiber.handle
function fiber.spawn(fn, ...) end

---Waits for the end of the fiber.
---@async
---@return boolean ok
---@return any ... results, or the error { code, message, traceback }
function handle:join() end

---Asks the fiber to stop: its wait raises `cancelled`; half a second later it is forced.
function handle:cancel() end

---@return boolean
function handle:ended() end

---Waits; the time counts as active work. 0 gives other fibers and the loop a turn.
---@async
---@param seconds number
function fiber.sleep(seconds) end

---Waits; deadlines stand still meanwhile (backoff, rate limits).
---@async
---@param seconds number
function fiber.wait(seconds) end

---A protected call with a deadline for its active work.
---@async
---@param seconds number math.huge: no deadline
---@param fn fun(...): ...
---@param ... any arguments
---@return boolean ok
---@return any ... results, or the error { code, message, traceback, phase }; code "timeout"
function fiber.timeout(seconds, fn, ...) end

---Seconds of active work left before the innermost deadline; math.huge without one.
---@return number
function fiber.time_left() end

---Seeds math.random of the current fiber.
---@param a integer
---@param b integer
function fiber.seed(a, b) end

---Says what the current fiber works on: the watchdog's last words name it when a script is stuck
---inside of a library function, which nothing can stop.
---@param name string
function fiber.name(name) end

---A table that belongs to the current fiber and to those it spawns.
---@return table
function fiber.locals() end

---@class evalhost.native.fiber.event
local event = {}

---@return evalhost.native.fiber.event
function fiber.event() end

---Waits for the next wake.
---@async
function event:wait() end

---Wakes all who wait.
function event:wake() end

---A text for any value; a __tostring that throws does no harm.
---@param value any
---@return string
function fiber.text(value) end

---An error { code, message } with a __tostring.
---@param code string
---@param message string
---@return table
function fiber.error(code, message) end

---Waits (booked) for a place among the cases in flight of this process.
---@async
function fiber.admit() end

---Gives the place to the next; follow with `left` when the case has ended.
function fiber.release() end

---The case that released its place has ended.
function fiber.left() end

---How many places there are.
---@param limit integer
function fiber.admit_at_most(limit) end

---The current fiber has dealt with its cancellation, and cannot be cancelled from now on.
function fiber.settle() end


---Bytes that this Lua state holds, and held at most.
---@return integer now
---@return integer peak
function fiber.memory() end

return fiber
