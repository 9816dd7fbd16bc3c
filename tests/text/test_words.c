/* test_words.c: where words begin and end. */
#include "text/words.h"

#include "base/buf.h"
#include "check_main.h"

#include <string.h>

static void check(const char *text, const char *want) {
  struct eh_span word;
  struct eh_buf out;
  size_t pos = 0;
  eh_buf_init(&out, 1000);
  while (eh_words_next(text, strlen(text), &pos, &word)) {
    if (out.len > 0)
      eh_buf_addc(&out, '|');
    eh_buf_add(&out, text + word.first, word.end - word.first);
  }
  ck_assert_str_eq(out.data, want);
  eh_buf_free(&out);
}

START_TEST(plain_words) {
  check("", "");
  check(" ... ", "");
  check("The price, today: high!", "The|price|today|high");
  check("get_stock_price", "get|stock|price");
  check("Q3 2024", "Q3|2024");
}
END_TEST

START_TEST(apostrophes_and_hyphens) {
  check("don't year-on-year", "don't|year-on-year");
  check("don\xE2\x80\x99t", "don\xE2\x80\x99t");
  check("'quoted' -x- a--b a-'b", "quoted|x|a|b|a|b");
  check("dogs' rock-", "dogs|rock");
}
END_TEST

START_TEST(numbers) {
  check("3.5 1,234.50 5. 5, 6", "3.5|1,234.50|5|5|6");
  check("1..2 a.b a,b v2.0", "1|2|a|b|a|b|v2.0");
  check("$5 10%", "5|10");
}
END_TEST

START_TEST(other_scripts) {
  check("caf\xC3\xA9 \xD0\xBC\xD0\xB8\xD1\x80",
        "caf\xC3\xA9|\xD0\xBC\xD0\xB8\xD1\x80");
  check("e\xCC\x81t\xC3\xA9", "e\xCC\x81t\xC3\xA9");
  check("\xE4\xBD\xA0\xE5\xA5\xBDok", "\xE4\xBD\xA0|\xE5\xA5\xBD|ok");
  check("ok\xE4\xBD\xA0", "ok|\xE4\xBD\xA0");
}
END_TEST

START_TEST(bad_bytes_separate) {
  check("ab\xFF"
        "cd\xE2\x82",
        "ab|cd");
  check("ab-\xFF", "ab");
}
END_TEST

CHECK_MAIN(words, plain_words, apostrophes_and_hyphens, numbers, other_scripts,
           bad_bytes_separate)
