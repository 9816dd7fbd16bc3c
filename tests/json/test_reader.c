/* test_reader.c: what the JSON reader accepts, refuses, and says about it. */
#include "check_main.h"
#include "parse.h"
#include "json/lines.h"

#include <stdio.h>

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

CHECK_MAIN(reader, malformed_text_is_refused, errors_say_where_and_what,
           nesting_is_bounded, size_is_bounded, a_byte_order_mark_is_an_option,
           the_json_test_suite, release)
