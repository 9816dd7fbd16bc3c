-- providers/init_spec.lua: providers by name.
local providers = require "evalhost.providers"

describe("providers.get", function()
  it("gives a table of functions", function()
    local provider = providers.get("openai", "spec")
    for _, name in ipairs { "settings", "complete", "assistant", "tool_result" } do
      expect(type(provider[name])):equals("function")
    end
  end)

  it("raises for a name that it does not know, with the nearest", function()
    expect(function() providers.get("opnai", "spec", 1) end)
      :errors "init_spec.lua.*unknown provider 'opnai'.*did you mean openai"
  end)
end)
