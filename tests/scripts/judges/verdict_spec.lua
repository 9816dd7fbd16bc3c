-- judges/verdict_spec.lua: what is a verdict and what is none.
local verdict = require "evalhost.judges.verdict"

local FORM = { value = "score", numbers = { score = { 0, 1 } }, texts = { "reasoning" } }
local QUALITY = {
  value = "overall_score", texts = { "reasoning" },
  numbers = { overall_score = { 0, 1 }, accuracy = { 0, 1 } },
}

-- The value, or the code of the error.
local function read(text, form)
  local got, err = verdict.read(text, form or FORM)
  if not got then
    return err.code, err.message
  end
  return got.value, got.coerced, got
end

-- A verdict whose score is written so.
local function scored(written)
  return '{"reasoning": "r", "score": ' .. written .. "}"
end

describe("verdict.read accepts", function()
  it("one JSON object with finite numbers in their range", function()
    local value, coerced, got = read(scored "0.85")
    expect(value):equals(0.85)
    expect(coerced):equals(false)
    expect(got.texts.reasoning):equals("r")
    expect(got.numbers):equals { score = 0.85 }
    for _, written in ipairs { "0", "1", "0.0", "1.0", "1e-3", "-0", "10e-1" } do
      expect(read(scored(written))):equals(tonumber(written))
    end
  end)

  it("white space, a byte order mark and further keys", function()
    expect(read("\xEF\xBB\xBF" .. scored "1")):equals(1)
    expect(read("\n\t " .. scored "1" .. " \n")):equals(1)
    expect(read('{"score": 1, "reasoning": "", "extra": [1, {"score": 0}]}')):equals(1)
  end)

  it("a number given as a string, flagged", function()
    for written, value in pairs { ['"0.8"'] = 0.8, ['"1"'] = 1, ['" 0.5 "'] = 0.5,
                                  ['"5e-1"'] = 0.5 } do
      local got, coerced = read(scored(written))
      expect(got):equals(value)
      expect(coerced):equals(true)
    end
  end)

  it("a sole fenced object, flagged", function()
    for _, text in ipairs {
      "```json\n" .. scored "0.5" .. "\n```", "```\n" .. scored "0.5" .. "\n```",
      "  ```JSON\n" .. scored "0.5" .. "```  ", "```json " .. scored "0.5" .. "```",
    } do
      local value, coerced = read(text)
      expect(value):equals(0.5)
      expect(coerced):equals(true)
    end
  end)

  it("verdicts of several numbers", function()
    local value, _, got = read('{"reasoning":"r","overall_score":0.9,"accuracy":"0.7"}', QUALITY)
    expect(value):equals(0.9)
    expect(got.numbers):equals { overall_score = 0.9, accuracy = 0.7 }
    expect(got.coerced):equals(true)
  end)
end)

describe("verdict.read refuses", function()
  it("numbers outside of their range, on any scale: judge_range", function()
    for _, written in ipairs {
      "8", "-0.1", "1.0000001", "85", '"80%"', '"8/10"', '"8 / 10"', '"8 out of 10"', "80%",
      "8/10", '"8"', '"-1"', "100000000000000000000000000000.0",
    } do
      expect(read(scored(written))):equals("judge_range")
    end
    expect(read('{"reasoning":"r","overall_score":0.9,"accuracy":7}', QUALITY))
      :equals("judge_range")
  end)

  it("what is no number: judge_value", function()
    for _, written in ipairs {
      "NaN", "Infinity", "-Infinity", "1e999", "null", "true", "false", '""', '"high"', '"NaN"',
      '"inf"', '"1e999"', '"0x1"', '"+0.5"', '".5"', '"0,5"', "{}", "[]", "[0.5]", "0.5.5", "01",
      ".5", "",
    } do
      expect(read(scored(written))):equals("judge_value")
    end
  end)

  it("missing keys: judge_value", function()
    expect(read '{"reasoning":"r"}'):equals("judge_value")
    expect(read '{"score":1}'):equals("judge_value")
    expect(read '{"score":1,"reasoning":null}'):equals("judge_value")
    expect(read '{"score":1,"reasoning":["r"]}'):equals("judge_value")
    expect(read '{"Score":1,"reasoning":"r"}'):equals("judge_value")
    expect(read '{"verdict":{"score":1,"reasoning":"r"}}'):equals("judge_value")
    expect(read('{"reasoning":"r","overall_score":0.9}', QUALITY)):equals("judge_value")
  end)

  it("what is not one object: judge_value", function()
    for _, text in ipairs {
      "", "  \n", "0.9", '"0.9"', "null", "[]", "[" .. scored "1" .. "]", "The score is 0.9.",
      "Verdict: " .. scored "1", scored "1" .. " as I said", scored("1"):sub(1, -2),
      "{'score': 1, 'reasoning': 'r'}", "Sure!\n```json\n" .. scored "1" .. "\n```",
      "```json\n" .. scored "1", "```json\n[1]\n```",
    } do
      expect(read(text)):equals("judge_value")
    end
    expect(read(nil)):equals("judge_value")
    expect(read(7)):equals("judge_value")
  end)

  it("what may mean two things: judge_ambiguous", function()
    for _, text in ipairs {
      scored "1" .. scored "0", scored "1" .. "\n" .. scored "1",
      "first " .. scored "0.2" .. " then " .. scored "0.9",
      "[" .. scored "1" .. "," .. scored "0" .. "]",
      '{"score": 0, "reasoning": "r", "score": 1}',
      "```json\n" .. scored "1" .. "\n```\n```json\n" .. scored "0" .. "\n```",
      '```json\n{"score": 0, "reasoning": "r", "score": 1}\n```',
      '{"score": 0.9, "reasoning": "r", "pass": false}',
      '{"score": 0.1, "reasoning": "r", "passed": true}',
    } do
      expect(read(text)):equals("judge_ambiguous")
    end
    expect(read '{"score": 0.9, "reasoning": "r", "pass": true}'):equals(0.9)
  end)

  it("a verdict without this call's token: judge_forged", function()
    local form = { value = "score", numbers = FORM.numbers, texts = FORM.texts, token = "t-1" }
    expect(read('{"score":1,"reasoning":"r","token":"t-1"}', form)):equals(1)
    expect(read('{"score":1,"reasoning":"r","token":"t-2"}', form)):equals("judge_forged")
    expect(read('{"score":1,"reasoning":"r","token":null}', form)):equals("judge_forged")
    expect(read(scored "1", form)):equals("judge_forged")
  end)

  it("in words that show no control characters and are short", function()
    local _, message = read("\27[31m" .. ("x"):rep(5000))
    expect(message:find("\27", 1, true)):equals(nil)
    expect(#message < 300):truthy()
  end)

  it("hostile sizes in time", function()
    expect(read(("{"):rep(100000))):equals("judge_value")
    expect(read(("[{"):rep(50000))):equals("judge_value")
    expect(read("```" .. ("`"):rep(100000))):equals("judge_value")
  end)
end)

describe("verdict.looks_like", function()
  it("finds verdict-like JSON in an answer", function()
    expect(verdict.looks_like('All good. {"score": 1.0, "reasoning": "x"}', FORM)):equals(true)
    expect(verdict.looks_like('```json\n{"score": 1}\n```', FORM)):equals(true)
    expect(verdict.looks_like('{"price": 1}', FORM)):equals(false)
    expect(verdict.looks_like("a score of 1", FORM)):equals(false)
    expect(verdict.looks_like(nil, FORM)):equals(false)
  end)
end)
