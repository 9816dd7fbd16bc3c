/* test_loop.c: turns, stopping, parts, limits. */
#include "net/loop.h"

#include "base/clock.h"
#include "net/alarm.h"

#include "check_main.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

struct turns {
  struct eh_loop *loop;
  int count;
  int stop_at;
  uint64_t wait;
};

static uint64_t turn(void *arg, uint64_t now_ns) {
  struct turns *turns = arg;
  ck_assert_uint_le(now_ns, eh_loop_now(turns->loop));
  if (++turns->count >= turns->stop_at)
    eh_loop_stop(turns->loop);
  return turns->wait;
}

START_TEST(test_turns_without_blocking) {
  struct turns turns = {.stop_at = 1000, .wait = 0};
  turns.loop = eh_loop_new();
  eh_loop_on_turn(turns.loop, turn, &turns);
  eh_loop_run(turns.loop);
  ck_assert_int_eq(turns.count, 1000);
  eh_loop_free(turns.loop);
}
END_TEST

START_TEST(test_turn_is_called_again_in_time) {
  struct turns turns = {.stop_at = 5, .wait = 20 * EH_NS_PER_MS};
  uint64_t start = eh_clock_mono();
  turns.loop = eh_loop_new();
  eh_loop_on_turn(turns.loop, turn, &turns);
  eh_loop_run(turns.loop);
  ck_assert_int_eq(turns.count, 5);
  ck_assert_uint_ge(eh_clock_mono() - start, 60 * EH_NS_PER_MS);
  eh_loop_free(turns.loop);
}
END_TEST

static void stop(void *arg) {
  eh_loop_stop(arg);
}

START_TEST(test_blocks_until_something_happens) {
  struct turns turns = {.stop_at = 1000, .wait = EH_NEVER};
  struct eh_alarm *alarm;
  turns.loop = eh_loop_new();
  eh_loop_on_turn(turns.loop, turn, &turns);
  alarm = eh_alarm_new(turns.loop, stop, turns.loop);
  eh_alarm_set(alarm, eh_clock_mono() + 50 * EH_NS_PER_MS);
  ck_assert_uint_eq(eh_loop_handles(turns.loop), 1);
  eh_loop_run(turns.loop);
  ck_assert_int_lt(turns.count, 5);
  eh_alarm_free(alarm);
  ck_assert_uint_eq(eh_loop_handles(turns.loop), 0);
  eh_loop_free(turns.loop);
}
END_TEST

START_TEST(test_stop_before_run) {
  struct eh_loop *loop = eh_loop_new();
  eh_loop_stop(loop);
  eh_loop_run(loop); /* returns */
  eh_loop_stop(loop);
  eh_loop_free(loop);
}
END_TEST

START_TEST(test_broken_pipes_do_not_kill) {
  struct eh_loop *loop = eh_loop_new();
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  close(ends[0]);
  ck_assert_int_lt(write(ends[1], "x", 1), 0);
  close(ends[1]);
  eh_loop_free(loop);
}
END_TEST

struct part {
  struct eh_loop_part part;
  int flushes, drops;
};

static bool flush(struct eh_loop_part *part) {
  return ++EH_CONTAINER(part, struct part, part)->flushes < 10;
}

static void drop(struct eh_loop_part *part) {
  EH_CONTAINER(part, struct part, part)->drops++;
}

/* As long as a part has news, the loop turns; then it blocks. */
START_TEST(test_parts) {
  struct part part = {.part = {.flush = flush, .drop = drop}};
  struct turns turns = {.stop_at = 1000, .wait = 30 * EH_NS_PER_MS};
  uint64_t start = eh_clock_mono();
  turns.stop_at = 11;
  turns.loop = eh_loop_new();
  eh_loop_on_turn(turns.loop, turn, &turns);
  eh_loop_add_part(turns.loop, &part.part);
  eh_loop_run(turns.loop);
  ck_assert_int_eq(part.flushes, 11);
  ck_assert_uint_ge(eh_clock_mono() - start, 30 * EH_NS_PER_MS);
  eh_loop_free(turns.loop);
  ck_assert_int_eq(part.drops, 1);
}
END_TEST

START_TEST(test_raise_files) {
  struct rlimit limit;
  uint64_t files = eh_loop_raise_files();
  getrlimit(RLIMIT_NOFILE, &limit);
  ck_assert_uint_eq(files, limit.rlim_cur);
  ck_assert_uint_eq(limit.rlim_cur, limit.rlim_max);
}
END_TEST

CHECK_MAIN(loop, test_turns_without_blocking, test_turn_is_called_again_in_time,
           test_blocks_until_something_happens, test_stop_before_run,
           test_broken_pipes_do_not_kill, test_parts, test_raise_files)
