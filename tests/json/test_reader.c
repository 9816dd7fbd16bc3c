/* test_reader.c: what the JSON reader accepts, refuses, and says about it. */
#include "json/reader.h"

#include "base/alloc.h"
#include "check_main.h"
#include "json/lines.h"
#include "json/writer.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct eh_arena arena;
static struct eh_json value;
static struct eh_err err;

static int parse_n(const char *text, size_t len,
                   const struct eh_json_opts *opts) {
  /* An exact copy, so that a sanitizer sees a read past the end. */
  char *copy = eh_malloc(len);
  int rc;
  memcpy(copy, text, len);
  eh_arena_free(&arena);
  memset(&value, 0, sizeof value);
  memset(&err, 0, sizeof err);
  rc = eh_json_parse(&arena, copy, len, opts, &value, &err);
  eh_free(copy);
  return rc;
}

static int parse(const char *text) {
  return parse_n(text, strlen(text), NULL);
}

static const char *hint(const char *text) {
  const char *found;
  ck_assert_msg(parse(text) != 0, "accepted: %s", text);
  found = eh_json_hint(text, strlen(text), &err);
  return found != NULL ? found : "";
}

START_TEST(integers_are_exact) {
  static const struct {
    const char *text;
    int64_t value;
  } rows[] = {{"0", 0},
              {"-1", -1},
              {"9007199254740993", INT64_C(9007199254740993)},
              {"9223372036854775807", INT64_MAX},
              {"-9223372036854775808", INT64_MIN},
              {" 12 ", 12}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ck_assert_int_eq(parse(rows[i].text), 0);
    ck_assert_int_eq(value.type, EH_JSON_INT);
    ck_assert(value.as.integer == rows[i].value);
  }
}
END_TEST

START_TEST(larger_integers_keep_their_digits) {
  static const char *rows[] = {"9223372036854775808", "-9223372036854775809",
                               "18446744073709551616",
                               "123456789012345678901234567890"};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ck_assert_int_eq(parse(rows[i]), 0);
    ck_assert_int_eq(value.type, EH_JSON_BIG);
    ck_assert_str_eq(value.as.text.ptr, rows[i]);
  }
}
END_TEST

/* The expected double is the compiler's own reading of the same literal. */
#define REAL(x)                                                                \
  { #x, x }
static const struct {
  const char *text;
  double value;
} reals[] = {REAL(0.1),
             REAL(1.5),
             REAL(-2.5e-3),
             REAL(1e22),
             REAL(1e23),
             REAL(123456789012345678.0),
             REAL(1.7976931348623157e308),
             REAL(2.2250738585072014e-308),
             REAL(4.9406564584124654e-324),
             REAL(9007199254740993.0),
             REAL(0.30000000000000004),
             REAL(8.9884656743115795e307),
             {"1e-400", 0.0},
             REAL(0e999999999999999999999),
             {"2.47032822920623272088284396434110686182e-324", 0.0},
             REAL(2.47032822920623272088284396434110686183e-324),
             REAL(9007199254740992.99999999999999999999999999999999999999),
             REAL(9007199254740993.00000000000000000000000000000000000001),
             REAL(100000000000000000000000000000000000000000000.0e-44),
             REAL(0.000000000000000000000000000000000000000000001e45)};

START_TEST(reals_are_correctly_rounded) {
  for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
    ck_assert_int_eq(parse(reals[i].text), 0);
    ck_assert_int_eq(value.type, EH_JSON_REAL);
    ck_assert_msg(memcmp(&value.as.real, &reals[i].value, 8) == 0,
                  "%s became %.17g", reals[i].text, value.as.real);
  }
}
END_TEST

/* 2^53 + 1 as a real, with a tail of zeros and, or without, a last 1 that
 * decides which way it rounds, far behind any buffer of digits. */
START_TEST(the_last_digit_decides) {
  char *text = eh_malloc(3000);
  strcpy(text, "9007199254740993.");
  memset(text + 17, '0', 2000);
  strcpy(text + 2017, "0");
  ck_assert_int_eq(parse(text), 0);
  ck_assert(value.as.real == 9007199254740992.0);
  strcpy(text + 2017, "1");
  ck_assert_int_eq(parse(text), 0);
  ck_assert(value.as.real == 9007199254740994.0);
  eh_free(text);
}
END_TEST

