// server.test.mjs: the scripted server does what README.md says.
//   node --test tests/server/server.test.mjs
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./openai.mjs";

let server;
let base;
before(async () => {
  server = await start();
  base = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const TOOLS = [{ type: "function", function: { name: "add", parameters: { type: "object" } } }];

function post(path, body, headers = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(base + path, { method: "POST", body: text, headers: { "content-type": "application/json", ...headers } });
}

function chat(path, messages, more = {}, headers = {}) {
  const list = typeof messages === "string" ? [{ role: "user", content: messages }] : messages;
  return post(`${path}/v1/chat/completions`, { model: "test", messages: list, ...more }, headers);
}

async function messageOf(response) {
  assert.equal(response.status, 200);
  return (await response.json()).choices[0].message;
}

// Puts the deltas of a stream together, as a client does.
async function streamed(response) {
  assert.match(response.headers.get("content-type"), /^text\/event-stream/);
  const data = (await response.text()).split("\n\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6));
  assert.equal(data.pop(), "[DONE]");
  const out = { content: "", calls: [], finish: null, usage: null };
  for (const { choices, usage } of data.map((text) => JSON.parse(text))) {
    out.usage = usage ?? out.usage;
    if (choices.length === 0) continue;
    out.finish = choices[0].finish_reason ?? out.finish;
    out.content += choices[0].delta.content ?? "";
    for (const { index, id, function: part } of choices[0].delta.tool_calls ?? []) {
      out.calls[index] ??= { id, name: part.name, arguments: "" };
      out.calls[index].arguments += part.arguments;
    }
  }
  return out;
}

test("plain echoes, or says what it is told to", async () => {
  assert.equal((await messageOf(await chat("/plain", "hello"))).content, "You said: hello");
  assert.equal((await messageOf(await chat("/plain", "x\nSAY Grüße, 世界"))).content, "Grüße, 世界");
  assert.equal((await fetch(`${base}/health`)).status, 200);
  assert.equal((await chat("/nonsense", "x")).status, 404);
});

test("tools calls one tool a turn, then quotes the results", async () => {
  const user = { role: "user", content: 'CALL add {"a": 1}\nCALL add {"a": 2}' };
  const messages = [user];
  for (const a of [1, 2]) {
    const message = await messageOf(await chat("/tools", messages, { tools: TOOLS }));
    assert.equal(message.content, null);
    assert.deepEqual(message.tool_calls.map((call) => call.function), [{ name: "add", arguments: `{"a": ${a}}` }]);
    messages.push(message, { role: "tool", tool_call_id: message.tool_calls[0].id, content: `result ${a}` });
  }
  const last = await messageOf(await chat("/tools", messages, { tools: TOOLS }));
  assert.equal(last.content, "The tools said: result 1; result 2");
  assert.equal(last.tool_calls, undefined);
});

test("parallel calls come in one message, also in pieces", async () => {
  const text = 'CALL add {"a": 1}\nCALL add {"a": "naïve"}';
  const whole = await messageOf(await chat("/parallel", text, { tools: TOOLS }));
  assert.equal(whole.tool_calls.length, 2);
  const options = { tools: TOOLS, stream: true, stream_options: { include_usage: true } };
  const got = await streamed(await chat("/parallel", text, options));
  assert.deepEqual(got.calls.map((call) => JSON.parse(call.arguments)), [{ a: 1 }, { a: "naïve" }]);
  assert.equal(got.finish, "tool_calls");
  assert.equal(got.usage.total_tokens, got.usage.prompt_tokens + got.usage.completion_tokens);
});

test("streams only when asked, or under /stream", async () => {
  assert.equal((await streamed(await chat("/plain", "SAY a b c d", { stream: true }))).content, "a b c d");
  const got = await streamed(await chat("/stream/plain", "SAY 価格 ok"));
  assert.equal(got.content, "価格 ok");
  assert.equal(got.usage, null);
});

test("requests that the API would refuse are refused", async () => {
  const orphan = [{ role: "user", content: "x" }, { role: "tool", tool_call_id: "call_9", content: "y" }];
  const call = { id: "c", type: "function", function: { name: "add", arguments: "{}" } };
  const unanswered = [{ role: "user", content: "x" }, { role: "assistant", tool_calls: [call] }];
  const object = [{ role: "user", content: "x" },
    { role: "assistant", tool_calls: [{ ...call, function: { name: "add", arguments: {} } }] }];
  for (const bad of [[], orphan, unanswered, object]) assert.equal((await chat("/tools", bad)).status, 400);
  assert.equal((await chat("/plain", "x", { stream_options: {} })).status, 400);
  assert.equal((await chat("/plain", "x", { tools: [{ function: {} }] })).status, 400);
  assert.equal((await post("/plain/v1/chat/completions", "{")).status, 400);
});

test("judge: header, directive in encoded data, schema", async () => {
  const verdict = async (...args) => (await messageOf(await chat("/judge", ...args))).content;
  assert.equal(await verdict("x", {}, { "x-verdict": "80%" }), "80%");
  const answer = JSON.stringify('VERDICT{"score": 0.25, "reason": "a {b}"} tail');
  assert.deepEqual(JSON.parse(await verdict(`<data>${answer}</data>`)), { score: 0.25, reason: "a {b}" });
  assert.equal(await verdict("VERDICT<<not a number>> tail"), "not a number");
  const schema = { type: "object", properties: { score: { type: "number", maximum: 1 }, reason: { type: "string" } } };
  const format = { response_format: { type: "json_schema", json_schema: { name: "verdict", schema } } };
  assert.equal(JSON.parse(await verdict("x", format)).score, 1);
  assert.equal((await messageOf(await chat("/judge", "VERDICT!refuse"))).content, null);
  const cut = await (await chat("/judge", 'VERDICT!length<<{"sco>>')).json();
  assert.equal(cut.choices[0].finish_reason, "length");
});

test("faults", async () => {
  assert.equal((await chat("/status/503/plain", "x")).status, 503);
  const limited = await chat("/retry_after/1/plain", "x");
  assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "1"]);
  assert.equal((await chat("/retry_after/1/plain", "x")).status, 200);
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await chat("/session/a/fail_first/2/500/plain", "x")).status);
  assert.deepEqual(statuses, [500, 500, 200]);
  assert.match((await chat("/html/plain", "x")).headers.get("content-type"), /html/);
  await assert.rejects((await chat("/badjson/plain", "x")).json());
  for (const fault of ["truncated", "reset"]) await assert.rejects(chat(`/${fault}/plain`, "x").then((r) => r.text()));
  await assert.rejects(chat("/truncated/plain", "x", { stream: true }).then((r) => r.text()));
  const moved = await fetch(`${base}/redirect/plain/v1`, { redirect: "manual" });
  assert.deepEqual([moved.status, moved.headers.get("location")], [302, "/plain/v1"]);
  const before = performance.now();
  await chat("/slow/80/plain", "x");
  assert.ok(performance.now() - before >= 79);
  const signal = AbortSignal.timeout(200);
  await assert.rejects(fetch(`${base}/hang/v1`, { method: "POST", body: "{}", signal }));
  assert.equal((await chat("/auth/key/plain", "x")).status, 401);
  assert.equal((await chat("/auth/key/plain", "x", {}, { authorization: "Bearer key" })).status, 200);
});

