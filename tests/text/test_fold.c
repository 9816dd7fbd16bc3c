/* test_fold.c: case folding, NFKC, white space, and invalid texts. */
#include "text/fold.h"

#include "check_main.h"
#include "text/utf8.h"

#include <string.h>

static void check(const char *text, unsigned flags, const char *want) {
  struct eh_buf out;
  struct eh_err err;
  eh_buf_init(&out, 1000);
  eh_buf_adds(&out, ">");
  ck_assert_int_eq(eh_fold_text(&out, text, strlen(text), flags, &err), 0);
  ck_assert_str_eq(out.data + 1, want);
  ck_assert_uint_eq(out.len, strlen(want) + 1);
  eh_buf_free(&out);
}

START_TEST(case_folding) {
  check("", EH_FOLD_CASE, "");
  check("Hello, World! 123", EH_FOLD_CASE, "hello, world! 123");
  check("STRASSE Stra\xC3\x9F"
        "e",
        EH_FOLD_CASE, "strasse strasse");
  check("\xC3\x89T\xC3\x89", EH_FOLD_CASE, "\xC3\xA9t\xC3\xA9");
  check("\xCE\xA3\xCF\x83\xCF\x82", EH_FOLD_CASE, "\xCF\x83\xCF\x83\xCF\x83");
  check("\xEF\xAC\x81", EH_FOLD_CASE, "fi"); /* full folding */
  check("A\tB  C ", EH_FOLD_CASE, "a\tb  c ");
  check("\xC3\x84 \xE2\x82\xAC", 0, "\xC3\x84 \xE2\x82\xAC");
}
END_TEST

START_TEST(compatibility_forms) {
  check("\xEF\xBC\xA1\xEF\xBC\x91", EH_FOLD_NFKC, "A1");
  check("\xEF\xBC\xA1", EH_FOLD_NFKC | EH_FOLD_CASE, "a");
  check("e\xCC\x81", EH_FOLD_NFKC, "\xC3\xA9");
  check("\xE2\x84\xA2\xC2\xBD", EH_FOLD_NFKC,
        "TM1\xE2\x81\x84"
        "2");
  check("e\xCC\x81", EH_FOLD_CASE, "e\xCC\x81");
}
END_TEST

START_TEST(white_space) {
  const unsigned both = EH_FOLD_SPACE | EH_FOLD_TRIM;
  check("  a \t\n b  ", both, "a b");
  check("  a \t\n b  ", EH_FOLD_TRIM, "a \t\n b");
  check("  a \t\n b  ", EH_FOLD_SPACE, " a b ");
  check(" \n ", both, "");
  check(" \n ", EH_FOLD_TRIM, "");
  check("\xC2\xA0"
        "a\xE3\x80\x80\xE2\x80\x89"
        "b\xC2\xA0",
        both, "a b");
  check("\xE2\x80\x83\xC3\xA9\xE2\x80\x83", EH_FOLD_TRIM, "\xC3\xA9");
  check("A \xC2\xA0 \xC3\x89 ", EH_FOLD_ALL, "a \xC3\xA9");
}
END_TEST

START_TEST(invalid_texts) {
  struct eh_buf out;
  struct eh_err err;
  eh_buf_init(&out, 1000);
  eh_buf_adds(&out, "x");
  ck_assert_int_eq(eh_fold_text(&out, "AB\xFF", 3, EH_FOLD_ALL, &err),
                   EH_EUTF8);
  ck_assert_uint_eq(err.offset, 2);
  ck_assert_str_eq(out.data, "x");
  eh_buf_free(&out);
  check(" A \xFF\xC3\x89  B ", EH_FOLD_ALL | EH_FOLD_LAX, "a \xFF\xC3\x89 b");
}
END_TEST

START_TEST(caps) {
  static const unsigned flags[] = {EH_FOLD_CASE, EH_FOLD_NFKC};
  for (size_t i = 0; i < 2; i++) {
    struct eh_buf out;
    eh_buf_init(&out, 5);
    eh_buf_adds(&out, "x");
    ck_assert_int_eq(eh_fold_text(&out, "abcde", 5, flags[i], NULL), EH_ELIMIT);
    ck_assert_int_eq(eh_fold_text(&out, "abc\xC3\x89", 5, flags[i], NULL),
                     EH_ELIMIT);
    ck_assert_str_eq(out.data, "x");
    eh_buf_free(&out);
  }
}
END_TEST

/* Folding what was folded changes nothing, for every code point. */
static void check_stable(unsigned flags) {
  struct eh_buf once, twice;
  eh_buf_init(&once, 1000);
  eh_buf_init(&twice, 1000);
  for (int32_t point = 1; point <= 0x10FFFF; point++) {
    char bytes[4];
    if (point == 0xD800)
      point = 0xE000;
    eh_buf_clear(&once);
    eh_buf_clear(&twice);
    eh_fold_text(&once, bytes, eh_utf8_encode(point, bytes), flags, NULL);
    eh_fold_text(&twice, once.data, once.len, flags, NULL);
    if (strcmp(once.data, twice.data) != 0)
      ck_abort_msg("U+%04X", (unsigned)point);
  }
  eh_buf_free(&once);
  eh_buf_free(&twice);
}

START_TEST(folding_is_stable) {
  check_stable(EH_FOLD_CASE);
  check_stable(EH_FOLD_ALL);
}
END_TEST

CHECK_MAIN(fold, case_folding, compatibility_forms, white_space, invalid_texts,
           caps, folding_is_stable)
