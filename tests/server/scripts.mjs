// scripts.mjs: replies that a spec writes itself, and what was asked.
//
// POST /script/NAME with { replies: [REPLY, ...] } (or the bare list), then send
// requests to /script/NAME/...: they get the replies in turn, and the last one
// for ever after. GET /script/NAME/log (or /session/NAME/log) tells what came.
//
// REPLY: status (200), headers, delay_ms, and one body of
//   json                  any value
//   body                  text, or body_base64
//   chunks                list of texts, sent one by one, chunk_delay_ms apart
//   raw, raw_base64       the exact bytes of the whole response; then it closes
//   route                 a path of this server that answers instead
// and faults: repeat (the body so many times), close: "connect" (no byte is
// sent), "headers" (after the headers), "body" (after half of the body), "reset"
// (there, by RST). A reply with `when` is for requests whose body holds that
// text; it is looked for first, and is not used up.
import { argument, sendError, sendJson, sleep } from "./respond.mjs";

const MAX_ENTRIES = 2000;
const MAX_LOGGED = 64 * 1024;

function entry(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

function logOf(call, name) {
  return entry(call.state, `log ${name}`, () => ({ total: 0, requests: [] }));
}

function record(call, name) {
  const log = logOf(call, name);
  log.total++;
  if (log.requests.length >= MAX_ENTRIES) return;
  const { req, url, body, json } = call;
  const kept = body.length > MAX_LOGGED ? { body: body.slice(0, MAX_LOGGED) } : { body, json };
  log.requests.push({ at_ms: performance.now(), method: req.method, path: url.pathname, query: url.search, headers: req.headers, ...kept });
}

// True if the call asked for the log, which is answered.
function answersLog(call, name) {
  if (call.req.method !== "GET" || call.path.join("/") !== "log") return false;
  sendJson(call.res, 200, logOf(call, name));
  return true;
}

// /session/NAME: records the request, and gives the steps that follow a state
// of their own.
function session(call) {
  const name = argument(call);
  if (answersLog(call, name)) return undefined;
  record(call, name);
  return "next";
}

function define(call, name) {
  const replies = Array.isArray(call.json) ? call.json : call.json?.replies;
  if (!Array.isArray(replies) || replies.length === 0) return sendError(call.res, 400, "replies: expected a list");
  call.state.set(`script ${name}`, { replies, next: 0 });
  call.state.delete(`log ${name}`);
  return sendJson(call.res, 200, { ok: true, replies: replies.length });
}

function pick(script, body) {
  const matching = script.replies.find((reply) => reply.when !== undefined && body.includes(reply.when));
  if (matching) return matching;
  const inTurn = script.replies.filter((reply) => reply.when === undefined);
  return inTurn[Math.min(script.next++, inTurn.length - 1)];
}

function bodyOf(reply) {
  if (reply.json !== undefined) return Buffer.from(JSON.stringify(reply.json));
  const body = reply.body_base64 ? Buffer.from(reply.body_base64, "base64") : Buffer.from(reply.body ?? "");
  return reply.repeat ? Buffer.concat(Array(reply.repeat).fill(body)) : body;
}

async function sendChunks(res, reply) {
  for (const chunk of reply.chunks) {
    res.write(chunk);
    await sleep(reply.chunk_delay_ms ?? 0);
  }
  if (reply.close === "body") res.destroy();
  else if (reply.close === "reset") res.socket?.resetAndDestroy();
  else res.end();
}

function sendBody(res, reply, body) {
  if (!reply.close) return res.end(body);
  const half = body.subarray(0, Math.floor(body.length / 2));
  if (reply.close === "headers") return res.flushHeaders(), setImmediate(() => res.destroy());
  return res.write(half, () => (reply.close === "reset" ? res.socket.resetAndDestroy() : res.destroy()));
}

async function send(call, reply) {
  const { res } = call;
  if (reply.delay_ms) await sleep(reply.delay_ms);
  if (reply.close === "connect") return res.destroy();
  if (reply.raw !== undefined || reply.raw_base64 !== undefined) {
    return res.socket.end(Buffer.from(reply.raw ?? reply.raw_base64, reply.raw === undefined ? "base64" : "utf8"));
  }
  const headers = { ...(reply.json === undefined ? {} : { "content-type": "application/json" }), ...reply.headers };
  if (reply.chunks) {
    res.writeHead(reply.status ?? 200, headers);
    return sendChunks(res, reply);
  }
  const body = bodyOf(reply);
  res.writeHead(reply.status ?? 200, { "content-length": body.length, ...headers });
  return sendBody(res, reply, body);
}

// /script/NAME
async function script(call) {
  const name = argument(call);
  if (answersLog(call, name)) return undefined;
  if (call.path.length === 0 && call.req.method === "POST") return define(call, name);
  const known = call.state.get(`script ${name}`);
  if (!known) return sendError(call.res, 404, `no script ${name}: POST it to /script/${name} first`);
  record(call, name);
  const reply = pick(known, call.body);
  if (!reply) return sendError(call.res, 500, `script ${name}: no reply is for this request`);
  if (reply.route === undefined) return send(call, reply);
  if (reply.delay_ms) await sleep(reply.delay_ms);
  call.path = reply.route.split("/").filter(Boolean);
  return "next";
}

export const scriptSteps = { session, script };
