// replies.mjs: chat completions as JSON and as a stream of chunks.
import { sendJson, writeInParts } from "./respond.mjs";

const CREATED = 1700000000;

// Not a tokenizer: a stable number that grows with the text.
export function tokensOf(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "");
  return Math.ceil(text.length / 4);
}

function usageOf(request, message) {
  const prompt = tokensOf(request.messages);
  const completion = tokensOf(message.content ?? message.tool_calls);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function pieces(text, size) {
  const characters = [...text];
  const out = [];
  for (let i = 0; i < characters.length; i += size) out.push(characters.slice(i, i + size).join(""));
  return out;
}

// The deltas of a message. The arguments of parallel tool calls are cut into
// small pieces and interleaved, as the protocol allows.
export function deltasOf(message) {
  const deltas = [{ role: "assistant", content: message.tool_calls ? null : "" }];
  for (const piece of pieces(message.content ?? "", 5)) deltas.push({ content: piece });
  if (message.refusal) for (const piece of pieces(message.refusal, 5)) deltas.push({ refusal: piece });
  const rest = (message.tool_calls ?? []).map((call, index) => {
    const { id, type } = call;
    deltas.push({ tool_calls: [{ index, id, type, function: { name: call.function.name, arguments: "" } }] });
    return pieces(call.function.arguments, 4);
  });
  while (rest.some((list) => list.length > 0)) {
    rest.forEach((list, index) => {
      if (list.length > 0) deltas.push({ tool_calls: [{ index, function: { arguments: list.shift() } }] });
    });
  }
  return deltas;
}

// The stream's text: chunks, a comment between them, usage if it was asked for.
export function streamOf(request, message, finish) {
  const withUsage = request.stream_options?.include_usage === true;
  const base = { id: "chatcmpl-test", object: "chat.completion.chunk", created: CREATED, model: request.model };
  const chunk = (choices, usage) => `data: ${JSON.stringify({ ...base, choices, ...(withUsage ? { usage } : {}) })}\n\n`;
  const out = deltasOf(message).map((delta) => chunk([{ index: 0, delta, finish_reason: null }], null));
  out.splice(1, 0, ": a comment, to be ignored\n\n");
  out.push(chunk([{ index: 0, delta: {}, finish_reason: finish }], null));
  if (withUsage) out.push(chunk([], usageOf(request, message)));
  out.push("data: [DONE]\n\n");
  return out.join("");
}

// Sends a message { content, tool_calls, refusal } as the request asked for it.
export async function sendCompletion(call, message, finish = message.tool_calls ? "tool_calls" : "stop") {
  const { res, json: request } = call;
  if (request.stream === true || call.forceStream) {
    res.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    await writeInParts(res, streamOf(request, message, finish));
    return res.end();
  }
  const full = { role: "assistant", content: null, refusal: null, ...message };
  sendJson(res, 200, {
    id: "chatcmpl-test", object: "chat.completion", created: CREATED, model: request.model,
    choices: [{ index: 0, message: full, logprobs: null, finish_reason: finish }],
    usage: usageOf(request, message),
  });
}
