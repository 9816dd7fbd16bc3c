/* test_store_commit.c: commits beside the loop: what goes on meanwhile, who
 * waits for them, and what may end before them. */
#include "bind/store_batch.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "net/alarm.h"
#include "net/loop.h"

#include "check_main.h"
#include "store/scratch.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#define MANY 20

struct world {
  struct scratch scratch;
  struct eh_loop *loop;
  struct eh_store_bind *bind;
  struct eh_batch *batch;
  struct eh_store *other; /* another writer of the same file */
  struct eh_alarm *guard;
  struct eh_batch_wait waits[MANY];
  size_t in_flight;
  int run_until; /* so many waits are done */
};

static void hang(void *arg) {
  (void)arg;
  fprintf(stderr, "the test hangs\n");
  abort();
}

static int count_done(const struct world *w) {
  int count = 0;
  for (int i = 0; i < MANY; i++)
    count += w->waits[i].op.done;
  return count;
}

static uint64_t turn(void *arg, uint64_t now) {
  struct world *w = arg;
  uint64_t next = eh_store_bind_turn(w->bind, now, w->in_flight);
  if (count_done(w) >= w->run_until)
    eh_loop_stop(w->loop);
  return next;
}

static void run_until(struct world *w, int done) {
  w->run_until = done;
  eh_loop_run(w->loop);
  ck_assert_int_ge(count_done(w), done);
}

static void world_make(struct world *w) {
  struct eh_store_run run = {.suite = {"s", 1}, .target = {"t", 1}};
  char id[EH_STORE_RUN_ID_SIZE];
  memset(w, 0, sizeof *w);
  scratch_make(&w->scratch);
  w->loop = eh_loop_new();
  w->bind = eh_store_bind_new(w->loop);
  ck_assert_int_eq(eh_batch_open(w->bind, w->scratch.file, &w->batch, NULL), 0);
  ck_assert_int_eq(eh_store_run_begin(eh_batch_store(w->batch), &run, id, NULL),
                   0);
  ck_assert_int_eq(eh_store_open(w->scratch.file, &w->other, NULL), 0);
  eh_store_patience(w->other, 10000);
  w->guard = eh_alarm_new(w->loop, hang, NULL);
  eh_alarm_set(w->guard, eh_clock_mono() + 50 * EH_NS_PER_S);
  eh_loop_on_turn(w->loop, turn, w);
}

static void world_free(struct world *w) {
  if (w->batch != NULL)
    ck_assert_int_eq(eh_batch_close(w->batch, NULL), 0);
  eh_store_close(w->other);
  eh_store_bind_free(w->bind);
  eh_alarm_free(w->guard);
  eh_loop_free(w->loop);
  scratch_remove(&w->scratch);
}

static struct eh_store_result row_of(int idx, struct eh_store_text text) {
  struct eh_store_result result = {.idx = idx, .repeat = 1};
  result.case_id = result.verdict = result.figures = text;
  result.record = text;
  return result;
}

static int put_in(struct world *w, struct eh_batch_wait *wait, int idx) {
  char text[] = "borrowed"; /* only for the call */
  struct eh_store_text borrowed = {text, sizeof text - 1};
  struct eh_store_result result = row_of(idx, borrowed);
  int rc = eh_batch_put(w->batch, 1, &result, wait, NULL);
  memset(text, '!', sizeof text);
  return rc;
}

static void put(struct world *w, int idx) {
  ck_assert_int_eq(put_in(w, &w->waits[idx], idx), 0);
}

/* The other writer locks the file, so that a commit stays under way for a
 * while, and fails as busy in the end; or unlocks it. */
static void lock(struct world *w) {
  struct eh_store_text text = {"x", 1};
  struct eh_store_result result = row_of(99, text);
  ck_assert_int_eq(eh_store_add(w->other, 1, &result, NULL), 0);
}

static void unlock(struct world *w) {
  eh_store_abort(w->other);
}

/* Starts the commit of what was put. */
static void start(struct world *w) {
  uint64_t next = eh_store_bind_turn(w->bind, eh_clock_mono(), 0);
  ck_assert(next == UINT64_MAX);
}

