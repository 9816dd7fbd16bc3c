/* test_signal.c: signals as callbacks of the loop. */
#include "base/err.h"
#include "net/loop.h"

#include "check_main.h"

#include <signal.h>
#include <unistd.h>

struct heard {
  struct eh_loop *loop;
  int count;
  int signum;
};

static void hear(void *arg, int signum) {
  struct heard *heard = arg;
  heard->count++;
  heard->signum = signum;
  eh_loop_stop(heard->loop);
}

START_TEST(test_each_arrival_calls) {
  struct heard a = {0}, b = {0};
  a.loop = b.loop = eh_loop_new();
  ck_assert_int_eq(eh_loop_on_signal(a.loop, SIGUSR2, hear, &a), 0);
  ck_assert_int_eq(eh_loop_on_signal(a.loop, SIGHUP, hear, &b), 0);
  kill(getpid(), SIGUSR2);
  eh_loop_run(a.loop);
  kill(getpid(), SIGHUP);
  eh_loop_run(a.loop);
  kill(getpid(), SIGUSR2);
  eh_loop_run(a.loop);
  ck_assert_int_eq(a.count, 2);
  ck_assert_int_eq(a.signum, SIGUSR2);
  ck_assert_int_eq(b.count, 1);
  ck_assert_int_eq(b.signum, SIGHUP);
  ck_assert_uint_eq(eh_loop_handles(a.loop), 2);
  eh_loop_free(a.loop);
}
END_TEST

START_TEST(test_replaced_and_taken_away) {
  struct heard a = {0}, b = {0};
  struct sigaction action;
  a.loop = b.loop = eh_loop_new();
  ck_assert_int_eq(eh_loop_on_signal(a.loop, SIGUSR2, hear, &a), 0);
  ck_assert_int_eq(eh_loop_on_signal(a.loop, SIGUSR2, hear, &b), 0);
  kill(getpid(), SIGUSR2);
  eh_loop_run(a.loop);
  ck_assert_int_eq(a.count, 0);
  ck_assert_int_eq(b.count, 1);
  ck_assert_int_eq(eh_loop_on_signal(a.loop, SIGUSR2, NULL, NULL), 0);
  sigaction(SIGUSR2, NULL, &action);
  ck_assert(action.sa_handler == SIG_DFL);
  ck_assert_int_eq(eh_loop_on_signal(a.loop, SIGKILL, hear, &a), EH_EARG);
  ck_assert_uint_eq(eh_loop_handles(a.loop), 0);
  eh_loop_free(a.loop);
}
END_TEST

CHECK_MAIN(signal, test_each_arrival_calls, test_replaced_and_taken_away)
