/* test_alloc.c: allocation never gives NULL, and running out ends the
 * program with 5. */
#include "base/alloc.h"

#include "check_main.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(nothing_is_something) {
  void *a = eh_malloc(0), *b = eh_calloc(0, 0), *c = eh_realloc(NULL, 0);
  ck_assert(a != NULL && b != NULL && c != NULL);
  c = eh_realloc(c, 0);
  ck_assert_ptr_nonnull(c);
  eh_free(a);
  eh_free(b);
  eh_free(c);
  eh_free(NULL);
}
END_TEST

START_TEST(memory_is_cleared_kept_and_copied) {
  char *zeros = eh_calloc(10, 10), *copy;
  for (size_t i = 0; i < 100; i++)
    ck_assert_int_eq(zeros[i], 0);
  memcpy(zeros, "hello", 6);
  zeros = eh_realloc(zeros, 5000);
  ck_assert_str_eq(zeros, "hello");
  copy = eh_strndup(zeros, 4);
  ck_assert_str_eq(copy, "hell");
  eh_free(copy);
  copy = eh_strdup(zeros);
  ck_assert_str_eq(copy, "hello");
  eh_free(copy);
  eh_free(zeros);
}
END_TEST

START_TEST(running_out_ends_with_5) {
  int status = 0;
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    close(STDERR_FILENO);
    eh_oom(1);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status));
  ck_assert_int_eq(WEXITSTATUS(status), 5);
}
END_TEST

CHECK_MAIN(alloc, nothing_is_something, memory_is_cleared_kept_and_copied,
           running_out_ends_with_5)