START_TEST(minus_zero_is_a_real) {
  ck_assert_int_eq(parse("-0"), 0);
  ck_assert_int_eq(value.type, EH_JSON_REAL);
  ck_assert(value.as.real == 0 && signbit(value.as.real));
}
END_TEST

START_TEST(numbers_too_large_are_a_range_error) {
  ck_assert_int_eq(parse("[1, 1e999]"), EH_ERANGE);
  ck_assert_uint_eq(err.offset, 4);
  ck_assert_int_eq(parse("-1e309"), EH_ERANGE);
  ck_assert_int_eq(parse("1e99999999999999999999999"), EH_ERANGE);
  ck_assert_int_eq(parse("1.7976931348623159e308"), EH_ERANGE);
}
END_TEST

START_TEST(the_locale_does_not_matter) {
  static const char *names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (setlocale(LC_NUMERIC, names[i]) != NULL)
      break;
  ck_assert_int_eq(parse("0.12345678901234567"), 0);
  ck_assert(value.as.real > 0.123 && value.as.real < 0.124);
  setlocale(LC_NUMERIC, "C");
}
END_TEST

START_TEST(strings_are_decoded) {
  static const struct {
    const char *text, *value;
    size_t len;
  } rows[] = {
      {"\"\"", "", 0},
      {"\"plain text longer than a word\"", "plain text longer than a word",
       29},
      {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8},
      {"\"a\\u0000b\"", "a\0b", 3},
      {"\"\\u00e9\\u20AC\"", "\xc3\xa9\xe2\x82\xac", 5},
      {"\"x\\ud83d\\uDE00y\"", "x\xf0\x9f\x98\x80y", 6},
      {"\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
       "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9},
      {"\"\x7f\"", "\x7f", 1},
      {"\"12345678\\n12345678\"", "12345678\n12345678", 17},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ck_assert_int_eq(parse(rows[i].text), 0);
    ck_assert_int_eq(value.type, EH_JSON_STRING);
    ck_assert_uint_eq(value.as.text.len, rows[i].len);
    ck_assert_mem_eq(value.as.text.ptr, rows[i].value, rows[i].len + 1);
  }
}
END_TEST

START_TEST(bad_utf8_is_refused_with_its_place) {
  static const char *rows[] = {"[\"\xff\"]",
                               "[\"\xc0\xaf\"]",
                               "[\"\xe2\x82\"]",
                               "[\"\xed\xa0\x80\"]",
                               "[\"\xf4\x90\x80\x80\"]",
                               "[\"\xf0\x80\x80\x80\"]",
                               "[\"\x80\"]",
                               "[\"\xc3\"]",
                               "[\"\\ud800\"]",
                               "[\"\\udc00\"]",
                               "[\"\\ud800\\u0041\"]",
                               "[\"\\ud800x\"]"};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ck_assert_int_eq(parse(rows[i]), EH_EUTF8);
    ck_assert_uint_eq(err.offset, 2);
  }
}
END_TEST

START_TEST(malformed_text_is_refused) {
  static const char *rows[] = {
      "",          " ",     "[",           "]",        "{",      "[1,]",
      "[,1]",      "[1 2]", "{\"a\"}",     "{\"a\":}", "{a:1}",  "{\"a\":1,}",
      "01",        "-",     "+1",          ".5",       "1.",     "1e",
      "1e+",       "-a",    "0x10",        "NaN",      "nul",    "truex",
      "\"",        "\"\\",  "\"\\u12\"",   "\"\\x\"",  "\"\n\"", "'a'",
      "1 2",       "{} []", "[1}",         "{\"a\"]",  "tru",    "-Infinity",
      "{1:2}",     "[1;2]", "\"\t\"",      "/**/1",    "[1]//",  "\f1",
      "{\"a\" 1}", "{,}",   "[\"a\"\"b\"]"};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    ck_assert_msg(parse(rows[i]) == EH_EPARSE, "%s: %d", rows[i], err.code);
}
END_TEST

