-- The benchmark over HTTP: one chat call, five native checks and one judge call a case.
-- Run by tests/bench/run.sh, with BENCH_BASE (the mock) and BENCH_DELAY (d0, d5, d50, d500).
local eval = require "evalhost"

local base = eval.env("BENCH_BASE", "http://127.0.0.1:8080") .. "/" .. eval.env("BENCH_DELAY", "d0")
local m = eval.metrics

return eval.suite {
  name = "bench_http",
  cases = eval.cases("cases.jsonl"), -- a sample; run.sh gives --cases
  target = eval.targets.chat {
    model = "mock",
    base_url = base .. "/json/v1",
    system = "Answer as JSON with the keys answer, city, confidence and sources.",
    temperature = 0,
  },
  metrics = {
    names_paris = m.contains { value = "Paris" },
    names_river = m.icontains { value = "SEINE" },
    json = m.is_json(),
    city = m.regex { pattern = [["city":\s*"\w+"]] },
    keywords = m.keywords(),
    faithfulness = eval.judges.faithfulness { model = "mock", base_url = base .. "/judge/v1" },
  },
  pass = {
    names_paris = 1, names_river = 1, json = 1, city = 1, keywords = 1, faithfulness = ">= 0.7",
  },
}
