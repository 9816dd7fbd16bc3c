/* test_csv_file.c: reading CSV files, and files that cannot be read. */
#include "text/csv_file.h"

#include "base/buf.h"
#include "check_main.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A name for a file of this test. */
static void make_file(char *path, size_t size, const char *text, size_t len) {
  int fd;
  snprintf(path, size, "/tmp/evalhost-csv-XXXXXX");
  fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(write(fd, text, len), (ssize_t)len);
  close(fd);
}

START_TEST(files_are_read_in_pieces) {
  struct eh_csv_file file;
  struct eh_csv_row row;
  struct eh_csv_problem problem;
  struct eh_err err;
  struct eh_buf text;
  char path[64];
  size_t rows = 0;
  eh_buf_init(&text, (size_t)8 << 20);
  eh_buf_adds(&text, "id,text\n");
  for (int i = 0; i < 60000; i++)
    eh_buf_addf(&text, "%d,\"a \"\"quoted\"\"\n\xE2\x82\xAC text %d\"\n", i, i);
  make_file(path, sizeof path, text.data, text.len);
  eh_buf_free(&text);
  ck_assert_int_eq(eh_csv_file_open(&file, path, NULL, &err), 0);
  unlink(path);
  while (eh_csv_file_next(&file, &row, &problem) == EH_CSV_ROW) {
    char want[64];
    ck_assert_uint_eq(row.line, rows == 0 ? 1 : 2 * rows);
    if (rows > 0) {
      snprintf(want, sizeof want, "a \"quoted\"\n\xE2\x82\xAC text %zu",
               rows - 1);
      ck_assert_uint_eq(row.cells[1].len, strlen(want));
      ck_assert_mem_eq(row.cells[1].text, want, strlen(want));
    }
    rows++;
  }
  ck_assert_uint_eq(rows, 60001);
  eh_csv_file_close(&file);
  eh_csv_file_close(&file);
}
END_TEST

START_TEST(files_that_cannot_be_read) {
  struct eh_csv_file file;
  struct eh_err err;
  ck_assert_int_eq(eh_csv_file_open(&file, "/nowhere/x.csv", NULL, &err),
                   EH_ENOENT);
  ck_assert_ptr_nonnull(strstr(err.msg, "/nowhere/x.csv"));
  ck_assert_int_eq(file.fd, -1);
  ck_assert_int_eq(eh_csv_file_open(&file, "/tmp", NULL, &err), EH_EIO);
  ck_assert_ptr_nonnull(strstr(err.msg, strerror(EISDIR)));
  eh_csv_file_close(&file);
}
END_TEST

CHECK_MAIN(csv_file, files_are_read_in_pieces, files_that_cannot_be_read)
