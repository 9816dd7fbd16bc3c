---@meta evalhost.native.store

---Runs and their results, durable in one file. Times are microseconds since
---1970 UTC. Outside failures give `nil, err` with a code of `corrupt`,
---`version`, `read_only`, `permission`, `not_found`, `busy`, `disk_full`, `io`.
---@class evalhost.native.store
local store = {}

---Opens the store at path, made if there is no file; its folder must exist.
---Checks that it can be written. A file that is no sound store is refused and
---left as it is. All who open one file, in any state, share one handle.
---@param path string
---@return evalhost.native.store.handle? store
---@return table? err
function store.open(path) end

---Methods of a closed one raise.
---@class evalhost.native.store.handle
local handle = {}

---@class evalhost.native.store.begin
---@field id? string default: made from started_at, not taken yet
---@field suite string
---@field target string
---@field started_at? integer default: now
---@field header? string JSON, default "{}"

---Enters a run, durable when it returns. `exists` if the id is taken.
---@param fields evalhost.native.store.begin
---@return evalhost.native.store.run? run
---@return table? err
function handle:begin(fields) end

---Finds a run by id, by an unambiguous beginning of one, or "last".
---`not_found`, or `argument` if several begin like this.
---@param key string
---@return evalhost.native.store.run? run
---@return table? err
function handle:run(key) end

---The runs, youngest first.
---@param options? { limit?: integer } default and at most 10,000
---@return evalhost.native.store.run[]? runs
---@return table? err
function handle:runs(options) end

---Why results cannot be committed at present (the disk is full and is tried
---again for a minute), or could not for good; nil when all is well. A run
---starts no new cases while there is trouble.
---@return table? err
function handle:trouble() end

---Commits what is pending and gives the handle back; harmless when closed.
---Also on collection and at the end of a `<close>` variable.
---@return true? ok
---@return table? err
function handle:close() end

---@class evalhost.native.store.run
---@field id string
---@field suite string
---@field target string
---@field status string "running" until it was finished
---@field started_at integer
---@field header string JSON
---@field finished_at? integer
---@field exit_code? integer
---@field summary? string JSON
local run = {}

---Waits until the result is durable; results that are put in one turn of the
---loop share a commit. When the wait is cancelled, the result is stored all
---the same. `exists` if the attempt is in the store already; after `disk_full`
---(for a minute) or `io` no later put of this process succeeds.
---@async
---@param idx integer place of the case in the run
---@param attempt integer which repeat of it
---@param case_id string
---@param verdict string
---@param score number? finite
---@param figures string the numbers for statistics, JSON
---@param record string the whole canonical case, JSON
---@return true? ok
---@return table? err
function run:put(idx, attempt, case_id, verdict, score, figures, record) end

---Commits what is pending and how the run ended.
---@param fields { status: string, exit_code?: integer, finished_at?: integer, summary?: string }
---@return true? ok
---@return table? err
function run:finish(fields) end

---The committed results in case order, streamed, for a generic for, which
---closes them however it is left:
---`for idx, attempt, case_id, verdict, score, figures, record in run:results() do`
---Raises the error table when reading fails (an end that is none would lose
---results). With records = false the record is nil and is not read.
---@param options? { records?: boolean }
---@return evalhost.native.store.cursor next
---@return nil
---@return nil
---@return evalhost.native.store.cursor closing
function run:results(options) end

---How many committed results have which verdict.
---@return table<string, integer>? counts
---@return table? err
function run:count() end

---@class evalhost.native.store.cursor
---@overload fun(): integer?, integer?, string?, string?, number?, string?, string?
local cursor = {}

---Harmless when closed.
function cursor:close() end

return store
