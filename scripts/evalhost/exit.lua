-- exit.lua: exit codes (DESIGN section 3).

return {
  passed = 0,   -- finished, every threshold of the deciding level met
  failed = 1,   -- finished, a threshold not met
  usage = 2,    -- bad usage, suite or data: no case was run
  error = 3,    -- more errors or unscored cases than the suite tolerates
  store = 4,    -- results could not be made durable
  internal = 5, -- our own fault
  signals = { SIGHUP = 129, SIGINT = 130, SIGTERM = 143 },
}