test("loop_tools never stops", async () => {
  const message = await messageOf(await chat("/loop_tools", "go", { tools: TOOLS }));
  const next = [{ role: "user", content: "go" }, message, { role: "tool", tool_call_id: message.tool_calls[0].id, content: "" }];
  assert.equal((await messageOf(await chat("/loop_tools", next, { tools: TOOLS }))).tool_calls[0].function.name, "add");
});

test("agents", async () => {
  const message = 'CALL add {"a": 1}\nSAY Three words long';
  const reply = await (await post("/agent/response/chat", { message })).json();
  assert.equal(reply.response, "Three words long");
  assert.deepEqual(reply.tool_calls, [{ name: "add", arguments: { a: 1 } }]);
  const text = await (await post("/sse_agent/chat", { message })).text();
  const events = text.split("\n\n").filter(Boolean).map((line) => JSON.parse(line.slice(6)));
  assert.equal(events.map((event) => event.token ?? "").join(""), "Three words long");
  assert.equal(events.at(-1).answer, "Three words long");
});

test("scripts: replies in turn, by content, exact bytes, and the log", async () => {
  const replies = [
    { status: 418, json: { n: 1 } },
    { raw: "HTTP/1.1 299 Odd\r\nContent-Length: 2\r\n\r\nok" },
    { chunks: ["a", "b"], chunk_delay_ms: 1 },
    { body: "xy", repeat: 3 },
    { when: "special", route: "/plain/v1/chat/completions" },
    { close: "body", body: "abcdef" },
  ];
  assert.equal((await post("/script/s", { replies })).status, 200);
  assert.equal((await post("/script/s/a", "1")).status, 418);
  const odd = await post("/script/s/a", "2");
  assert.deepEqual([odd.status, await odd.text()], [299, "ok"]);
  assert.equal((await messageOf(await chat("/script/s", "special SAY hi"))).content, "You said: special SAY hi");
  assert.equal(await (await post("/script/s/a", "3")).text(), "ab");
  assert.equal(await (await post("/script/s/a", "4")).text(), "xyxyxy");
  for (let i = 0; i < 2; i++) await assert.rejects(post("/script/s/a", "5").then((r) => r.text()));
  const log = await (await fetch(`${base}/script/s/log`)).json();
  assert.equal(log.total, 7);
  assert.deepEqual([log.requests[0].method, log.requests[0].path, log.requests[0].body], ["POST", "/script/s/a", "1"]);
  await post("/script/s", { replies: [{ close: "connect" }] });
  await assert.rejects(post("/script/s/a", "1"));
  assert.equal((await (await fetch(`${base}/script/s/log`)).json()).total, 1);
  assert.equal((await post("/script/unknown/a", "1")).status, 404);
});
