/* test_file.c: what a caller in C relies on; tests/bind/test_fs.c has the
 * rest, as scripts see it. */
#include "base/file.h"

#include "check_main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char folder[64], path[96];

static void make(void) {
  strcpy(folder, "/tmp/evalhost-test-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/x", folder);
}

static void put_file(const char *text) {
  struct eh_file_writer writer;
  ck_assert_int_eq(eh_file_writer_open(&writer, path, NULL), 0);
  ck_assert_int_eq(eh_file_writer_add(&writer, text, strlen(text), NULL), 0);
  ck_assert_int_eq(eh_file_writer_commit(&writer, NULL), 0);
  eh_file_writer_abort(&writer); /* harmless */
}

START_TEST(a_buffer_is_replaced) {
  struct eh_buf text;
  struct eh_err err;
  make();
  put_file("first");
  eh_buf_init(&text, 5);
  ck_assert_int_eq(eh_file_read(path, &text, &err), 0);
  ck_assert_int_eq(eh_file_read(path, &text, &err), 0);
  ck_assert_str_eq(text.data, "first");
  put_file("longer");
  ck_assert_int_eq(eh_file_read(path, &text, &err), EH_ELIMIT);
  ck_assert_ptr_nonnull(strstr(err.msg, path));
  eh_buf_free(&text);
  unlink(path);
  ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(two_writers_do_not_meet) {
  struct eh_file_writer one, two;
  struct eh_buf text;
  make();
  ck_assert_int_eq(eh_file_writer_open(&one, path, NULL), 0);
  ck_assert_int_eq(eh_file_writer_open(&two, path, NULL), 0);
  ck_assert_int_eq(eh_file_writer_add(&one, "one", 3, NULL), 0);
  ck_assert_int_eq(eh_file_writer_add(&two, "two", 3, NULL), 0);
  ck_assert_int_eq(eh_file_writer_commit(&two, NULL), 0);
  ck_assert_int_eq(eh_file_writer_commit(&one, NULL), 0);
  eh_buf_init(&text, 100);
  ck_assert_int_eq(eh_file_read(path, &text, NULL), 0);
  ck_assert_str_eq(text.data, "one");
  eh_buf_free(&text);
  unlink(path);
  ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(a_failed_open_is_closed) {
  struct eh_file_writer writer;
  struct eh_err err;
  ck_assert_int_eq(eh_file_writer_open(&writer, "/proc/none/x", &err),
                   EH_ENOENT);
  ck_assert_ptr_null(writer.path);
  eh_file_writer_abort(&writer);
  ck_assert_int_eq(eh_file_writer_open(&writer, "", &err), EH_EARG);
}
END_TEST

START_TEST(spooling_needs_a_place) {
  struct eh_buf name;
  struct eh_err err;
  make();
  put_file("x");
  eh_buf_init(&name, 4096);
  setenv("TMPDIR", "/no/such/folder", 1);
  ck_assert_int_eq(eh_file_spool(path, &name, &err), EH_ENOENT);
  setenv("TMPDIR", folder, 1);
  ck_assert_int_eq(eh_file_spool(path, &name, &err), 0);
  ck_assert_int_eq(strncmp(name.data, folder, strlen(folder)), 0);
  unlink(name.data);
  unsetenv("TMPDIR");
  eh_buf_free(&name);
  unlink(path);
  ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

CHECK_MAIN(file, a_buffer_is_replaced, two_writers_do_not_meet,
           a_failed_open_is_closed, spooling_needs_a_place)
