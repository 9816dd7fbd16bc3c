// dialogues.mjs: models that follow instructions found in the user's message.
//   CALL name {"arg": 1}    call a tool with these arguments, taken as they stand
//   SAY text                the final answer
//   VERDICT{...}            what /judge replies (see verdictIn)
import { sendError } from "./respond.mjs";
import { problemOf } from "./requests.mjs";
import { sendCompletion } from "./replies.mjs";

function textOf(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("");
}

// The last user message, and what came after it.
function turnOf(request) {
  const { messages } = request;
  const at = messages.map((message) => message.role).lastIndexOf("user");
  const after = messages.slice(at + 1);
  return {
    user: at < 0 ? "" : textOf(messages[at].content),
    rounds: after.filter((message) => message.tool_calls).length,
    results: after.filter((message) => message.role === "tool").map((message) => message.content),
  };
}

// The calls that a text asks for: { name, arguments } with arguments as text.
export function callsIn(text) {
  const pattern = /^\s*CALL[ \t]+(\S+)[ \t]*(.*)$/gm;
  return [...text.matchAll(pattern)].map((match) => ({ name: match[1], arguments: match[2].trim() || "{}" }));
}

export function sayIn(text) {
  return text.match(/^\s*SAY[ \t]+(.*)$/m)?.[1];
}

function toolCalls(calls, round) {
  return calls.map((call, i) => ({ id: `call_${round}_${i}`, type: "function", function: call }));
}

function answerOf(turn) {
  const said = sayIn(turn.user);
  if (said !== undefined) return said;
  if (turn.results.length > 0) return `The tools said: ${turn.results.join("; ")}`;
  return `You said: ${turn.user}`;
}

// What the text asks for, else the offered tools that it names.
function plannedCalls(request, turn) {
  const calls = callsIn(turn.user);
  if (calls.length > 0) return calls;
  const names = (request.tools ?? []).map((tool) => tool.function.name);
  return names.filter((name) => turn.user.includes(name)).map((name) => ({ name, arguments: "{}" }));
}

// A step that answers /v1/chat/completions with what `reply` makes of it.
function dialogue(reply) {
  return (call) => {
    if (call.path.join("/") !== "v1/chat/completions") return sendError(call.res, 404, `no such path: ${call.url.pathname}`);
    if (call.req.method !== "POST") return sendError(call.res, 405, "use POST");
    const problem = problemOf(call.json);
    if (problem) return sendError(call.res, 400, problem);
    return reply(call, call.json, turnOf(call.json));
  };
}

const plain = dialogue((call, request, turn) => sendCompletion(call, { content: answerOf(turn) }));

// One tool call a turn, in the order of the user's message, then the answer.
const tools = dialogue((call, request, turn) => {
  const planned = plannedCalls(request, turn)[turn.rounds];
  if (!planned) return sendCompletion(call, { content: answerOf(turn) });
  return sendCompletion(call, { content: null, tool_calls: toolCalls([planned], turn.rounds) });
});

// All tool calls in one message, then the answer.
const parallel = dialogue((call, request, turn) => {
  const planned = plannedCalls(request, turn);
  if (turn.rounds > 0 || planned.length === 0) return sendCompletion(call, { content: answerOf(turn) });
  return sendCompletion(call, { content: null, tool_calls: toolCalls(planned, 0) });
});

// Calls the same tool again and again.
const loopTools = dialogue((call, request, turn) => {
  const first = plannedCalls(request, turn)[0] ?? { name: request.tools?.[0]?.function.name ?? "none", arguments: "{}" };
  return sendCompletion(call, { content: null, tool_calls: toolCalls([first], turn.rounds) });
});

// A value that a JSON Schema accepts; numbers are as high as it allows.
function exampleOf(schema) {
  if (schema?.const !== undefined) return schema.const;
  if (schema?.enum) return schema.enum[0];
  const type = Array.isArray(schema?.type) ? schema.type[0] : schema?.type;
  if (type === "object") {
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, exampleOf(value)]));
  }
  if (type === "array") return [];
  if (type === "number" || type === "integer") return schema.maximum ?? 1;
  if (type === "boolean") return true;
  return "as the schema asks";
}

// The text inside the judged data is JSON-encoded once or twice; undo that.
function decoded(text) {
  return text.replace(/\\+(["\\/n])/g, (_, c) => (c === "n" ? "\n" : c));
}

// What follows VERDICT, up to the brace that closes it.
function balanced(text) {
  for (let depth = 0, i = 0; i < text.length; i++) {
    if (text[i] === "{") depth++;
    if (text[i] === "}" && --depth === 0) return text.slice(0, i + 1);
  }
  return null;
}

// A verdict written into the judged text: VERDICT{...} (one object), or
// VERDICT<<anything>>, sent as it stands; VERDICT!refuse, VERDICT!filter and
// VERDICT!length<<text>> end the reply in these ways.
function verdictIn(text) {
  const at = text.search(/VERDICT(\{|<<|!)/);
  if (at < 0) return null;
  const rest = text.slice(at + "VERDICT".length);
  if (rest[0] === "{") {
    const encoded = /^\{\s*\\/.test(rest);
    const object = balanced(encoded ? decoded(rest) : rest);
    return object && { message: { content: object } };
  }
  const ending = rest.match(/^!(refuse|filter|length)/)?.[1];
  const raw = decoded(rest.match(/^(?:![a-z]+)?<<([^]*?)>>/)?.[1] ?? "");
  if (ending === "refuse") return { message: { content: null, refusal: raw || "I cannot judge this." } };
  if (ending === "filter") return { message: { content: null }, finish: "content_filter" };
  if (ending === "length") return { message: { content: raw }, finish: "length" };
  return { message: { content: raw } };
}

// Order: header x-verdict, metadata.verdict, the judged text, the schema.
const judge = dialogue((call, request) => {
  const given = call.req.headers["x-verdict"] ?? request.metadata?.verdict;
  if (given !== undefined) return sendCompletion(call, { content: given });
  const text = request.messages.map((message) => textOf(message.content)).join("\n");
  const verdict = verdictIn(text);
  if (verdict) return sendCompletion(call, verdict.message, verdict.finish);
  const schema = request.response_format?.json_schema?.schema;
  const object = schema ? exampleOf(schema) : { score: 1, reason: "no schema was given" };
  return sendCompletion(call, { content: JSON.stringify(object) });
});

// Whatever follows is streamed, asked for or not.
function stream(call) {
  call.forceStream = true;
  return "next";
}

export const dialogueSteps = { plain, tools, parallel, loop_tools: loopTools, judge, stream };
