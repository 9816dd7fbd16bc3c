/* test_hint.c: what a person is told to do about a malformed text. */
#include "check_main.h"
#include "parse.h"

static const char *hint(const char *text) {
  const char *found;
  ck_assert_msg(parse(text) != 0, "accepted: %s", text);
  found = eh_json_hint(text, strlen(text), &err);
  return found != NULL ? found : "";
}

START_TEST(common_mistakes_get_a_hint) {
  static const struct {
    const char *text, *word;
  } rows[] = {{"{'a': 1}", "single"},
              {"[1, 2, ]", "comma"},
              {"{\"a\": 1, }", "comma"},
              {"{\"a\": \"he said \"no\" twice\"}", "\\\""},
              {"[\"\"a\"\"]", "\\\""},
              {"[NaN]", "NaN"},
              {"{\"a\": None}", "null"},
              {"{\"a\": True}", "true"},
              {"{a: 1}", "keys"},
              {"{\"a\": 1, b : 2}", "keys"},
              {"{} {}", "array"},
              {"", "empty"},
              {"[1, [2, 3]", "closed"},
              {"{\"a\" \"b\"}", "missing"},
              {"\"C:\\data\"", "backslash"},
              {"\"a\nb\"", "\\n"},
              {"```json\n{}\n```", "fence"},
              {"[1 // one\n]", "comment"},
              {"\xef\xbb\xbf{}", "byte order mark"},
              {"\xff\xfe{", "UTF-16"},
              {"[\xe2\x80\x9cx\xe2\x80\x9d]", "straight"},
              {"[007]", "zeros"},
              {"[+1]", "plus"},
              {"{\"a\":1,\"a\":2}", "keep"},
              {"[1e999]", "e308"},
              {"\"\xe9\"", "UTF-8"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const char *found = hint(rows[i].text);
    ck_assert_msg(strstr(found, rows[i].word) != NULL, "%s: \"%s\"",
                  rows[i].text, found);
  }
}
END_TEST

START_TEST(release) {
  eh_arena_free(&arena);
}
END_TEST

CHECK_MAIN(hint, common_mistakes_get_a_hint, release)
