---@meta evalhost.native.stats

---Figures over the cases of a run. Sums are compensated (Neumaier), intervals are 95 %. Values must
---be finite numbers; anything else raises.
---@class evalhost.native.stats
local stats = {}

---A growing series of values. It keeps up to 2,000 of them; beyond that only what the mean and its
---interval need, unless it was made to keep all.
---@class evalhost.native.stats.series: userdata
local series = {}

---How an interval was made: "bootstrap" is the percentile bootstrap of the mean with 10,000 draws
---(up to 2,000 values), "t" is Student's interval (above).
---@alias evalhost.native.stats.method "bootstrap"|"t"

---@class evalhost.native.stats.mean_ci
---@field mean number
---@field lo number? nil with fewer than two values
---@field hi number?
---@field method evalhost.native.stats.method?

---@param keep_all? boolean keep all values, as quantiles of many need (8 bytes each)
---@return evalhost.native.stats.series
function stats.series(keep_all) end

---The mean of a list or series with its interval; nil if there are no values. The same values in
---the same order with the same seed give the same interval everywhere.
---@param values number[]|evalhost.native.stats.series
---@param options? { seed: string? } seed: such as the run's fingerprint and the figure's name
---@return evalhost.native.stats.mean_ci?
function stats.mean_ci(values, options) end

---The quantile by linear interpolation at (n - 1) q, numpy's default; nil if there are no values.
---@param values number[]|evalhost.native.stats.series
---@param q number from 0 to 1
---@return number?
function stats.quantile(values, q) end

---Wilson's score interval of k successes in n; nil if n is 0.
---@param k integer from 0 to n
---@param n integer
---@return number? lo
---@return number? hi
function stats.wilson(k, n) end

---@param value number
function series:push(value) end

---@return integer
function series:count() end

---@return number? mean nil if there are no values
function series:mean() end

---@return number?
function series:min() end

---@return number?
function series:max() end

---As stats.quantile. Raises when the series no longer has its values.
---@param q number from 0 to 1
---@return number?
function series:quantile(q) end

---The interval of the mean; nothing but nil with fewer than two values.
---@param seed? string
---@return number? lo
---@return number? hi
---@return evalhost.native.stats.method? method
function series:ci(seed) end

return stats
