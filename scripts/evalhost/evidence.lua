-- evidence.lua: what an answer may rest on: the outputs of tools and the retrieved texts; and the
-- question as text. Pure.

local json = require "evalhost.native.json"
local native_text = require "evalhost.native.text"

local evidence = {}

local function as_text(value)
  if type(value) == "string" then
    return value
  end
  return json.encode(value, { repair = true })
end

local function present(value)
  return value ~= nil and value ~= json.null
end

local function add_sources(list, sources)
  for _, source in ipairs(sources or {}) do
    if type(source) == "table" and type(source.text) == "string" then
      list[#list + 1] = { id = source.id and tostring(source.id) or nil, text = source.text }
    end
  end
end

--- The texts that an outcome's answer may rest on: results and errors of tools (as JSON, strings as
--- they are), and sources and citations that carry their text.
---@param outcome table
---@return { id: string|nil, text: string }[]
function evidence.of(outcome)
  local list = {}
  for _, call in ipairs(outcome.tool_calls or {}) do
    for _, value in ipairs { present(call.result) and call.result or false,
                             present(call.error) and call.error or false } do
      local text = value and as_text(value)
      if text then
        list[#list + 1] = { id = call.name, text = text }
      end
    end
  end
  add_sources(list, outcome.sources)
  add_sources(list, outcome.citations)
  return list
end

local function content_text(content)
  if type(content) ~= "table" then
    return type(content) == "string" and content or nil
  end
  local parts = {}
  for _, part in ipairs(content) do
    parts[#parts + 1] = type(part) == "table" and type(part.text) == "string" and part.text or nil
  end
  return table.concat(parts, "\n")
end

--- The question of a case as text: its input, or the last message of the user.
---@param case table
---@return string
function evidence.query(case)
  local input = case.input
  if type(input) ~= "table" then
    return present(input) and tostring(input) or ""
  end
  for i = #input, 1, -1 do
    if type(input[i]) == "table" and input[i].role == "user" then
      return content_text(input[i].content) or ""
    end
  end
  return as_text(input) or ""
end

--- The words and phrases that a case expects, strings only.
---@param case table
---@return string[]
function evidence.keywords(case)
  local list = {}
  local expected = case.expected and case.expected.keywords
  for _, keyword in ipairs(type(expected) == "table" and expected or {}) do
    list[#list + 1] = type(keyword) == "string" and keyword:find "%S" and keyword or nil
  end
  return list
end

---@param answer any
---@return boolean
function evidence.blank(answer)
  return type(answer) ~= "string" or native_text.trim(answer) == ""
end

return evidence
