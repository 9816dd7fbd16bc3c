/* test_utf8.c: what is valid UTF-8, and how it is walked, cut, repaired and
 * measured. */
#include "text/utf8.h"

#include "base/err.h"
#include "check_main.h"

#include <string.h>

static size_t check(const char *text) {
  return eh_utf8_check(text, strlen(text));
}

START_TEST(valid_texts) {
  static const char *const texts[] = {
      "",
      "plain ASCII, longer than one machine word",
      "\x7F",
      "\xC2\x80",
      "\xDF\xBF",
      "\xE0\xA0\x80",
      "\xED\x9F\xBF",
      "\xEE\x80\x80",
      "\xEF\xBF\xBF",
      "\xF0\x90\x80\x80",
      "\xF4\x8F\xBF\xBF",
      "12345678\xE2\x82\xAC"
      "12345678",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    ck_assert_uint_eq(check(texts[i]), strlen(texts[i]));
  ck_assert(eh_utf8_valid("a\0b", 3));
}
END_TEST

START_TEST(invalid_texts) {
  static const struct {
    const char *text;
    size_t bad;
  } rows[] = {
      {"\x80", 0},
      {"a\xBF", 1},
      {"\xC0\x80", 0},         /* NUL in two bytes */
      {"\xC1\xBF", 0},         /* longer than needed */
      {"\xE0\x9F\xBF", 0},     /* longer than needed */
      {"\xED\xA0\x80", 0},     /* a surrogate */
      {"\xED\xBF\xBF", 0},     /* a surrogate */
      {"\xF0\x8F\xBF\xBF", 0}, /* longer than needed */
      {"\xF4\x90\x80\x80", 0}, /* above U+10FFFF */
      {"\xF5\x80\x80\x80", 0},
      {"\xFE", 0},
      {"\xFF", 0},
      {"ab\xE2\x82", 2}, /* cut short */
      {"ab\xE2\x82z", 2},
      {"\xF0\x9F\x98", 0},
      {"12345678\xC3", 8},
      {"1234567\xC3(", 7},
      {"\xC3\xA9\xC3\xA9\xE9", 4},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    ck_assert_uint_eq(check(rows[i].text), rows[i].bad);
}
END_TEST

START_TEST(every_code_point_round_trips) {
  for (int32_t point = 0; point <= 0x10FFFF; point++) {
    char bytes[4];
    size_t size, pos = 0;
    if (point == 0xD800)
      point = 0xE000;
    size = eh_utf8_encode(point, bytes);
    if (!eh_utf8_valid(bytes, size) ||
        eh_utf8_next(bytes, size, &pos) != point || pos != size)
      ck_abort_msg("U+%04X", (unsigned)point);
    if (size > 1 && eh_utf8_valid(bytes, size - 1))
      ck_abort_msg("U+%04X cut short", (unsigned)point);
  }
}
END_TEST

START_TEST(what_is_no_code_point_is_replaced) {
  static const int32_t points[] = {-1, 0xD800, 0xDFFF, 0x110000};
  for (size_t i = 0; i < 4; i++) {
    char bytes[4];
    ck_assert_uint_eq(eh_utf8_encode(points[i], bytes), 3);
    ck_assert_mem_eq(bytes, "\xEF\xBF\xBD", 3);
  }
}
END_TEST

START_TEST(walking_over_bad_bytes) {
  const char *text = "a\xE2\x82z\xFF";
  size_t pos = 0;
  ck_assert_int_eq(eh_utf8_next(text, 5, &pos), 'a');
  ck_assert_int_eq(eh_utf8_next(text, 5, &pos), -1);
  ck_assert_uint_eq(pos, 3); /* one step for the two bytes */
  ck_assert_int_eq(eh_utf8_next(text, 5, &pos), 'z');
  ck_assert_int_eq(eh_utf8_next(text, 5, &pos), -1);
  ck_assert_uint_eq(pos, 5);
}
END_TEST

START_TEST(counting) {
  ck_assert_uint_eq(eh_utf8_count("", 0), 0);
  ck_assert_uint_eq(eh_utf8_count("abcdefghij", 10), 10);
  ck_assert_uint_eq(eh_utf8_count("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 10),
                    4);
  ck_assert_uint_eq(eh_utf8_count("\xFF\xFF\xE2\x82", 4), 3);
}
END_TEST

START_TEST(cutting) {
  const char *text = "a\xC3\xA9\xF0\x9F\x98\x80z";
  static const size_t want[] = {0, 1, 1, 3, 3, 3, 3, 7, 8, 8};
  for (size_t max = 0; max < sizeof want / sizeof want[0]; max++)
    ck_assert_uint_eq(eh_utf8_cut(text, 8, max), want[max]);
  ck_assert_uint_eq(eh_utf8_cut("\x80\x80\x80\x80\x80", 5, 4), 4);
  ck_assert_uint_eq(eh_utf8_cut("\xC3\xA9\xA9\xA9", 4, 3), 3);
}
END_TEST

static void check_repair(const char *text, const char *want) {
  struct eh_buf out;
  eh_buf_init(&out, 1000);
  ck_assert_int_eq(eh_utf8_repair(&out, text, strlen(text)), 0);
  ck_assert_str_eq(out.data, want);
  ck_assert(eh_utf8_valid(out.data, out.len));
  eh_buf_free(&out);
}

START_TEST(repairing) {
  check_repair("", "");
  check_repair("fine \xC3\xA9", "fine \xC3\xA9");
  check_repair("caf\xE9.", "caf\xEF\xBF\xBD.");
  check_repair("\xE2\x82", "\xEF\xBF\xBD");
  check_repair("\xF0\x9F\x98z", "\xEF\xBF\xBDz");
  check_repair("\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}
END_TEST

START_TEST(repairing_is_capped) {
  struct eh_buf out;
  eh_buf_init(&out, 6);
  eh_buf_adds(&out, "x");
  ck_assert_int_eq(eh_utf8_repair(&out, "abc\xFF", 4), EH_ELIMIT);
  ck_assert_str_eq(out.data, "x");
  eh_buf_free(&out);
}
END_TEST

START_TEST(measuring) {
  ck_assert_uint_eq(eh_utf8_width("abc", 3), 3);
  ck_assert_uint_eq(eh_utf8_width("e\xCC\x81", 3), 1);
  ck_assert_uint_eq(eh_utf8_width("\xE4\xBD\xA0\xE5\xA5\xBD", 6), 4);
  ck_assert_uint_eq(eh_utf8_width("\x1B\n", 2), 0);
  ck_assert_uint_eq(eh_utf8_width("\xFF", 1), 1);
}
END_TEST

START_TEST(fitting) {
  const char *text = "a\xE4\xBD\xA0"
                     "e\xCC\x81z"; /* columns 1 2 1 1 */
  static const size_t want[] = {0, 1, 1, 4, 7, 8, 8};
  for (size_t max = 0; max < 7; max++)
    ck_assert_uint_eq(eh_utf8_fit(text, 8, max), want[max]);
}
END_TEST

START_TEST(classes) {
  ck_assert(eh_utf8_is_space(' ') && eh_utf8_is_space('\t'));
  ck_assert(eh_utf8_is_space(0xA0) && eh_utf8_is_space(0x3000));
  ck_assert(!eh_utf8_is_space(0x200B) && !eh_utf8_is_space(-1));
  ck_assert(eh_utf8_is_word('a') && eh_utf8_is_word('0'));
  ck_assert(eh_utf8_is_word(0xE9) && eh_utf8_is_word(0x4F60));
  ck_assert(!eh_utf8_is_word('_') && !eh_utf8_is_word(0x20AC));
  ck_assert(!eh_utf8_is_word(-1));
  ck_assert(eh_utf8_is_lower('z') && eh_utf8_is_lower(0xE9));
  ck_assert(!eh_utf8_is_lower('Z') && !eh_utf8_is_lower(0xC9));
  ck_assert(!eh_utf8_is_lower('1') && !eh_utf8_is_lower(-1));
}
END_TEST

CHECK_MAIN(utf8, valid_texts, invalid_texts, every_code_point_round_trips,
           what_is_no_code_point_is_replaced, walking_over_bad_bytes, counting,
           cutting, repairing, repairing_is_capped, measuring, fitting, classes)