static void add_count(void *context, const char *verdict, int64_t count) {
  ck_assert_str_eq(verdict, "borrowed");
  *(int64_t *)context += count;
}

/* What is in the file, as the other sees it. */
static int stored(struct world *w) {
  int64_t count = 0;
  ck_assert_int_eq(eh_store_count(w->other, 1, add_count, &count, NULL), 0);
  return (int)count;
}

START_TEST(rows_that_come_meanwhile_go_into_the_next) {
  struct world w;
  world_make(&w);
  lock(&w);
  put(&w, 0);
  start(&w);
  put(&w, 1);
  start(&w); /* not while the other is under way */
  ck_assert_int_eq(count_done(&w), 0);
  unlock(&w);
  run_until(&w, 1);
  ck_assert_int_ge(stored(&w), count_done(&w)); /* told = durable */
  ck_assert(w.waits[0].op.done);
  run_until(&w, 2);
  ck_assert_int_eq(stored(&w), 2);
  ck_assert_int_eq(w.waits[0].err.code, 0);
  ck_assert_int_eq(w.waits[1].err.code, 0);
  world_free(&w);
}
END_TEST

/* Whoever needs the store finds the commit ended, and the waits too. */
START_TEST(calls_wait_for_a_commit) {
  struct world w;
  struct eh_err err;
  int64_t count = 0;
  world_make(&w);
  put(&w, 0);
  start(&w);
  ck_assert_int_eq(
      eh_store_count(eh_batch_store(w.batch), 1, add_count, &count, NULL), 0);
  ck_assert_int_eq(count, 1);
  ck_assert_int_eq(count_done(&w), 1);
  put(&w, 1);
  start(&w);
  put(&w, 2);
  ck_assert_int_eq(eh_batch_flush(w.batch, &err), 0); /* both */
  ck_assert_int_eq(count_done(&w), 3);
  ck_assert_int_eq(stored(&w), 3);
  ck_assert_int_eq(eh_batch_flush(w.batch, &err), 0);
  run_until(&w, 3); /* what the loop hears of it later is harmless */
  world_free(&w);
}
END_TEST

START_TEST(a_busy_file_is_tried_again) {
  struct world w;
  struct eh_err err;
  world_make(&w);
  lock(&w);
  put(&w, 0);
  put(&w, 1);
  start(&w);
  (void)eh_batch_store(w.batch); /* waits: it has failed */
  ck_assert_int_eq(count_done(&w), 0);
  ck_assert_int_eq(eh_batch_trouble(w.batch)->code, EH_EBUSY);
  put(&w, 2);
  unlock(&w);
  run_until(&w, 3);
  ck_assert_ptr_null(eh_batch_trouble(w.batch));
  ck_assert_int_eq(stored(&w), 3);
  put(&w, 3); /* the same with a call instead of the loop */
  lock(&w);
  start(&w);
  (void)eh_batch_store(w.batch);
  unlock(&w);
  ck_assert_int_eq(eh_batch_flush(w.batch, &err), 0);
  ck_assert_int_eq(stored(&w), 4);
  world_free(&w);
}
END_TEST

/* One row that is there already does not touch the others. */
START_TEST(a_row_may_fail_alone) {
  struct world w;
  world_make(&w);
  put(&w, 0);
  run_until(&w, 1);
  ck_assert_int_eq(put_in(&w, &w.waits[1], 0), 0); /* again */
  put(&w, 2);
  run_until(&w, 3);
  ck_assert_int_eq(w.waits[1].err.code, EH_EEXIST);
  ck_assert_int_eq(w.waits[2].err.code, 0);
  ck_assert_int_eq(stored(&w), 2);
  world_free(&w);
}
END_TEST

