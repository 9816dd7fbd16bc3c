// requests.mjs: what the real API would refuse in a chat completions request.

function checkTools(tools) {
  if (tools === undefined) return null;
  if (!Array.isArray(tools) || tools.length === 0) return "tools: expected a list that is not empty";
  for (const tool of tools) {
    if (tool?.type !== "function") return "tools: type must be function";
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(tool.function?.name ?? "")) return "tools: bad function name";
    const parameters = tool.function.parameters;
    if (parameters !== undefined && (parameters === null || typeof parameters !== "object" || Array.isArray(parameters))) {
      return `tools: parameters of ${tool.function.name} must be an object`;
    }
  }
  return null;
}

function checkAssistant(message, at, pending) {
  for (const call of message.tool_calls ?? []) {
    if (typeof call.id !== "string" || call.type !== "function") return `${at}: a tool call needs id and type`;
    if (typeof call.function?.arguments !== "string") return `${at}: arguments must be a string`;
    pending.add(call.id);
  }
  if (Array.isArray(message.tool_calls) && message.tool_calls.length === 0) return `${at}: tool_calls is empty`;
  if (!message.tool_calls && typeof message.content !== "string") return `${at}: content is missing`;
  return null;
}

function checkMessage(message, at, pending) {
  if (message?.role === "tool") {
    if (!pending.delete(message.tool_call_id)) return `${at}: no tool call ${message.tool_call_id} to answer`;
    return typeof message.content === "string" ? null : `${at}: content of a tool message must be a string`;
  }
  if (pending.size > 0) return `${at}: tool calls without an answer: ${[...pending].join(", ")}`;
  if (message?.role === "assistant") return checkAssistant(message, at, pending);
  if (!["system", "developer", "user"].includes(message?.role)) return `${at}: unknown role`;
  if (typeof message.content === "string" || Array.isArray(message.content)) return null;
  return `${at}: content is missing`;
}

// What is wrong with a request, or null.
export function problemOf(request) {
  if (request === undefined) return "the body is not JSON";
  if (typeof request.model !== "string") return "you must provide a model parameter";
  if (!Array.isArray(request.messages) || request.messages.length === 0) return "messages: expected a list that is not empty";
  if (request.stream_options && request.stream !== true) return "stream_options is only allowed when stream is true";
  const pending = new Set();
  for (const [i, message] of request.messages.entries()) {
    const problem = checkMessage(message, `messages[${i}]`, pending);
    if (problem) return problem;
  }
  if (pending.size > 0) return `tool calls without an answer: ${[...pending].join(", ")}`;
  const format = request.response_format;
  if (format?.type === "json_schema" && (typeof format.json_schema?.name !== "string" || !format.json_schema.schema)) {
    return "response_format: json_schema needs name and schema";
  }
  return checkTools(request.tools);
}
