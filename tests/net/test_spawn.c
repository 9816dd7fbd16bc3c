/* test_spawn.c: how a child begins, and that it dies with us. */
#include "net/spawn.h"

#include "gone.h"

#include "check_main.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void close_ends(const struct eh_spawned *child) {
  close(child->input);
  close(child->output);
  close(child->errors);
}

START_TEST(test_leads_a_group_with_signals_as_usual) {
  const char *argv[] = {"grep", "-E", "SigBlk|SigIgn", "/proc/self/status",
                        NULL};
  struct eh_process_options options = {.argv = argv};
  struct eh_spawned child;
  struct eh_err err;
  char text[512] = "";
  size_t len = 0;
  ssize_t got;
  int status;
  struct pollfd ready;
  signal(SIGPIPE, SIG_IGN);
  ck_assert_int_eq(eh_spawn(&options, &child, &err), 0);
  ck_assert_int_eq(getpgid(child.pid), child.pid);
  ck_assert_int_eq(getsid(child.pid), child.pid);
  ready = (struct pollfd){.fd = child.output, .events = POLLIN};
  while (poll(&ready, 1, 20000) > 0 &&
         (got = read(child.output, text + len, sizeof text - 1 - len)) > 0)
    len += (size_t)got;
  ck_assert_ptr_nonnull(strstr(text, "SigBlk:\t0000000000000000"));
  ck_assert_ptr_nonnull(strstr(text, "SigIgn:\t0000000000000000"));
  waitpid(child.pid, &status, 0);
  close_ends(&child);
}
END_TEST

START_TEST(test_failure_leaves_nothing) {
  const char *argv[] = {"/no/such/program", NULL};
  struct eh_process_options options = {.argv = argv};
  struct eh_spawned child;
  struct eh_err err;
  int before = dup(0), after;
  close(before);
  ck_assert_int_eq(eh_spawn(&options, &child, &err), EH_ENOENT);
  ck_assert_ptr_nonnull(strstr(err.msg, argv[0]));
  after = dup(0);
  close(after);
  ck_assert_int_eq(after, before);
  ck_assert(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}
END_TEST

/* A program of ours that is killed takes its child along. */
START_TEST(test_dies_with_us) {
  const char *argv[] = {"sleep", "30", NULL};
  struct eh_process_options options = {.argv = argv};
  int ends[2];
  pid_t us, child = 0;
  ck_assert_int_eq(pipe(ends), 0);
  us = fork();
  if (us == 0) {
    struct eh_spawned spawned = {0};
    eh_spawn(&options, &spawned, NULL);
    if (write(ends[1], &spawned.pid, sizeof spawned.pid) > 0)
      pause();
    _exit(1);
  }
  ck_assert_int_eq(read(ends[0], &child, sizeof child), sizeof child);
  ck_assert_int_gt(child, 0);
  ck_assert(!has_ended(child));
  kill(us, SIGKILL);
  waitpid(us, NULL, 0);
  ck_assert(is_gone(child));
  close(ends[0]);
  close(ends[1]);
}
END_TEST

CHECK_MAIN(spawn, test_leads_a_group_with_signals_as_usual,
           test_failure_leaves_nothing, test_dies_with_us)
