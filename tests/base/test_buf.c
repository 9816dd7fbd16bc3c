/* test_buf.c: growth, caps, formatting and handing over of buffers. */
#include "base/buf.h"

#include "base/alloc.h"
#include "base/err.h"
#include "check_main.h"

#include <string.h>

START_TEST(empty_is_terminated) {
  struct eh_buf buf;
  eh_buf_init(&buf, 10);
  ck_assert_str_eq(buf.data, "");
  ck_assert_uint_eq(buf.len, 0);
  ck_assert_int_eq(eh_buf_add(&buf, NULL, 0), 0);
  ck_assert_str_eq(buf.data, "");
  eh_buf_free(&buf);
  eh_buf_free(&buf);
}
END_TEST

START_TEST(grows_and_stays_terminated) {
  struct eh_buf buf;
  eh_buf_init(&buf, 100000);
  for (int i = 0; i < 100000; i++)
    ck_assert_int_eq(eh_buf_addc(&buf, (char)('a' + i % 26)), 0);
  ck_assert_uint_eq(buf.len, 100000);
  ck_assert_uint_eq(strlen(buf.data), 100000);
  ck_assert_int_eq(buf.data[99999], 'a' + 99999 % 26);
  eh_buf_free(&buf);
}
END_TEST

START_TEST(cap_is_exact) {
  struct eh_buf buf;
  eh_buf_init(&buf, 5);
  ck_assert_int_eq(eh_buf_add(&buf, "abcde", 5), 0);
  ck_assert_int_eq(eh_buf_addc(&buf, 'f'), EH_ELIMIT);
  ck_assert_int_eq(eh_buf_adds(&buf, "xyz"), EH_ELIMIT);
  ck_assert_int_eq(eh_buf_addf(&buf, "%d", 7), EH_ELIMIT);
  ck_assert_int_eq(eh_buf_reserve(&buf, (size_t)-1), EH_ELIMIT);
  ck_assert_str_eq(buf.data, "abcde");
  eh_buf_free(&buf);
  ck_assert_uint_eq(buf.max, 5);
}
END_TEST

START_TEST(zero_cap_takes_nothing) {
  struct eh_buf buf;
  eh_buf_init(&buf, 0);
  ck_assert_int_eq(eh_buf_add(&buf, "", 0), 0);
  ck_assert_int_eq(eh_buf_addc(&buf, 'a'), EH_ELIMIT);
  eh_buf_free(&buf);
}
END_TEST

START_TEST(formats_at_the_end) {
  struct eh_buf buf;
  eh_buf_init(&buf, 1000);
  eh_buf_adds(&buf, "n=");
  ck_assert_int_eq(eh_buf_addf(&buf, "%d:%s", 42, "x"), 0);
  ck_assert_str_eq(buf.data, "n=42:x");
  ck_assert_int_eq(eh_buf_addf(&buf, "%500d", 1), 0);
  ck_assert_uint_eq(buf.len, 506);
  eh_buf_free(&buf);
}
END_TEST

START_TEST(holds_nul_bytes) {
  struct eh_buf buf;
  eh_buf_init(&buf, 100);
  eh_buf_add(&buf, "a\0b", 3);
  ck_assert_uint_eq(buf.len, 3);
  ck_assert_mem_eq(buf.data, "a\0b", 4);
  eh_buf_free(&buf);
}
END_TEST

START_TEST(clear_keeps_memory) {
  struct eh_buf buf;
  size_t cap;
  eh_buf_init(&buf, 1000);
  eh_buf_adds(&buf, "some text");
  cap = buf.cap;
  eh_buf_clear(&buf);
  ck_assert_str_eq(buf.data, "");
  ck_assert_uint_eq(buf.len, 0);
  ck_assert_uint_eq(buf.cap, cap);
  eh_buf_free(&buf);
}
END_TEST

START_TEST(take_hands_over) {
  struct eh_buf buf;
  size_t len = 99;
  char *text;
  eh_buf_init(&buf, 1000);
  text = eh_buf_take(&buf, &len);
  ck_assert_str_eq(text, "");
  ck_assert_uint_eq(len, 0);
  eh_free(text);
  eh_buf_adds(&buf, "mine");
  text = eh_buf_take(&buf, NULL);
  ck_assert_str_eq(text, "mine");
  eh_free(text);
  ck_assert_str_eq(buf.data, "");
  ck_assert_int_eq(eh_buf_adds(&buf, "again"), 0);
  eh_buf_free(&buf);
}
END_TEST

CHECK_MAIN(buf, empty_is_terminated, grows_and_stays_terminated, cap_is_exact,
           zero_cap_takes_nothing, formats_at_the_end, holds_nul_bytes,
           clear_keeps_memory, take_hands_over)
