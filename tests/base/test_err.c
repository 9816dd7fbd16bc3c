/* test_err.c: names of codes, filling of errors, and errno mapping. */
#include "base/err.h"

#include "check_main.h"

#include <errno.h>
#include <string.h>

START_TEST(every_code_has_its_own_name) {
  ck_assert_str_eq(eh_err_name(0), "ok");
  for (int a = 0; a < EH_CODE_COUNT; a++) {
    ck_assert_uint_gt(strlen(eh_err_name(a)), 0);
    ck_assert_uint_gt(strlen(eh_err_text(a)), 0);
    for (int b = 0; b < a; b++)
      ck_assert_str_ne(eh_err_name(a), eh_err_name(b));
  }
  ck_assert_str_eq(eh_err_name(-1), "internal");
  ck_assert_str_eq(eh_err_name(EH_CODE_COUNT), "internal");
  ck_assert_str_eq(eh_err_text(9999), eh_err_text(EH_EINTERNAL));
}
END_TEST

START_TEST(set_clears_the_place) {
  struct eh_err err;
  memset(&err, 0xFF, sizeof err);
  ck_assert_int_eq(eh_err_set(&err, EH_EIO, "disk %d", 3), EH_EIO);
  ck_assert_int_eq(err.code, EH_EIO);
  ck_assert_str_eq(err.msg, "disk 3");
  ck_assert_uint_eq(err.line, 0);
  ck_assert_uint_eq(err.column, 0);
  ck_assert_uint_eq(err.offset, 0);
}
END_TEST

START_TEST(default_text_and_null) {
  struct eh_err err;
  eh_err_set(&err, EH_ETIMEOUT, NULL);
  ck_assert_str_eq(err.msg, "timed out");
  ck_assert_int_eq(eh_err_set(NULL, EH_EIO, "x"), EH_EIO);
  ck_assert_int_eq(eh_err_at(NULL, EH_EPARSE, 1, 2, 3, "x"), EH_EPARSE);
  ck_assert_int_eq(eh_err_errno(NULL, EACCES, "x"), EH_EPERM);
}
END_TEST

START_TEST(at_keeps_the_place) {
  struct eh_err err;
  eh_err_at(&err, EH_EPARSE, 7, 12, 345, "bad %s", "comma");
  ck_assert_uint_eq(err.line, 7);
  ck_assert_uint_eq(err.column, 12);
  ck_assert_uint_eq(err.offset, 345);
  ck_assert_str_eq(err.msg, "bad comma");
}
END_TEST

START_TEST(long_messages_are_cut) {
  struct eh_err err;
  char text[2000];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  eh_err_set(&err, EH_EIO, "%s", text);
  ck_assert_uint_eq(strlen(err.msg), sizeof err.msg - 1);
}
END_TEST

START_TEST(errno_is_mapped) {
  static const struct {
    int errnum;
    int code;
  } rows[] = {{ENOENT, EH_ENOENT}, {ENOTDIR, EH_ENOENT}, {EEXIST, EH_EEXIST},
              {EACCES, EH_EPERM},  {EPERM, EH_EPERM},    {EROFS, EH_EREADONLY},
              {ENOSPC, EH_EFULL},  {EDQUOT, EH_EFULL},   {EIO, EH_EIO},
              {ENOTTY, EH_EIO}};
  struct eh_err err;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ck_assert_int_eq(eh_err_errno(&err, rows[i].errnum, "a.csv"), rows[i].code);
    ck_assert_int_eq(strncmp(err.msg, "a.csv: ", 7), 0);
    ck_assert_ptr_nonnull(strstr(err.msg, strerror(rows[i].errnum)));
  }
}
END_TEST

CHECK_MAIN(err, every_code_has_its_own_name, set_clears_the_place,
           default_text_and_null, at_keeps_the_place, long_messages_are_cut,
           errno_is_mapped)
