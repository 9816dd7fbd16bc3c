// faults.mjs: servers that misbehave. A fault answers by itself, or passes the
// request on to what follows in the path.
import { argument, count, sendError, sleep } from "./respond.mjs";
import { streamOf } from "./replies.mjs";

const HALF = '{"id":"chatcmpl-test","object":"chat.completion","choices":[{"index":0,"message":{"role":"assi';

function send(res, status, type, body) {
  res.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
  res.end(body);
}

// /status/N: this status, with an error object.
function status(call) {
  const n = Number(argument(call));
  return sendError(call.res, n, `the test server was asked for a ${n}`, {}, n >= 500 ? "server_error" : undefined);
}

// /fail_first/COUNT/STATUS: so many requests get that status; later ones pass.
function failFirst(call) {
  const limit = Number(argument(call));
  const code = Number(argument(call));
  if (count(call) > limit) return "next";
  return sendError(call.res, code, `the test server fails ${limit} times`, {}, "server_error");
}

// /retry_after/S: the first request gets a 429 with Retry-After: S.
function retryAfter(call) {
  const seconds = argument(call);
  if (count(call) > 1) return "next";
  return sendError(call.res, 429, "rate limit reached", { "retry-after": seconds }, "rate_limit_error");
}

function html(call) {
  send(call.res, 200, "text/html; charset=utf-8", "<!doctype html><title>Welcome</title><p>Please log in.</p>\n");
}

function badJson(call) {
  send(call.res, 200, "application/json", `${HALF}`);
}

// Ends before Content-Length is reached; a stream ends without its last chunk.
function truncated(call) {
  const { res, json } = call;
  if (json?.stream) {
    res.writeHead(200, { "content-type": "text/event-stream" });
    const text = streamOf(json, { content: "This stream is cut off." }, "stop");
    res.write(text.slice(0, text.length / 2), () => res.destroy());
    return;
  }
  res.writeHead(200, { "content-type": "application/json", "content-length": 4096 });
  res.write(HALF, () => res.destroy());
}

// The connection is reset in the middle of the body.
function reset(call) {
  const { res } = call;
  res.writeHead(200, { "content-type": "application/json", "content-length": 4096 });
  res.write(HALF, () => res.socket.resetAndDestroy());
}

// /slow/MS: waits, then passes on.
async function slow(call) {
  await sleep(Number(argument(call)));
  return "next";
}

// Reads the request and never answers.
function hang() {}

// /drip/MS: a correct status line and headers, then one byte every MS, for ever.
function drip(call) {
  const ms = Number(argument(call));
  call.res.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => call.res.write(" "), ms);
  call.res.on("close", () => clearInterval(timer));
}

// /redirect/REST: to REST, on this server.
function redirect(call) {
  call.res.writeHead(302, { location: `/${call.path.join("/")}`, "content-length": 0 });
  call.res.end();
}

// /auth/KEY: passes only requests with Authorization: Bearer KEY.
function auth(call) {
  const key = argument(call);
  if (call.req.headers.authorization === `Bearer ${key}`) return "next";
  return sendError(call.res, 401, "Incorrect API key provided", {}, "invalid_request_error");
}

export const faultSteps = {
  status, fail_first: failFirst, retry_after: retryAfter, html, badjson: badJson, truncated, reset, slow, hang, drip,
  redirect, auth,
};
