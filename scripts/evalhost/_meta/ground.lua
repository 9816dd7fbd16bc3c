---@meta evalhost.native.ground

---The model-free judge. Definitions: src/metric/ground.h.
---@class evalhost.native.ground
local ground = {}

---@class evalhost.native.ground.input
---@field answer string
---@field query? string what repeats it counts neither for nor against the answer
---@field keywords? string[] a keyword counts when all its words occur in one sentence
---@field evidence? (string|{ id: any, text: string })[] tool results, sources
---@field weights? { keywords: number?, facts: number?, coverage: number? } default 0.4, 0.4, 0.2

---A number, date or name of the answer.
---@class evalhost.native.ground.claim
---@field text string
---@field first integer its bytes in the answer, as string.sub takes them
---@field last integer
---@field kind "number"|"percent"|"bps"|"date"|"code"|"name"
---@field status "supported"|"unsupported"|"known" known: from the query
---@field evidence string|integer|nil id or index of the evidence that supports it

---@class evalhost.native.ground.detail
---@field keywords number? shares, where the part applies
---@field facts number?
---@field coverage number?
---@field absent string[]? keywords
---@field claims evalhost.native.ground.claim[]?

---In [0, 1]: the weighted mean of the parts that apply. A blank answer is 0. nil and
---`nothing_to_check` if no part applies.
---@param input evalhost.native.ground.input
---@return number? value
---@return string reason
---@return evalhost.native.ground.detail? detail
function ground.grounded(input) end

---The share of the keywords that occur in the answer as whole phrases, without regard to case and
---to how much white space is between words. nil and `no_keywords` for an empty list.
---@param answer string
---@param keywords string[]
---@param any? boolean the list are synonyms: 1 if any occurs, else 0
---@return number? value
---@return string[]|string absent the keywords that do not occur
function ground.keywords(answer, keywords, any) end

return ground
