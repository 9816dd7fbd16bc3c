/* test_writer.c: JSON text that is written, and that it reads back. */
#include "json/writer.h"

#include "check_main.h"
#include "json/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The text of value; static, valid until the next call. */
static const char *write_text(const struct eh_json *value, unsigned flags) {
  static char out[4096];
  struct eh_buf buf;
  struct eh_err err;
  int rc;
  eh_buf_init(&buf, sizeof out - 1);
  rc = eh_json_write(&buf, value, flags, &err);
  ck_assert_msg(rc == 0, "%s", err.msg);
  memcpy(out, buf.data, buf.len + 1);
  eh_buf_free(&buf);
  return out;
}

/* text, read and written again. */
static const char *rewrite(const char *text, unsigned flags) {
  struct eh_arena arena;
  struct eh_json value;
  struct eh_err err;
  const char *out;
  int rc;
  eh_arena_init(&arena);
  rc = eh_json_parse(&arena, text, strlen(text), NULL, &value, &err);
  ck_assert_msg(rc == 0, "%s: %s", text, err.msg);
  out = write_text(&value, flags);
  eh_arena_free(&arena);
  return out;
}

START_TEST(integers_are_exact) {
  static const char *rows[] = {"9007199254740993",
                               "9223372036854775807",
                               "-9223372036854775808",
                               "9223372036854775808",
                               "0",
                               "-7",
                               "-99999999999999999999999"};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    ck_assert_str_eq(rewrite(rows[i], 0), rows[i]);
}
END_TEST

START_TEST(strings_are_escaped_minimally) {
  ck_assert_str_eq(rewrite("\"\\u0001\\u001f\\n\\t\\\"\\\\\\/\\u007f\"", 0),
                   "\"\\u0001\\u001f\\n\\t\\\"\\\\/\x7f\"");
  ck_assert_str_eq(rewrite("\"\\u2028 \\u2029 \\u20ac \\ud83d\\ude00\"", 0),
                   "\"\\u2028 \\u2029 \xe2\x82\xac \xf0\x9f\x98\x80\"");
  ck_assert_str_eq(rewrite("\"a\\u0000b\"", 0), "\"a\\u0000b\"");
  ck_assert_str_eq(rewrite("[\"</script>\",\"/\",\"<a/>\"]", 0),
                   "[\"</script>\",\"/\",\"<a/>\"]");
  ck_assert_str_eq(
      rewrite("[\"x</script>\",\"/\",\"<\",\"a/></\"]", EH_JSON_HTML),
      "[\"x<\\/script>\",\"/\",\"<\",\"a/><\\/\"]");
}
END_TEST

START_TEST(canonical_text_is_sorted) {
  const char *text = "{\"b\": 1.0, \"a\": {\"z\": 1, \"\": 2, \"aa\": [ ]},"
                     "\"\\u00e9\": 0, \"B\": {}}";
  ck_assert_str_eq(rewrite(text, EH_JSON_CANONICAL),
                   "{\"B\":{},\"a\":{\"\":2,\"aa\":[],\"z\":1},\"b\":1,"
                   "\"\xc3\xa9\":0}");
  ck_assert_str_eq(rewrite(text, EH_JSON_CANONICAL | EH_JSON_PRETTY),
                   rewrite(text, EH_JSON_CANONICAL));
  ck_assert_str_eq(rewrite("{\"b\":1,\"a\":2}", 0), "{\"b\":1,\"a\":2}");
}
END_TEST

START_TEST(pretty_text_is_indented) {
  ck_assert_str_eq(
      rewrite("{\"a\":[1,{\"b\":null}],\"c\":[],\"d\":{}}", EH_JSON_PRETTY),
      "{\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n"
      "  \"c\": [],\n  \"d\": {}\n}");
}
END_TEST

START_TEST(what_json_cannot_say_is_an_error) {
  struct eh_buf buf;
  struct eh_err err;
  struct eh_json value = {.type = EH_JSON_REAL, .as.real = NAN};
  eh_buf_init(&buf, 64);
  ck_assert_int_eq(eh_json_write(&buf, &value, 0, &err), EH_ERANGE);
  ck_assert_str_eq(err.msg, "NaN cannot be written as JSON");
  value.as.real = -INFINITY;
  ck_assert_int_eq(eh_json_write(&buf, &value, 0, NULL), EH_ERANGE);
  value = (struct eh_json){.type = EH_JSON_STRING,
                           .as.text = {.ptr = "a\xff", .len = 2}};
  ck_assert_int_eq(eh_json_write(&buf, &value, 0, &err), EH_EUTF8);
  value.as.text.ptr = "0123456789012345678901234567890123456789";
  value.as.text.len = 40;
  eh_buf_clear(&buf);
  ck_assert_int_eq(eh_json_write(&buf, &value, 0, &err), 0);
  ck_assert_int_eq(eh_json_write(&buf, &value, 0, &err), EH_ELIMIT);
  eh_buf_free(&buf);
}
END_TEST

START_TEST(depth_is_bounded) {
  static struct eh_json chain[EH_JSON_DEPTH_MAX + 1];
  struct eh_buf buf;
  for (size_t i = 0; i + 1 < sizeof chain / sizeof chain[0]; i++) {
    chain[i].type = EH_JSON_ARRAY;
    chain[i].as.array.items = &chain[i + 1];
    chain[i].as.array.count = 1;
  }
  eh_buf_init(&buf, 1 << 20);
  ck_assert_int_eq(eh_json_write(&buf, chain, 0, NULL), 0);
  chain[EH_JSON_DEPTH_MAX].type = EH_JSON_ARRAY;
  ck_assert_int_eq(eh_json_write(&buf, chain, 0, NULL), EH_EDEPTH);
  eh_buf_free(&buf);
}
END_TEST

CHECK_MAIN(writer, integers_are_exact, strings_are_escaped_minimally,
           canonical_text_is_sorted, pretty_text_is_indented,
           what_json_cannot_say_is_an_error, depth_is_bounded)