START_TEST(errors_say_where_and_what) {
  ck_assert_int_eq(parse("{\n  \"a\": 1,\n  \"\xc3\xa9\": x\n}"), EH_EPARSE);
  ck_assert_uint_eq(err.line, 3);
  ck_assert_uint_eq(err.column, 8);
  ck_assert_uint_eq(err.offset, 20);
  ck_assert_str_eq(err.msg, "expected a value, found 'x'");
  parse("[1, 2");
  ck_assert_str_eq(
      err.msg,
      "expected ',' or ']' after an array item, found the end of the text");
  parse("{\"a\": None}");
  ck_assert_str_eq(err.msg, "expected a value, found 'None'");
  parse("1.x");
  ck_assert_str_eq(err.msg,
                   "expected a digit after the decimal point, found 'x'");
  parse("[1]\x01");
  ck_assert_str_eq(err.msg, "expected the end of the text after the value, "
                            "found the byte 0x01");
  parse("\"abc");
  ck_assert_str_eq(err.msg, "the text ends inside a string");
  ck_assert_uint_eq(err.offset, 4);
}
END_TEST

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

START_TEST(duplicate_keys_are_refused) {
  char *text;
  size_t len;
  struct eh_buf buf;
  ck_assert_int_eq(parse("{\"a\": 1, \"b\": 2, \"a\": 3}"), EH_EEXIST);
  ck_assert_uint_eq(err.offset, 17);
  ck_assert_str_eq(err.msg, "the key \"a\" occurs twice in one object");
  ck_assert_int_eq(parse("{\"a\": 1, \"\\u0061\": 3}"), EH_EEXIST);
  ck_assert_int_eq(parse("{\"a\": {\"a\": [{\"a\": 1}]}, \"A\": 2}"), 0);
  eh_buf_init(&buf, 1 << 20);
  for (int i = 0; i < 5000; i++)
    eh_buf_addf(&buf, "%s\"key%d\":%d", i ? "," : "{", i, i);
  eh_buf_adds(&buf, ",\"key4000\":0}");
  text = eh_buf_take(&buf, &len);
  ck_assert_int_eq(parse_n(text, len, NULL), EH_EEXIST);
  ck_assert_uint_eq(err.offset, len - 12);
  eh_free(text);
}
END_TEST

START_TEST(the_last_duplicate_wins_when_asked) {
  struct eh_json_opts opts = {.last_wins = true};
  const char *text = "{\"a\":1,\"b\":2,\"a\":{\"c\":0},\"b\":3,\"a\":4}";
  ck_assert_int_eq(parse_n(text, strlen(text), &opts), 0);
  ck_assert_uint_eq(value.as.object.count, 2);
  ck_assert_str_eq(value.as.object.members[0].key, "a");
  ck_assert(eh_json_get(&value, "a", 1)->as.integer == 4);
  ck_assert(eh_json_get(&value, "b", 1)->as.integer == 3);
}
END_TEST

START_TEST(nesting_is_bounded) {
  char *text = eh_malloc(100000);
  struct eh_json_opts opts = {.max_depth = 64};
  memset(text, '[', 100000);
  ck_assert_int_eq(parse_n(text, 100000, NULL), EH_EDEPTH);
  ck_assert_uint_eq(err.offset, EH_JSON_DEPTH);
  ck_assert_int_eq(parse_n(text, 100000, &opts), EH_EDEPTH);
  ck_assert_uint_eq(err.offset, 64);
  opts.max_depth = 1 << 30;
  ck_assert_int_eq(parse_n(text, 100000, &opts), EH_EDEPTH);
  ck_assert_uint_eq(err.offset, EH_JSON_DEPTH_MAX);
  memset(text + EH_JSON_DEPTH, ']', EH_JSON_DEPTH);
  ck_assert_int_eq(parse_n(text, 2 * EH_JSON_DEPTH, NULL), 0);
  for (int i = 0; i < 20000; i++)
    memcpy(text + 5 * i, "{\"\":", 4), text[5 * i + 4] = ' ';
  ck_assert_int_eq(parse_n(text, 100000, NULL), EH_EDEPTH);
  eh_free(text);
}
END_TEST

START_TEST(size_is_bounded) {
  struct eh_json_opts opts = {.max_bytes = 4};
  ck_assert_int_eq(parse_n("[1, 2]", 6, &opts), EH_ELIMIT);
  ck_assert_int_eq(parse_n("[12]", 4, &opts), 0);
}
END_TEST

START_TEST(a_byte_order_mark_is_an_option) {
  struct eh_json_opts opts = {.bom = true};
  const char *text = "\xef\xbb\xbf{\"a\": x}";
  ck_assert_int_eq(parse(text), EH_EPARSE);
  ck_assert_uint_eq(err.offset, 0);
  ck_assert_int_eq(parse_n(text, strlen(text), &opts), EH_EPARSE);
  ck_assert_uint_eq(err.column, 7);
  ck_assert_uint_eq(err.offset, 9);
  ck_assert_int_eq(parse_n("\xef\xbb\xbf[]", 5, &opts), 0);
}
END_TEST

