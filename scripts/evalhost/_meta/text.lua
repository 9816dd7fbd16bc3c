---@meta evalhost.native.text

---Unicode text: compared, measured, split, searched, and made safe to show. Strings are UTF-8;
---each function says what it does with bytes that are not. A result above 1 GiB raises.
---@class evalhost.native.text
local text = {}

---A piece of a text: `s:sub(first, last) == text`.
---@class evalhost.text.piece
---@field text string
---@field first integer 1-based, in bytes
---@field last integer

---@class evalhost.text.error
---@field code "parse"|"invalid_utf8"|"too_large"|"match_limit"|"argument"
---@field message string
---@field offset? integer 0-based, in bytes: in the pattern, or in the text (invalid_utf8)

---@class evalhost.text.regex_options
---@field icase? boolean letters match in either case
---@field match_limit? integer steps of one search; default 1,000,000
---@field depth_limit? integer nested backtracking points; default 250,000
---@field heap_kib? integer memory of one search in KiB; default 32,768

---Full Unicode case folding ("STRASSE" and "straße" become equal). An invalid text is folded byte
---by byte: ASCII letters only, all other bytes kept; so are normalize and trim.
---@param s string
---@return string
function text.fold(s) end

---NFKC, case folding, each run of white space one space, no white space at the ends.
---@param s string
---@return string
function text.normalize(s) end

---Without Unicode white space at the ends.
---@param s string
---@return string
function text.trim(s) end

---Is it UTF-8? If not, also where the first bad byte is.
---@param s string
---@return boolean valid
---@return integer? at 1-based
function text.valid(s) end

---With U+FFFD for each ill-formed sequence.
---@param s string
---@return string
function text.repair(s) end

---Safe to show: without escape sequences, control, bidi and invisible characters, always valid
---UTF-8. Line breaks and tabs become spaces; with keep_newlines, line breaks "\n", and tabs stay.
---@param s string
---@param keep_newlines? boolean
---@return string
function text.clean(s, keep_newlines) end

---Columns on a terminal.
---@param s string
---@return integer
function text.width(s) end

---At most max_columns wide; where something was cut off, the ellipsis ends it (if it fits).
---@param s string
---@param max_columns integer
---@param ellipsis? string default none
---@return string
function text.cut(s, max_columns, ellipsis) end

---The number of code points; an ill-formed sequence counts as one.
---@param s string
---@return integer
function text.length(s) end

---Words: runs of letters and digits with inner apostrophes and hyphens (don't, year-on-year) and
---numbers with their points and commas (3.5, 1,234); each Han character by itself.
---@param s string
---@return string[]
function text.words(s) end

---Sentences, careful with decimals, abbreviations, initials, line breaks and lists.
---@param s string
---@return evalhost.text.piece[]
function text.sentences(s) end

---Compiles a Perl-compatible regular expression (PCRE2, Unicode rules).
---@param pattern string at most 64 KiB
---@param options? evalhost.text.regex_options
---@return evalhost.text.regex? regex
---@return evalhost.text.error? err `parse`, with the offset in the pattern
function text.regex(pattern, options) end

---"Did you mean": the name in the list that is closest to another, compared without case, spaces,
---underscores and hyphens; "Stock Price" is near to get_stock_price.
---@param name string
---@param list string[]
---@return string? candidate nil if none is close
function text.nearest(name, list) end

---@class evalhost.text.regex: userdata
local regex = {}

---The first match at or after init (as in string.find).
---@param s string
---@param init? integer 1-based, in bytes; negative counts from the end
---@return integer? first nil when there is no match, or an error
---@return integer|evalhost.text.error|nil last
---@return string|false ... captures; false for a group that took no part
function regex:find(s, init) end

---Is there a match? nil and an error when a limit was reached (it is then not known) or the text
---is not UTF-8.
---@param s string
---@return boolean? found
---@return evalhost.text.error? err
function regex:test(s) end

return text
