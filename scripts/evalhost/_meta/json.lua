---@meta evalhost.native.json

---The engine's JSON codec: strict (RFC 8259), exact (64-bit integers stay integers, larger ones
---keep their digits), with empty arrays that stay arrays. In Lua
--- - null is `json.null` (the same value as `cjson.null`);
--- - an array is a table marked by `json.array` (those that decode gives are marked), or any other
---   table with the keys 1..n, n > 0; the empty table without a mark is an object;
--- - an object is a table whose keys are all strings.
---@class evalhost.native.json
---@field null lightuserdata
local json = {}

---An integer beyond 64 bits. `tostring` gives its digits, `==` compares them, encode writes them.
---@class evalhost.json.big: userdata

---@alias evalhost.json.value nil|boolean|number|string|table|lightuserdata|evalhost.json.big

---What decode and the line reader say about a text that they cannot read.
---@class evalhost.json.error
---@field code string "parse", "exists" (equal keys), "range", "invalid_utf8", "too_deep",
---"too_large"; for files also "not_found", "permission", "io"
---@field message string
---@field line? integer 1-based
---@field column? integer 1-based, in characters
---@field offset? integer 0-based, in bytes
---@field hint? string how to repair the text

---@class evalhost.json.decode_options
---@field max_depth? integer nesting allowed, 1 to 1024; default 512
---@field max_bytes? integer default 1 GiB
---@field duplicates? "reject"|"last" what equal keys in an object mean; default "reject"
---@field bom? boolean skip a leading byte order mark; default false

---@class evalhost.json.encode_options
---@field pretty? boolean two spaces of indent, one member a line
---@field canonical? boolean keys sorted by bytes also in records, for hashing; pretty is ignored
---@field html? boolean writes "</" as "<\/", to stand inside a script element
---@field repair? boolean invalid UTF-8 becomes U+FFFD instead of an error
---@field max_depth? integer nesting allowed, 1 to 1024; default 512

---Reads one JSON value. The text "null" gives `json.null`, never nil. "-0" is the float -0.0.
---@param text string
---@param options? evalhost.json.decode_options
---@return evalhost.json.value value nil when it failed
---@return evalhost.json.error? err
function json.decode(text, options) end

---Is the text one JSON value, as decode without options reads it? Builds no Lua values.
---@param text string
---@return true? valid nil when it is not
---@return evalhost.json.error? err
function json.valid(text) end

---Writes a value. Keys are sorted, but a record's own keys come first, in their order. Floats with
---an integral value below 2^53 are written without fraction (2500.0 as 2500). Tables are read raw.
---What JSON cannot say (functions, NaN, cycles, holes, names and indexes in one table, invalid
---UTF-8) is an error whose message begins with its path: `cases[3].outcome.answer: ...`.
---@param value any
---@param options? evalhost.json.encode_options
---@return string? text
---@return evalhost.json.error? err
function json.encode(value, options) end

---Marks a table as an array and returns it; without a table, a new one.
---@generic T: table
---@param t? T
---@return T
function json.array(t) end

---Is it a table that is marked as an array?
---@param value any
---@return boolean
function json.is_array(value) end

---Makes a marker for objects with known keys: `local R = json.record { "id", "score" }`, then
---`R(t)` gives t a metatable so that encode writes all these keys first, in this order, absent ones
---as null, then t's other keys, sorted. With `canonical` the content is the same, all sorted.
---@param keys string[]
---@return fun(t: table): table
function json.record(keys) end

---Opens a text file to read line by line (JSONL), in bounded memory. A byte order mark, blank lines
---and the CR of CRLF are skipped; a line of more than 64 MiB is an error ("too_large").
---@param path string
---@return evalhost.json.lines? lines
---@return evalhost.json.error? err
function json.lines(path) end

---@class evalhost.json.lines: userdata
local lines = {}

---The next line that is not blank; nil alone at the end.
---@return string? text
---@return integer|evalhost.json.error? number 1-based number of the physical line, or the error
---@return integer? offset of its first byte in the file
function lines:next() end

---Closes the file. It may be called again; so may the end of a `<close>` variable.
function lines:close() end

return json
