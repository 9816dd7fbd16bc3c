// agents.mjs: agents that speak HTTP but not the OpenAI API. They follow the
// CALL and SAY lines of the message, as the dialogues do.
import { callsIn, sayIn } from "./dialogues.mjs";
import { argument, sendError, sendJson, writeInParts } from "./respond.mjs";
import { tokensOf } from "./replies.mjs";

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// What the agent did: { answer, tool_calls, sources, usage }.
function outcomeOf(json) {
  const { message, input, query, question } = json ?? {};
  const text = String(message ?? input ?? query ?? question ?? "");
  const answer = sayIn(text) ?? `You said: ${text}`;
  const calls = callsIn(text).map((call) => ({ name: call.name, arguments: parsed(call.arguments) }));
  const usage = { input_tokens: tokensOf(text), output_tokens: tokensOf(answer) };
  usage.total_tokens = usage.input_tokens + usage.output_tokens;
  return { answer, tool_calls: calls, sources: ["doc-1"], usage };
}

// /agent/KEY/...: a JSON reply with the answer under KEY.
function agent(call) {
  const key = argument(call);
  if (call.json === undefined) return sendError(call.res, 400, "the body is not JSON");
  const { answer, ...rest } = outcomeOf(call.json);
  return sendJson(call.res, 200, { [key]: answer, ...rest });
}

// /sse_agent/...: tokens as they come, then one event with the whole outcome.
async function sseAgent(call) {
  if (call.json === undefined) return sendError(call.res, 400, "the body is not JSON");
  const outcome = outcomeOf(call.json);
  const events = outcome.answer.split(/(?<= )/).map((token) => ({ token }));
  const text = [...events, outcome].map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  call.res.writeHead(200, { "content-type": "text/event-stream" });
  await writeInParts(call.res, text);
  return call.res.end();
}

export const agentSteps = { agent, sse_agent: sseAgent };
