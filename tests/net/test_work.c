/* test_work.c: work beside the loop, waited for by the loop or by the caller.
 */
#include "net/loop.h"

#include "base/clock.h"

#include "check_main.h"

#include <pthread.h>
#include <unistd.h>

struct job {
  struct eh_loop *loop;
  pthread_t thread; /* that worked */
  int worked, done, turns_before;
};

static int turns;

static uint64_t turn(void *arg, uint64_t now_ns) {
  const struct job *job = arg;
  (void)now_ns;
  turns++;
  if (job->done > 0)
    eh_loop_stop(job->loop); /* in the turn after done, without an alarm */
  return EH_NEVER;
}

static void work(void *arg) {
  struct job *job = arg;
  usleep(20000);
  job->thread = pthread_self();
  job->worked++;
}

static void done(void *arg) {
  struct job *job = arg;
  ck_assert_int_eq(job->worked, 1);
  job->turns_before = turns;
  job->done++;
}

START_TEST(done_wakes_the_loop) {
  struct job job = {.loop = eh_loop_new()};
  turns = 0;
  eh_loop_on_turn(job.loop, turn, &job);
  eh_loop_work(job.loop, work, done, &job);
  ck_assert_int_eq(job.done, 0);
  eh_loop_run(job.loop);
  ck_assert_int_eq(job.done, 1);
  ck_assert(!pthread_equal(job.thread, pthread_self()));
  ck_assert_int_gt(turns, job.turns_before);
  ck_assert_uint_eq(eh_loop_handles(job.loop), 0);
  eh_loop_free(job.loop);
  ck_assert_int_eq(job.done, 1);
}
END_TEST

START_TEST(a_join_calls_done_once) {
  struct job job = {.loop = eh_loop_new()};
  struct eh_work *handle = eh_loop_work(job.loop, work, done, &job);
  eh_loop_join(handle);
  ck_assert_int_eq(job.worked, 1);
  ck_assert_int_eq(job.done, 1);
  eh_loop_on_turn(job.loop, turn, &job);
  eh_loop_run(job.loop);
  eh_loop_free(job.loop);
  ck_assert_int_eq(job.done, 1);
}
END_TEST

START_TEST(a_loop_is_not_freed_before_its_work) {
  struct job jobs[8] = {0};
  struct eh_loop *loop = eh_loop_new();
  for (int i = 0; i < 8; i++)
    eh_loop_work(loop, work, done, &jobs[i]); /* more than threads */
  eh_loop_free(loop);
  for (int i = 0; i < 8; i++)
    ck_assert_int_eq(jobs[i].done, 1);
}
END_TEST

CHECK_MAIN(work, done_wakes_the_loop, a_join_calls_done_once,
           a_loop_is_not_freed_before_its_work)
