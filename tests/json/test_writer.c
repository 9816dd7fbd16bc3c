/* test_writer.c: JSON text that is written, and that it reads back. */
#include "json/writer.h"

#include "check_main.h"
#include "json/number.h"
#include "json/reader.h"

#include <float.h>
#include <locale.h>
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

static const char *real(double x) {
  struct eh_json value = {.type = EH_JSON_REAL, .as.real = x};
  return write_text(&value, 0);
}

START_TEST(reals_are_short) {
  static const struct {
    double value;
    const char *text;
  } rows[] = {{0, "0"},
              {-0.0, "-0"},
              {1, "1"},
              {2500, "2500"},
              {0.5, "0.5"},
              {-0.85, "-0.85"},
              {0.1 + 0.2, "0.30000000000000004"},
              {1.0 / 3, "0.3333333333333333"},
              {123.456, "123.456"},
              {9007199254740991, "9007199254740991"},
              {-9007199254740991, "-9007199254740991"},
              {9007199254740992, "9.007199254740992e15"},
              {1e15 + 0.5, "1000000000000000.5"},
              {1e300, "1e300"},
              {5e-324, "5e-324"},
              {DBL_MAX, "1.7976931348623157e308"},
              {DBL_MIN, "2.2250738585072014e-308"},
              {0.001, "0.001"},
              {0.000123, "0.000123"},
              {1e-6, "0.000001"},
              {1.5e-6, "0.0000015"},
              {1.5e-7, "1.5e-7"},
              {99999999999999.9, "99999999999999.9"},
              {1e22, "1e22"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    ck_assert_str_eq(real(rows[i].value), rows[i].text);
}
END_TEST

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void check_round_trip(double x) {
  char text[EH_JSON_NUMBER_SIZE];
  struct eh_arena arena;
  struct eh_json value;
  double back;
  size_t len = eh_json_format_real(x, text);
  ck_assert_uint_eq(len, strlen(text));
  eh_arena_init(&arena);
  ck_assert_int_eq(eh_json_parse(&arena, text, len, NULL, &value, NULL), 0);
  back = value.type == EH_JSON_INT ? (double)value.as.integer : value.as.real;
  ck_assert_msg(memcmp(&back, &x, sizeof x) == 0, "%s is not %.17g", text, x);
  ck_assert_msg(strtod(text, NULL) == x, "%s is not %.17g", text, x);
  eh_arena_free(&arena);
}

START_TEST(reals_round_trip) {
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 30000; i++) {
    uint64_t bits = next_random(&state);
    double x;
    memcpy(&x, &bits, sizeof x);
    if (isfinite(x))
      check_round_trip(x);
    check_round_trip((double)(int64_t)(bits >> 20) / 1000);
    check_round_trip((double)(bits % 100000) / 1e7);
    check_round_trip((double)(bits >> 11) * 0x1p-53);
  }
}
END_TEST

START_TEST(no_shorter_text_reads_back) {
  uint64_t state = 42;
  for (int i = 0; i < 20000; i++) {
    double x = (double)(next_random(&state) % 10000000) / 1e5;
    char text[EH_JSON_NUMBER_SIZE], other[64];
    eh_json_format_real(x, text);
    for (int precision = 1; precision <= 17; precision++) {
      snprintf(other, sizeof other, "%.*g", precision, x);
      if (strtod(other, NULL) == x)
        break;
    }
    if (strchr(other, 'e') == NULL)
      ck_assert_str_eq(text, other);
  }
}
END_TEST

START_TEST(the_locale_does_not_matter) {
  static const char *names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (setlocale(LC_NUMERIC, names[i]) != NULL)
      break;
  ck_assert_str_eq(real(1.0 / 3), "0.3333333333333333");
  ck_assert_str_eq(real(1.25e300), "1.25e300");
  setlocale(LC_NUMERIC, "C");
}
END_TEST

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

CHECK_MAIN(writer, reals_are_short, reals_round_trip,
           no_shorter_text_reads_back, the_locale_does_not_matter,
           integers_are_exact, strings_are_escaped_minimally,
           canonical_text_is_sorted, pretty_text_is_indented,
           what_json_cannot_say_is_an_error, depth_is_bounded)