START_TEST(objects_keep_their_order) {
  ck_assert_int_eq(parse("{\"z\": [1, {}, []], \"a\": {\"x\": null}, \"\": 0}"),
                   0);
  ck_assert_uint_eq(value.as.object.count, 3);
  ck_assert_str_eq(value.as.object.members[0].key, "z");
  ck_assert_uint_eq(value.as.object.members[0].value.as.array.count, 3);
  ck_assert_str_eq(value.as.object.members[2].key, "");
  ck_assert_ptr_eq((void *)eh_json_get(&value, "q", 1), NULL);
  ck_assert_str_eq(eh_json_type_name(eh_json_get(&value, "a", 1)), "object");
}
END_TEST

static int decode_base64(const char *text, size_t len, char *out) {
  static const char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned bits = 0;
  int held = 0, n = 0;
  for (size_t i = 0; i < len && text[i] != '='; i++) {
    const char *found = strchr(digits, text[i]);
    ck_assert(found != NULL);
    bits = bits << 6 | (unsigned)(found - digits);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out[n++] = (char)(bits >> held & 0xff);
    }
  }
  return n;
}

/* Checks one row; returns 1. */
static int check_row(const struct eh_line *line) {
  struct eh_arena row_arena;
  struct eh_json row;
  const struct eh_json *bytes, *expect, *name;
  char *text;
  int len, rc;
  eh_arena_init(&row_arena);
  rc = eh_json_parse(&row_arena, line->text, line->len, NULL, &row, &err);
  ck_assert_msg(rc == 0, "row %zu: %s", line->number, err.msg);
  bytes = eh_json_get(&row, "base64", 6);
  expect = eh_json_get(&row, "expect", 6);
  name = eh_json_get(&row, "name", 4);
  ck_assert(bytes != NULL && expect != NULL && name != NULL);
  text = eh_malloc(bytes->as.text.len + 1);
  len = decode_base64(bytes->as.text.ptr, bytes->as.text.len, text);
  rc = parse_n(text, (size_t)len, NULL);
  /* One departure from the suite: equal keys are refused unless asked. */
  if (rc == EH_EEXIST) {
    struct eh_json_opts opts = {.last_wins = true};
    rc = parse_n(text, (size_t)len, &opts);
  }
  if (strcmp(expect->as.text.ptr, "accept") == 0)
    ck_assert_msg(rc == 0, "%s: %s", name->as.text.ptr, err.msg);
  else if (strcmp(expect->as.text.ptr, "reject") == 0)
    ck_assert_msg(rc != 0, "%s was accepted", name->as.text.ptr);
  eh_free(text);
  eh_arena_free(&row_arena);
  return 1;
}

START_TEST(the_json_test_suite) {
  const char *data = getenv("EVALHOST_DATA");
  char path[4096];
  struct eh_lines *lines;
  struct eh_line line;
  int rows = 0;
  snprintf(path, sizeof path, "%s/formats/json_test_suite_sample.jsonl",
           data != NULL ? data : EVALHOST_DATA);
  if (eh_lines_open(&lines, path, 0, NULL) != 0) {
    printf("skipped: %s is absent\n", path);
    return;
  }
  while (eh_lines_next(lines, &line, &err) == 0 && line.text != NULL)
    rows += check_row(&line);
  eh_lines_close(lines);
  printf("json test suite: %d rows checked\n", rows);
  ck_assert_int_gt(rows, 0);
}
END_TEST

START_TEST(release) {
  eh_arena_free(&arena);
}
END_TEST

CHECK_MAIN(reader, integers_are_exact, larger_integers_keep_their_digits,
           reals_are_correctly_rounded, the_last_digit_decides,
           minus_zero_is_a_real, numbers_too_large_are_a_range_error,
           the_locale_does_not_matter, strings_are_decoded,
           bad_utf8_is_refused_with_its_place, malformed_text_is_refused,
           errors_say_where_and_what, common_mistakes_get_a_hint,
           duplicate_keys_are_refused, the_last_duplicate_wins_when_asked,
           nesting_is_bounded, size_is_bounded, a_byte_order_mark_is_an_option,
           objects_keep_their_order, the_json_test_suite, release)
