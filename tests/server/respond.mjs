// respond.mjs: what all steps use to answer and to read their own arguments.

export function sendJson(res, status, value, headers = {}) {
  const body = Buffer.from(JSON.stringify(value));
  res.writeHead(status, { "content-type": "application/json", "content-length": body.length, ...headers });
  res.end(body);
}

// An error in the shape of the OpenAI API.
export function sendError(res, status, message, headers = {}, type = "invalid_request_error") {
  sendJson(res, status, { error: { message, type, param: null, code: null } }, headers);
}

// Writes bytes in small uneven parts, so that lines and characters are cut.
export async function writeInParts(res, text) {
  const bytes = Buffer.from(text);
  const sizes = [61, 7, 211, 13];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length];
    if (!res.write(bytes.subarray(at, at + size))) await new Promise((resolve) => res.once("drain", resolve));
    at += size;
  }
}

export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

// The next part of the path, as the argument of a step.
export function argument(call) {
  const value = call.path.shift() ?? "";
  call.taken += `/${value}`;
  return value;
}

// Counts the requests that came this way: 1 for the first.
export function count(call) {
  const n = (call.state.get(call.taken) ?? 0) + 1;
  call.state.set(call.taken, n);
  return n;
}
