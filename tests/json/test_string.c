/* test_string.c: strings that are read: escapes and UTF-8. */
#include "check_main.h"
#include "parse.h"

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

START_TEST(release) {
  eh_arena_free(&arena);
}
END_TEST

CHECK_MAIN(string, strings_are_decoded, bad_utf8_is_refused_with_its_place,
           release)
