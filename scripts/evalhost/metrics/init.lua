-- metrics/init.lua: eval.metrics: every metric by its name, loaded with its family.

local check = require "evalhost.check"

local families = {
  tools = { "tool_selection", "argument_match", "tools_exact", "tool_minimality" },
  grounding = { "keywords", "grounded", "citations_grounded" },
  text = {
    "equals", "contains", "icontains", "starts_with", "regex", "one_of", "length", "word_count",
    "is_json", "contains_json",
  },
  latency = { "latency" },
}

local family_of, names = {}, {}
for family, list in pairs(families) do
  for _, name in ipairs(list) do
    family_of[name] = family
    names[#names + 1] = name
  end
end
table.sort(names)

local metrics = {}

return setmetatable(metrics, {
  __index = function(t, name)
    local family = family_of[name]
    if not family then
      error(("eval.metrics: no metric '%s'%s"):format(tostring(name), check.hint(name, names)), 2)
    end
    local made = require("evalhost.metrics." .. family)[name]
    rawset(t, name, made)
    return made
  end,
  __pairs = function(t) -- by name
    local i = 0
    return function()
      i = i + 1
      return names[i], names[i] and t[names[i]]
    end
  end,
})
