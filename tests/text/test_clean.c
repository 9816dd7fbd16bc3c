/* test_clean.c: nothing that a terminal obeys, and nothing invisible, gets
 * through. */
#include "text/clean.h"

#include "base/err.h"
#include "check_main.h"
#include "text/utf8.h"

#include <string.h>

static void check(const char *text, unsigned flags, const char *want) {
  struct eh_buf out;
  eh_buf_init(&out, 1000);
  ck_assert_int_eq(eh_utf8_clean(&out, text, strlen(text), flags), 0);
  ck_assert_str_eq(out.data, want);
  eh_buf_free(&out);
}

START_TEST(plain_text_stays) {
  check("", 0, "");
  check("Price: $5 \xE2\x82\xAC 10 ~", 0, "Price: $5 \xE2\x82\xAC 10 ~");
}
END_TEST

START_TEST(line_breaks_and_tabs) {
  check("a\nb\r\nc\rd\te", 0, "a b c d e");
  check("a\nb\r\nc\rd\te", EH_CLEAN_NEWLINES, "a\nb\nc\nd\te");
  check("a\xC2\x85"
        "b\xE2\x80\xA8"
        "c\xE2\x80\xA9"
        "d",
        EH_CLEAN_NEWLINES, "a\nb\nc\nd");
  check("a\vb\fc", EH_CLEAN_NEWLINES, "a b c");
}
END_TEST

START_TEST(escape_sequences_go) {
  check("\x1B[31mred\x1B[0m", 0, "red");
  check("\x1B[38;5;1;?25 hx", 0, "x");
  check("\x1B]0;title\x07x", 0, "x");
  check("\x1B]8;;http://x\x1B\\link\x1B]8;;\x1B\\", 0, "link");
  check("\x1BP1$r\x1B\\x", 0, "x");
  check("\x1B(0x\x1B"
        "cy\x1B#8z",
        0, "xyz");
  check("\xC2\x9B"
        "31mred",
        0, "red");
  check("\xC2\x9D"
        "0;t\xC2\x9Cx",
        0, "x");
  check("end\x1B", 0, "end");
  check("end\x1B[", 0, "end");
  check("end\x1B[12", 0, "end");
}
END_TEST

START_TEST(unfinished_strings_do_not_swallow_the_text) {
  check("\x1B]0;the answer is 5", 0, "0;the answer is 5");
  check("\x1B]a\nb", 0, "a b");
  check("\x1B]a\x1B[1mb", 0, "ab");
}
END_TEST

START_TEST(controls_go) {
  check("a\x01\x08\x7F"
        "b\xC2\x80"
        "c",
        0, "abc");
  check("\x1B\x1B[31m", 0, "");
}
END_TEST

START_TEST(hidden_characters_go) {
  check("a\xE2\x80\xAE"
        "b\xE2\x81\xA6"
        "c\xD8\x9C"
        "d",
        0, "abcd");
  check("a\xE2\x80\x8B"
        "b\xEF\xBB\xBF"
        "c\xC2\xAD"
        "d",
        0, "abcd");
  check("x\xF3\xA0\x81\x81y", 0, "xy"); /* U+E0041, a tag */
}
END_TEST

START_TEST(joiners_stay_where_they_mean_something) {
  const char *heart = "\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x80\x8D\xF0\x9F\x94\xA5";
  check(heart, 0, heart);
  check("a\xE2\x80\x8D"
        "b",
        0, "ab");
  check("\xE2\x9D\xA4\xEF\xB8\x8F\xEF\xB8\x8E\xEF\xB8\x8F\xEF\xB8\x8E", 0,
        "\xE2\x9D\xA4\xEF\xB8\x8F\xEF\xB8\x8E");
}
END_TEST

START_TEST(bad_bytes_are_replaced) {
  check("a\x9B"
        "31mb",
        0,
        "a\xEF\xBF\xBD"
        "31mb");
}
END_TEST

/* Whatever goes in: valid, no controls, and cleaning again changes nothing. */
START_TEST(any_bytes_come_out_clean) {
  unsigned state = 12345;
  for (int round = 0; round < 20000; round++) {
    static const char bytes[] = "\x1B[]0;mP\\\x07\x9B\xC2\x9C\xE2\x80\xAE"
                                "a\n\r\xFF";
    char text[24];
    struct eh_buf once, twice;
    for (size_t i = 0; i < sizeof text; i++) {
      state = state * 1103515245 + 12345;
      text[i] = bytes[(state >> 16) % (sizeof bytes - 1)];
    }
    eh_buf_init(&once, 1000);
    eh_buf_init(&twice, 1000);
    ck_assert_int_eq(eh_utf8_clean(&once, text, sizeof text, 0), 0);
    ck_assert(eh_utf8_valid(once.data, once.len));
    for (size_t i = 0; i < once.len; i++)
      ck_assert(once.data[i] < 0 || once.data[i] >= ' ');
    ck_assert_ptr_null(strstr(once.data, "\xC2\x9B"));
    eh_utf8_clean(&twice, once.data, once.len, 0);
    ck_assert_str_eq(twice.data, once.data);
    eh_buf_free(&once);
    eh_buf_free(&twice);
  }
}
END_TEST

START_TEST(a_failure_leaves_the_buffer) {
  struct eh_buf out;
  eh_buf_init(&out, 5);
  eh_buf_adds(&out, "x");
  ck_assert_int_eq(eh_utf8_clean(&out, "a\nbcdef", 7, 0), EH_ELIMIT);
  ck_assert_str_eq(out.data, "x");
  eh_buf_free(&out);
}
END_TEST

CHECK_MAIN(clean, plain_text_stays, line_breaks_and_tabs, escape_sequences_go,
           unfinished_strings_do_not_swallow_the_text, controls_go,
           hidden_characters_go, joiners_stay_where_they_mean_something,
           bad_bytes_are_replaced, any_bytes_come_out_clean,
           a_failure_leaves_the_buffer)
