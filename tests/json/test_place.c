/* test_place.c: line, column and offset of an error. */
#include "check_main.h"
#include "json/private.h"

static void check_place(const char *text, size_t offset, size_t line,
                        size_t column) {
  struct eh_err err;
  ck_assert_int_eq(
      eh_json_fail_at(&err, EH_EPARSE, text, text + offset, "%d", 7),
      EH_EPARSE);
  ck_assert_str_eq(err.msg, "7");
  ck_assert_uint_eq(err.line, line);
  ck_assert_uint_eq(err.column, column);
  ck_assert_uint_eq(err.offset, offset);
}

START_TEST(places_count_lines_and_characters) {
  check_place("", 0, 1, 1);
  check_place("abc", 2, 1, 3);
  check_place("a\nb\r\nc", 5, 3, 1);
  check_place("a\nb\r\nc", 1, 1, 2);
  check_place("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80x", 9, 1, 4);
  check_place("\xef\xbb\xbfxy", 4, 1, 2);
  check_place("\xef\xbb\xbfxy", 0, 1, 1);
}
END_TEST

START_TEST(long_keys_are_cut_between_characters) {
  char key[300];
  struct eh_err err;
  for (size_t i = 0; i < sizeof key; i += 3)
    memcpy(key + i, "\xe2\x82\xac", 3);
  ck_assert_int_eq(eh_json_fail_key(&err, "x", "x", key, sizeof key),
                   EH_EEXIST);
  ck_assert(eh_utf8_valid(err.msg, strlen(err.msg)));
  ck_assert_ptr_nonnull(strstr(err.msg, "...\" occurs twice"));
  ck_assert_int_eq(eh_json_fail_key(NULL, "x", "x", key, 3), EH_EEXIST);
}
END_TEST

CHECK_MAIN(place, places_count_lines_and_characters,
           long_keys_are_cut_between_characters)
