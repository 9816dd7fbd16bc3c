-- templates_spec.lua: the skeleton's agent knows its answers, but for the one that is to fail.

local csv = require "evalhost.native.csv"
local templates = require "evalhost.command.templates"

local function text_of(name)
  for _, template in ipairs(templates) do
    if template.name == name then
      return template.text
    end
  end
  error("no template " .. name)
end

describe("the templates", function()
  it("load", function()
    expect(load(text_of "suite.lua")):truthy()
    expect(load(text_of "agent.lua")):truthy()
  end)

  it("pass all cases but one", function()
    local agent = load(text_of "agent.lua")()
    local wrong = {}
    for i, row in ipairs(assert(csv.parse(text_of "cases.csv"))) do
      if i > 1 and not agent { input = row[2] }:lower():find(row[3]:lower(), 1, true) then
        wrong[#wrong + 1] = row[1]
      end
    end
    expect(wrong):equals { "shipping_abroad" }
  end)
end)
