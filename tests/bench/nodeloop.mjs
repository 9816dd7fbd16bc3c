// nodeloop.mjs: the HTTP benchmark as a careful JavaScript user would write it by hand, without
// packages: fetch, five checks, one judge call, one JSON line a case.
//   node nodeloop.mjs CASES.jsonl CONCURRENCY BASE DELAY OUT.jsonl
import { createWriteStream, readFileSync } from 'node:fs';

const [file, concurrency, base, delay, out] = process.argv.slice(2);
const cases = readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
const writer = createWriteStream(out);
const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-mock' };

async function chat(kind, system, user) {
  const messages = [{ role: 'system', content: system }, { role: 'user', content: user }];
  const reply = await fetch(`${base}/${delay}/${kind}/v1/chat/completions`, {
    method: 'POST', headers, body: JSON.stringify({ model: 'mock', messages, temperature: 0 }),
  });
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  return (await reply.json()).choices[0].message.content;
}

function isJson(text) {
  try { JSON.parse(text); return true; } catch { return false; }
}

async function run(test) {
  const answer = await chat('json',
    'Answer as JSON with the keys answer, city, confidence and sources.', test.input);
  const folded = answer.toLowerCase();
  const checks = {
    names_paris: answer.includes('Paris'),
    names_river: folded.includes('seine'),
    json: isJson(answer),
    city: /"city":\s*"\w+"/.test(answer),
    keywords: test.expected.keywords.every((word) => folded.includes(word.toLowerCase())),
  };
  const verdict = JSON.parse(await chat('judge',
    'Grade how faithful the answer is to the evidence, as JSON {"score", "reasoning"}.',
    JSON.stringify({ query: test.input, keywords: test.expected.keywords, answer })));
  const pass = Object.values(checks).every(Boolean) && verdict.score >= 0.7;
  writer.write(JSON.stringify({ ...test, answer, checks, verdict, pass }) + '\n');
  return pass;
}

let next = 0;
let passed = 0;
async function worker() {
  while (next < cases.length) {
    const pass = await run(cases[next++]);
    passed += pass; // not across an await: workers would lose each other's counts
  }
}
await Promise.all(Array.from({ length: +concurrency }, worker));
await new Promise((done) => writer.end(done));
process.exitCode = passed === cases.length ? 0 : 1;
