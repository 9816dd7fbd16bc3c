/* test_lines.c: files read line by line. */
#include "json/lines.h"

#include "base/buf.h"
#include "check_main.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A reader over a file that holds text and is gone when closed. */
static struct eh_lines *over(const char *text, size_t len, size_t max) {
  char path[] = "/tmp/evalhost_lines_XXXXXX";
  int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  unlink(path);
  ck_assert_int_eq(write(fd, text, len), (ssize_t)len);
  lseek(fd, 0, SEEK_SET);
  return eh_lines_fd(fd, max);
}

static void check_next(struct eh_lines *lines, const char *text, size_t number,
                       uint64_t offset) {
  struct eh_line line;
  struct eh_err err;
  ck_assert_int_eq(eh_lines_next(lines, &line, &err), 0);
  if (text == NULL) {
    ck_assert_ptr_eq((void *)line.text, NULL);
    return;
  }
  ck_assert_ptr_ne((void *)line.text, NULL);
  ck_assert_uint_eq(line.len, strlen(text));
  ck_assert_mem_eq(line.text, text, line.len);
  ck_assert_uint_eq(line.number, number);
  ck_assert_uint_eq(line.offset, offset);
}

START_TEST(lines_have_numbers_and_offsets) {
  const char *text = "\xef\xbb\xbf{\"a\":1}\r\n\n  \t\r\n[2]\n\"last\"";
  struct eh_lines *lines = over(text, strlen(text), 0);
  check_next(lines, "{\"a\":1}", 1, 3);
  check_next(lines, "[2]", 4, 18);
  check_next(lines, "\"last\"", 5, 22);
  check_next(lines, NULL, 0, 0);
  check_next(lines, NULL, 0, 0);
  eh_lines_close(lines);
}
END_TEST

START_TEST(empty_files_have_no_lines) {
  static const char *rows[] = {"", "\n", "\xef\xbb\xbf", "\xef\xbb\xbf\r\n",
                               " "};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct eh_lines *lines = over(rows[i], strlen(rows[i]), 0);
    check_next(lines, NULL, 0, 0);
    eh_lines_close(lines);
  }
}
END_TEST

START_TEST(a_line_has_a_longest_length) {
  const char *text = "1234\n12345\r\n123456\n1\n";
  struct eh_lines *lines = over(text, strlen(text), 5);
  struct eh_line line;
  struct eh_err err;
  check_next(lines, "1234", 1, 0);
  check_next(lines, "12345", 2, 5);
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(eh_lines_next(lines, &line, &err), EH_ELIMIT);
    ck_assert_uint_eq(err.line, 3);
    ck_assert_uint_eq(err.offset, 12);
  }
  eh_lines_close(lines);
}
END_TEST

START_TEST(an_endless_line_stops_early) {
  int fds[2];
  struct eh_lines *lines;
  struct eh_line line;
  struct eh_err err;
  char block[4096];
  pid_t child;
  ck_assert_int_eq(pipe(fds), 0);
  child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) { /* writes until the reader closes */
    memset(block, 'x', sizeof block);
    close(fds[0]);
    while (write(fds[1], block, sizeof block) > 0)
      continue;
    _exit(0);
  }
  close(fds[1]);
  lines = eh_lines_fd(fds[0], 1 << 20);
  ck_assert_int_eq(eh_lines_next(lines, &line, &err), EH_ELIMIT);
  eh_lines_close(lines);
  waitpid(child, NULL, 0);
}
END_TEST

START_TEST(long_lines_cross_chunks) {
  struct eh_buf buf;
  struct eh_lines *lines;
  struct eh_line line;
  size_t offset = 0;
  eh_buf_init(&buf, 16 << 20);
  for (int i = 0; i < 300; i++) {
    for (int j = 0; j < i * 40; j++)
      eh_buf_addc(&buf, (char)('a' + i % 26));
    eh_buf_adds(&buf, "!\n");
  }
  lines = over(buf.data, buf.len, 0);
  for (int i = 0; i < 300; i++) {
    ck_assert_int_eq(eh_lines_next(lines, &line, NULL), 0);
    ck_assert_uint_eq(line.len, (size_t)i * 40 + 1);
    ck_assert_uint_eq(line.number, (size_t)i + 1);
    ck_assert_uint_eq(line.offset, offset);
    ck_assert_mem_eq(line.text, buf.data + offset, line.len);
    offset += line.len + 1;
  }
  check_next(lines, NULL, 0, 0);
  eh_lines_close(lines);
  eh_buf_free(&buf);
}
END_TEST

START_TEST(failures_are_told) {
  struct eh_lines *lines;
  struct eh_line line;
  struct eh_err err;
  ck_assert_int_eq(eh_lines_open(&lines, "/nonexistent/x", 0, &err), EH_ENOENT);
  ck_assert_int_eq(eh_lines_open(&lines, "/", 0, &err), 0);
  ck_assert_int_eq(eh_lines_next(lines, &line, &err), EH_EIO);
  eh_lines_close(lines);
}
END_TEST

CHECK_MAIN(lines, lines_have_numbers_and_offsets, empty_files_have_no_lines,
           a_line_has_a_longest_length, an_endless_line_stops_early,
           long_lines_cross_chunks, failures_are_told)
