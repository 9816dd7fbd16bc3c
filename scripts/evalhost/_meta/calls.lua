---@meta evalhost.native.calls

---The calls that a case expects against the calls that were made. Each metric gives value, reason
---and detail; or nil and a code when it is unscored: `no_expected_tools` (expected is nil or null),
---`too_large` (too many calls for pairing "best"), `match_limit` (a pattern took too many steps).
---Wrong usage raises.
---@class evalhost.native.calls
local calls = {}

---A call, or only its name. Arguments are a table, or JSON text as models write it. nil: none.
---@alias evalhost.native.calls.call string|{ name: string, arguments: table|string|nil }

---@class evalhost.native.calls.names
---@field missing string[]? expected names that were not called
---@field extra string[]? names called beyond the expected ones

---@class evalhost.native.calls.match
---@field name string the expected call's
---@field value number share of its expected fields that match
---@field fields integer expected fields that count
---@field matched integer those that match entirely
---@field actual integer? index of the call it was paired with
---@field missing string[]? paths of fields
---@field wrong string[]?
---@field extra string[]? with extra = "forbidden"
---@field flags ("args_unparseable"|"args_double_encoded"|"coerced")[]?

---@class evalhost.native.calls.matches
---@field calls evalhost.native.calls.match[]? one per expected call
---@field flags string[]? all flags of the calls

---How a field is compared; case, tolerance, relative, arrays, coerce and extra hold for the fields
---below it too. Numbers match when abs(a - b) <= max(tolerance, relative * max(abs a, abs b)), both
---1e-9; two integers compare exactly unless one of them is set.
---@class evalhost.native.calls.field_options
---@field case? boolean exact case; default: equal after Unicode case folding
---@field tolerance? number
---@field relative? number
---@field arrays? "ordered"|"any_order"|"subset" default "ordered"
---@field coerce? boolean "7" = 7, "true" = true (flag `coerced`)
---@field extra? "free"|"forbidden" forbidden: each one more counts as a mismatch
---@field accept? any[] other values that match too
---@field ignore? boolean leave the field out
---@field default? any what an absent or null field stands for; no extra field if it equals that
---@field pattern? string a regular expression (PCRE2), searched in the actual value's text
---@field test? fun(actual: any, expected: any): boolean decides instead; must not await

---Paths start at the arguments: `a.b[0].c`; `*` stands for any characters of one name and `[*]` for
---any index; a name that holds dots, brackets or stars is written `["a.b"]`. Where options disagree
---the more special wins: all fields < a tool < a field < a field of a tool; a path with stars < one
---without.
---@class evalhost.native.calls.options
---@field case? boolean
---@field tolerance? number
---@field relative? number
---@field arrays? "ordered"|"any_order"|"subset"
---@field coerce? boolean
---@field extra? "free"|"forbidden"
---@field accept? table<string, any[]> by path
---@field ignore? string[] paths
---@field defaults? table<string, any> by path
---@field pattern? table<string, string> by path
---@field test? table<string, fun(actual: any, expected: any): boolean> by path
---@field fields? table<string, evalhost.native.calls.field_options> by path

---@class evalhost.native.calls.argument_options: evalhost.native.calls.options
---@field pairing? "in_order"|"best"|"position" default "in_order"
---@field tools? table<string, evalhost.native.calls.options> by tool

---Compiled options.
---@class evalhost.native.calls.rules: userdata

---The share of the expected names that were called: in [0, 1]; nothing expected is 1.
---@param expected evalhost.native.calls.call[]?
---@param actual evalhost.native.calls.call[]?
---@param options? { as: "multiset"|"set"|nil, none_expected: "pass"|"no_calls"|nil }
---@return number? value
---@return string reason
---@return evalhost.native.calls.names? detail
function calls.tool_selection(expected, actual, options) end

---1 if the multisets of names are equal (order = true: the sequences), else 0.
---@param expected evalhost.native.calls.call[]?
---@param actual evalhost.native.calls.call[]?
---@param options? { order: boolean? }
---@return number? value
---@return string reason
---@return evalhost.native.calls.names? detail
function calls.tools_exact(expected, actual, options) end

---1 if there were as many calls as expected, else 0.
---@param expected evalhost.native.calls.call[]?
---@param actual evalhost.native.calls.call[]?
---@return number? value
---@return string reason
---@return evalhost.native.calls.names? detail
function calls.tool_minimality(expected, actual) end

---The mean, over the expected calls, of the share of expected fields that match: in [0, 1]. An
---object counts by the share of its leaves. A call without partner is 0; one that expects no fields
---is 1 if it has a partner.
---@param expected evalhost.native.calls.call[]?
---@param actual evalhost.native.calls.call[]?
---@param options? evalhost.native.calls.argument_options|evalhost.native.calls.rules
---@return number? value
---@return string reason one line per expected call
---@return evalhost.native.calls.matches? detail
function calls.argument_match(expected, actual, options) end

---Compiles options, once for many cases. Raises for unknown options and wrong values.
---@param options evalhost.native.calls.argument_options?
---@return evalhost.native.calls.rules
function calls.rules(options) end

return calls
