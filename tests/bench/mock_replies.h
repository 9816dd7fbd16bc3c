/* mock_replies.h: the fixed completions of mock.c, by the kind in the path. */
#ifndef EH_TESTS_BENCH_MOCK_REPLIES_H
#define EH_TESTS_BENCH_MOCK_REPLIES_H

#define ANSWER                                                                 \
  "The capital of France is Paris. It lies on the river Seine in the north "   \
  "of the country, and about two million people live in the city itself."
#define HEAD                                                                   \
  "{\"id\":\"chatcmpl-mock000000000001\",\"object\":\"chat.completion\","      \
  "\"created\":1750000000,\"model\":\"mock\",\"choices\":[{\"index\":0,"       \
  "\"message\":{\"role\":\"assistant\",\"content\":"
#define TAIL(reason)                                                           \
  ",\"refusal\":null},\"logprobs\":null,\"finish_reason\":\"" reason "\"}],"   \
  "\"usage\":{\"prompt_tokens\":57,\"completion_tokens\":41,"                  \
  "\"total_tokens\":98,\"prompt_tokens_details\":{\"cached_tokens\":0},"       \
  "\"completion_tokens_details\":{\"reasoning_tokens\":0}},"                   \
  "\"system_fingerprint\":\"fp_mock\"}"

enum kind { KIND_TEXT, KIND_JSON, KIND_JUDGE, KIND_TOOL, KINDS };

static const struct {
  const char *prefix;
  const char *body;
} kinds[KINDS] = {
    [KIND_TEXT] = {"/text", HEAD "\"" ANSWER "\"" TAIL("stop")},
    [KIND_JSON] = {"/json", HEAD
                   "\"{\\\"answer\\\": \\\"" ANSWER "\\\", "
                   "\\\"city\\\": \\\"Paris\\\", \\\"confidence\\\": "
                   "0.97, \\\"sources\\\": [\\\"atlas\\\"]}\"" TAIL("stop")},
    [KIND_JUDGE] = {"/judge",
                    HEAD "\"{\\\"score\\\": 0.9, \\\"reasoning\\\": \\\"The "
                         "answer names Paris and contradicts "
                         "nothing.\\\"}\"" TAIL("stop")},
    [KIND_TOOL] = {"/tool",
                   HEAD "null,\"tool_calls\":[{\"id\":\"call_mock01\","
                        "\"type\":\"function\",\"function\":{\"name\":"
                        "\"get_weather\",\"arguments\":\"{\\\"city\\\": "
                        "\\\"Paris\\\"}\"}}]" TAIL("tool_calls")},
};

#endif