START_TEST(a_wait_may_end_while_its_row_is_written) {
  struct world w;
  world_make(&w);
  lock(&w);
  for (int i = 0; i < 5; i++) {
    struct eh_batch_wait *wait = eh_calloc(1, sizeof *wait);
    ck_assert_int_eq(put_in(&w, wait, i), 0);
    if (i == 0)
      start(&w);
    eh_batch_leave(wait);
    ck_assert_ptr_null(wait->row);
    eh_free(wait); /* nobody may touch it */
  }
  put(&w, 5);
  unlock(&w);
  run_until(&w, 1);
  ck_assert_int_eq(stored(&w), 6);
  world_free(&w);
}
END_TEST

START_TEST(a_store_may_close_while_rows_are_written) {
  struct world w;
  struct eh_err err;
  world_make(&w);
  lock(&w);
  put(&w, 0);
  start(&w);
  put(&w, 1);
  unlock(&w);
  ck_assert_int_eq(eh_batch_close(w.batch, &err), 0);
  w.batch = NULL;
  ck_assert_int_eq(count_done(&w), 2);
  ck_assert_int_eq(stored(&w), 2);
  world_free(&w); /* the loop hears of it in eh_loop_free */
}
END_TEST

/* Rows on their way when the file is lost, and those behind them. */
START_TEST(a_store_may_be_lost) {
  struct world w;
  struct rlimit limit;
  world_make(&w);
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = 1024;
  setrlimit(RLIMIT_FSIZE, &limit);
  put(&w, 0);
  start(&w);
  (void)eh_batch_store(w.batch); /* full, but that may pass */
  ck_assert_int_eq(eh_batch_trouble(w.batch)->code, EH_EFULL);
  ck_assert_int_eq(count_done(&w), 0);
  put(&w, 1);
  (void)eh_store_bind_turn(w.bind, eh_clock_mono() + 61 * EH_NS_PER_S, 0);
  put(&w, 2); /* too late for that attempt */
  (void)eh_batch_store(w.batch);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_FSIZE, &limit);
  ck_assert_int_eq(count_done(&w), 3);
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(w.waits[i].err.code, EH_EFULL);
  ck_assert_int_eq(put_in(&w, &w.waits[3], 3), EH_EFULL);
  ck_assert_int_eq(stored(&w), 0);
  world_free(&w);
}
END_TEST

static void *write_beside(void *arg) {
  struct eh_store *store = arg;
  struct eh_store_text text = {"borrowed", 8};
  for (int i = 0; i < 200; i++) {
    struct eh_store_result result = row_of(1000 + i, text);
    ck_assert_int_eq(eh_store_add(store, 1, &result, NULL), 0);
    ck_assert_int_eq(eh_store_commit(store, NULL), 0);
  }
  return NULL;
}

/* Rounds of everything at once, for the race detectors. */
START_TEST(many_commits_beside_another_writer) {
  struct world w;
  pthread_t thread;
  struct eh_err err;
  world_make(&w);
  ck_assert_int_eq(pthread_create(&thread, NULL, write_beside, w.other), 0);
  for (int round = 0; round < 50; round++) {
    memset(w.waits, 0, sizeof w.waits);
    for (int i = 0; i < MANY; i++) {
      ck_assert_int_eq(put_in(&w, &w.waits[i], round * MANY + i + 10000), 0);
      if (i == MANY / 2)
        eh_store_bind_turn(w.bind, eh_clock_mono(), 0);
    }
    if (round % 3 == 0)
      eh_batch_leave(&w.waits[0]);
    if (round % 5 == 0)
      ck_assert_int_eq(eh_batch_flush(w.batch, &err), 0);
    run_until(&w, MANY - 1);
    eh_batch_leave(&w.waits[0]);
    eh_batch_leave(&w.waits[MANY - 1]);
  }
  pthread_join(thread, NULL);
  ck_assert_int_eq(eh_batch_flush(w.batch, &err), 0);
  ck_assert_int_eq(stored(&w), 200 + 50 * MANY);
  world_free(&w);
}
END_TEST

CHECK_MAIN(store_commit, rows_that_come_meanwhile_go_into_the_next,
           calls_wait_for_a_commit, a_busy_file_is_tried_again,
           a_row_may_fail_alone, a_wait_may_end_while_its_row_is_written,
           a_store_may_close_while_rows_are_written, a_store_may_be_lost,
           many_commits_beside_another_writer)
