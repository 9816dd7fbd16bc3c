---@meta evalhost.native.csv

---CSV (RFC 4180, UTF-8), read strictly and in bounded memory, and written. Accepted: a byte order
---mark, LF, CRLF and CR, line breaks and doubled quotes in quoted cells, no final line break. Blank
---lines are skipped. Reading blocks.
---@class evalhost.native.csv
local csv = {}

---@alias evalhost.csv.kind
---| "unterminated_quote" # a quoted cell is never closed
---| "text_after_quote" # "a"b
---| "ragged_row" # not as many cells as the first row
---| "nul"
---| "encoding" # not valid UTF-8, such as Latin-1
---| "utf16"
---| "too_large"
---| "io"

---What is wrong in a CSV text.
---@class evalhost.csv.problem
---@field code "parse"|"invalid_utf8"|"too_large"|"io"
---@field kind evalhost.csv.kind
---@field message string
---@field row integer 0 for the header, then 1, 2, ...
---@field line integer physical line, 1-based (0 for io)
---@field column integer 1-based, in characters
---@field offset integer 0-based, in bytes
---@field hint string how to repair it; may be empty
---@field fatal boolean nothing follows

---@class evalhost.csv.options
---@field max_problems? integer the last one of so many is fatal; default 20, at most 1,000
---@field max_record? integer bytes of one record; default and at most 64 MiB
---@field ragged? boolean rows may have any number of cells; else as many as the first

---@class evalhost.csv.encode_options
---@field formula_guard? boolean puts ' before a cell that a spreadsheet could take for a formula
---(it starts with = + - @ TAB or CR); plain numbers stay

---Opens a file.
---@param path string
---@param options? evalhost.csv.options
---@return evalhost.csv.reader? reader
---@return table? err not_found, permission, io
function csv.open(path, options) end

---All rows of a text, the first one too; or its first problem.
---@param text string
---@param options? evalhost.csv.options
---@return string[][]? rows
---@return evalhost.csv.problem? problem
function csv.parse(text, options) end

---One line, without a line end. Cells are quoted where they must be.
---@param row (string|number)[]
---@param options? evalhost.csv.encode_options
---@return string
function csv.encode(row, options) end

---@class evalhost.csv.reader: userdata
local reader = {}

---The first row; once, before next. Results as those of next.
---@return string[]? cells nil at the end of an empty file, or a problem
---@return integer|evalhost.csv.problem|nil line
---@return integer? row 0
function reader:header() end

---The next row, with the physical line where it starts and its number; nil at the end; nil and a
---problem: one may then go on, unless problem.fatal.
---@return string[]? cells
---@return integer|evalhost.csv.problem|nil line
---@return integer? row 1 for the first row after the header
function reader:next() end

---Closes the file; closing twice is harmless. Also on `<close>` and garbage collection.
function reader:close() end

return csv
