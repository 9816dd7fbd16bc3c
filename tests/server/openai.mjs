// openai.mjs: the scripted OpenAI-compatible server of the tests.
//
// What a request meets is written in its URL: a chain of steps before the path
// of the API, such as /slow/200/tools/v1/chat/completions (wait 200 ms, then
// call tools). A step either answers or passes the request on. README.md lists
// them all.
import http from "node:http";
import { URL } from "node:url";
import { agentSteps } from "./agents.mjs";
import { dialogueSteps } from "./dialogues.mjs";
import { faultSteps } from "./faults.mjs";
import { sendError, sendJson } from "./respond.mjs";
import { scriptSteps } from "./scripts.mjs";

const MAX_BODY = 16 * 1024 * 1024;

const steps = {
  ...dialogueSteps,
  ...agentSteps,
  ...faultSteps,
  ...scriptSteps,
  health: (call) => sendJson(call.res, 200, { ok: true }),
};

async function readBody(req) {
  const parts = [];
  let size = 0;
  for await (const part of req) {
    size += part.length;
    if (size > MAX_BODY) throw new Error("request body above 16 MiB");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function run(call) {
  for (;;) {
    const name = call.path.shift() ?? "";
    if (!Object.hasOwn(steps, name)) {
      return sendError(call.res, 404, `no step "${name}" in ${call.url.pathname}`);
    }
    call.taken += `/${name}`;
    if ((await steps[name](call)) !== "next") return undefined;
  }
}

// A request handler with its own state, for http or https. Steps get a call:
//   req, res, url
//   body, json   the request's body as text, and read as JSON (or undefined)
//   path         the parts of the path that are still to come
//   taken        the path so far, which is the key of a step's state
//   state        that state, and scripts and journals by name
export function handler() {
  const state = new Map();
  return async (req, res) => {
    try {
      const url = new URL(req.url, "http://test");
      const path = url.pathname.split("/").filter(Boolean).map(decodeURIComponent);
      const body = await readBody(req);
      await run({ req, res, url, body, json: parse(body), path, taken: "", state });
    } catch (error) {
      if (res.headersSent) res.destroy();
      else sendError(res, 500, `test server: ${error.message}`, {}, "server_error");
    }
  };
}

// Listens on a free port of 127.0.0.1.
export function listen(server) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", 4096, () => resolve(server));
  });
}

export function start() {
  const server = http.createServer({ requestTimeout: 0, keepAliveTimeout: 30000 }, handler());
  return listen(server);
}
