-- Lua 5.4, and no globals of our own.
std = "lua54"
max_line_length = 100
self = false -- a method need not use self
cache = false

-- What `evalhost test` gives to specs.
files["tests/**/*_spec.lua"].read_globals = {
  "describe", "it", "before_each", "after_each", "expect", "skip",
}

-- Stubs for editors: declarations without bodies.
files["scripts/evalhost/_meta/**/*.lua"].ignore = { "211", "212", "241", "311" }

exclude_files = { "**/node_modules/**", "build*/**" }
