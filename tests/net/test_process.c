/* test_process.c: child processes: bytes, ends, deadlines, what they leave. */
#include "net/process.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "net/alarm.h"

#include "gone.h"

#include "check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct eh_loop *loop;

struct result {
  int times, code, signal, error;
  uint64_t elapsed_ns;
  char *output, *errors;
  size_t output_len, errors_len;
};

static void done(void *arg, struct eh_process_result *r,
                 const struct eh_err *err) {
  struct result *result = arg;
  result->times++;
  result->error = err != NULL ? err->code : 0;
  result->code = r->code;
  result->signal = r->signal;
  result->elapsed_ns = r->elapsed_ns;
  result->output = eh_buf_take(&r->output, &result->output_len);
  result->errors = eh_buf_take(&r->errors, &result->errors_len);
  eh_loop_stop(loop);
}

static void result_free(struct result *result) {
  eh_free(result->output);
  eh_free(result->errors);
}

static void hangs(void *arg) {
  (void)arg;
  fprintf(stderr, "the test hangs\n");
  abort();
}

/* Runs to the end, and checks that no child is left. */
static void run(struct eh_process_options *options, struct result *result) {
  struct eh_err err;
  struct eh_alarm *guard;
  memset(result, 0, sizeof *result);
  loop = eh_loop_new();
  guard = eh_alarm_new(loop, hangs, NULL);
  eh_alarm_set(guard, eh_clock_mono() + 20 * EH_NS_PER_S);
  ck_assert_msg(eh_process_start(loop, options, done, result, &err) != NULL,
                "%s", err.msg);
  eh_loop_run(loop);
  eh_alarm_free(guard);
  ck_assert_uint_eq(eh_loop_handles(loop), 0);
  eh_loop_free(loop);
  ck_assert_int_eq(result->times, 1);
  ck_assert(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

/* The same for a line of shell. */
static void shell(const char *line, uint64_t timeout_ms,
                  struct result *result) {
  const char *argv[] = {"/bin/sh", "-c", line, NULL};
  struct eh_process_options options = {.argv = argv};
  options.timeout_ns = timeout_ms * EH_NS_PER_MS;
  options.grace_ns = 100 * EH_NS_PER_MS;
  run(&options, result);
}

START_TEST(test_exit_code_and_streams) {
  struct result result;
  shell("echo out; echo err >&2; exit 7", 20000, &result);
  ck_assert_int_eq(result.error, 0);
  ck_assert_int_eq(result.code, 7);
  ck_assert_int_eq(result.signal, 0);
  ck_assert_str_eq(result.output, "out\n");
  ck_assert_str_eq(result.errors, "err\n");
  result_free(&result);
  shell("kill -USR1 $$", 20000, &result);
  ck_assert_int_eq(result.error, 0);
  ck_assert_int_eq(result.signal, SIGUSR1);
  ck_assert_int_eq(result.code, -1);
  result_free(&result);
}
END_TEST

/* More than the pipes hold, both ways at once. */
START_TEST(test_large_input) {
  size_t len = 3 << 20;
  char *input = malloc(len);
  const char *argv[] = {"cat", NULL};
  struct eh_process_options options = {.argv = argv, .input_len = len};
  struct result result;
  size_t i;
  for (i = 0; i < len; i++)
    input[i] = (char)(i * 31 >> 3);
  options.input = input;
  run(&options, &result);
  ck_assert_int_eq(result.error, 0);
  ck_assert_uint_eq(result.output_len, len);
  ck_assert(memcmp(result.output, input, len) == 0);
  result_free(&result);
  free(input);
}
END_TEST

START_TEST(test_input_that_nobody_reads) {
  size_t len = 1 << 20;
  char *input = calloc(1, len);
  const char *argv[] = {"true", NULL};
  struct eh_process_options options = {.argv = argv, .input_len = len};
  struct result result;
  options.input = input;
  run(&options, &result);
  ck_assert_int_eq(result.error, 0);
  ck_assert_int_eq(result.code, 0);
  result_free(&result);
  free(input);
}
END_TEST

START_TEST(test_env_and_cwd) {
  const char *argv[] = {"/bin/sh", "-c", "pwd; echo \"$A-$HOME\"", NULL};
  const char *env[] = {"A=1", NULL};
  struct eh_process_options options = {.argv = argv, .env = env, .cwd = "/"};
  struct result result;
  run(&options, &result);
  ck_assert_str_eq(result.output, "/\n1-\n");
  result_free(&result);
}
END_TEST

static int start_error(const char *program, const char *cwd) {
  const char *argv[] = {program, NULL};
  struct eh_process_options options = {.argv = argv, .cwd = cwd};
  struct eh_err err;
  loop = eh_loop_new();
  ck_assert_ptr_null(eh_process_start(loop, &options, done, NULL, &err));
  ck_assert_ptr_nonnull(strstr(err.msg, cwd != NULL ? cwd : ""));
  ck_assert_uint_eq(eh_loop_handles(loop), 0);
  eh_loop_free(loop);
  return err.code;
}

START_TEST(test_what_cannot_start) {
  ck_assert_int_eq(start_error("no-such-program-here", NULL), EH_ENOENT);
  ck_assert_int_eq(start_error("/no/such/program", NULL), EH_ENOENT);
  ck_assert_int_eq(start_error("/bin/sh", "/no/such/folder"), EH_ENOENT);
  ck_assert_int_eq(start_error("", NULL), EH_EARG);
  if (geteuid() != 0)
    return;
  ck_assert_int_eq(start_error("/etc/passwd", NULL), EH_EPERM);
}
END_TEST

START_TEST(test_deadline_and_grace) {
  struct result result;
  shell("trap 'echo bye; exit 3' TERM; echo hi; while :; do sleep 0.01; done",
        200, &result);
  ck_assert_int_eq(result.error, EH_ETIMEOUT);
  ck_assert_int_eq(result.code, 3);
  ck_assert_str_eq(result.output, "hi\nbye\n");
  ck_assert_uint_ge(result.elapsed_ns, 200 * EH_NS_PER_MS);
  result_free(&result);
  shell("trap '' TERM; while :; do sleep 0.01; done", 100, &result);
  ck_assert_int_eq(result.error, EH_ETIMEOUT);
  ck_assert_int_eq(result.signal, SIGKILL);
  ck_assert_uint_lt(result.elapsed_ns, 5 * EH_NS_PER_S);
  result_free(&result);
}
END_TEST

/* The child has gone, its own child holds the pipe: over at the deadline. */
START_TEST(test_pipe_held_by_a_grandchild) {
  struct result result;
  shell("sleep 30 & echo $!", 150, &result);
  ck_assert_int_eq(result.error, EH_ETIMEOUT);
  ck_assert(is_gone((pid_t)atoi(result.output)));
  result_free(&result);
  /* outside the group, out of reach: the wait ends all the same */
  shell("setsid sleep 5 & echo $!", 150, &result);
  ck_assert_int_eq(result.error, EH_ETIMEOUT);
  ck_assert_uint_lt(result.elapsed_ns, 3 * EH_NS_PER_S);
  kill((pid_t)atoi(result.output), SIGKILL);
  result_free(&result);
}
END_TEST

/* What goes on in the background with its pipes closed is swept away. */
START_TEST(test_background_is_swept) {
  struct result result;
  shell("sleep 30 >/dev/null 2>&1 & echo $!", 20000, &result);
  ck_assert_int_eq(result.error, 0);
  ck_assert_int_eq(result.code, 0);
  ck_assert(is_gone((pid_t)atoi(result.output)));
  result_free(&result);
}
END_TEST

/* Late output of a grandchild belongs to the result: exit is not the end. */
START_TEST(test_output_after_exit) {
  struct result result;
  shell("(sleep 0.2; echo late) & exit 0", 20000, &result);
  ck_assert_int_eq(result.error, 0);
  ck_assert_str_eq(result.output, "late\n");
  result_free(&result);
}
END_TEST

START_TEST(test_too_much_output) {
  const char *argv[] = {"yes", NULL};
  struct eh_process_options options = {.argv = argv, .max_bytes = 100000};
  struct result result;
  run(&options, &result);
  ck_assert_int_eq(result.error, EH_ELIMIT);
  ck_assert_uint_le(result.output_len, 100000);
  result_free(&result);
}
END_TEST

START_TEST(test_tail_of_errors) {
  struct result result;
  shell("i=0; while [ $i -lt 40000 ]; do echo line $i; i=$((i+1)); done >&2",
        20000, &result);
  ck_assert_int_eq(result.error, 0);
  ck_assert_uint_eq(result.errors_len, EH_MAX_STDERR);
  ck_assert_str_eq(result.errors + result.errors_len - 11, "line 39999\n");
  result_free(&result);
}
END_TEST

START_TEST(test_cancel_and_free_in_flight) {
  const char *argv[] = {"/bin/sh", "-c", "trap '' TERM; sleep 30 & wait", NULL};
  struct eh_process_options options = {.argv = argv};
  struct result result = {0};
  struct eh_process *process;
  struct eh_err err;
  loop = eh_loop_new();
  process = eh_process_start(loop, &options, done, &result, &err);
  ck_assert_ptr_nonnull(process);
  ck_assert_ptr_nonnull(eh_process_start(loop, &options, done, &result, &err));
  eh_process_cancel(process);
  eh_loop_free(loop);
  ck_assert_int_eq(result.times, 0);
  ck_assert(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}
END_TEST

/* Descriptors of ours do not reach the child. */
START_TEST(test_descriptors_are_not_inherited) {
  struct result result;
  int leaky = open("/dev/null", O_RDONLY); /* not close-on-exec */
  shell("ls /proc/self/fd | wc -l", 20000, &result);
  ck_assert_int_le(atoi(result.output), 4); /* 0, 1, 2 and the folder */
  close(leaky);
  result_free(&result);
}
END_TEST

CHECK_MAIN(process, test_exit_code_and_streams, test_large_input,
           test_input_that_nobody_reads, test_env_and_cwd,
           test_what_cannot_start, test_deadline_and_grace,
           test_pipe_held_by_a_grandchild, test_background_is_swept,
           test_output_after_exit, test_too_much_output, test_tail_of_errors,
           test_cancel_and_free_in_flight, test_descriptors_are_not_inherited)
