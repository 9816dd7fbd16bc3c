/* test_results.c: rows go in batches and come out in case order, whatever
 * else goes on, and a batch is either whole or not there. */
#include "store/store.h"

#include "check_main.h"
#include "scratch.h"

#include <signal.h>
#include <sys/wait.h>

static void add(struct eh_store *store, int64_t run, int64_t idx,
                int64_t repeat) {
  struct eh_store_result row = scratch_result(idx);
  struct eh_err err = {0};
  row.repeat = repeat;
  int rc = eh_store_add(store, run, &row, &err);
  ck_assert_msg(rc == 0, "%s", err.msg);
}

START_TEST(gives_back_what_was_put) {
  struct scratch s;
  struct eh_store *store;
  struct eh_store_cursor *cursor;
  struct eh_store_result row = {
      .idx = 3,
      .repeat = 2,
      .case_id = {"nul\0inside", 10},
      .verdict = text_of("unscored"),
      .figures = text_of(""),
      .record = text_of("{\"t\":\"\xc3\xa9\xf0\x9f\x98\x80\"}")};
  struct eh_store_result got;
  bool more;
  scratch_make(&s);
  store = scratch_open(&s);
  int64_t run = scratch_run(store);
  ck_assert_int_eq(eh_store_add(store, run, &row, NULL), 0);
  row.idx = 4;
  row.scored = true;
  row.score = 0.1;
  ck_assert_int_eq(eh_store_add(store, run, &row, NULL), 0);
  ck_assert_int_eq(scratch_rows(store, run), 0); /* not before the commit */
  ck_assert_int_eq(eh_store_commit(store, NULL), 0);
  ck_assert_int_eq(eh_store_cursor_open(store, run, true, &cursor, NULL), 0);
  ck_assert_int_eq(eh_store_cursor_next(cursor, &got, &more, NULL), 0);
  ck_assert(more);
  ck_assert_int_eq(got.seq, 1);
  ck_assert_int_eq(got.idx, 3);
  ck_assert_int_eq(got.repeat, 2);
  ck_assert_uint_eq(got.case_id.len, 10);
  ck_assert_mem_eq(got.case_id.ptr, "nul\0inside", 10);
  ck_assert_text(got.verdict, "unscored");
  ck_assert_text(got.figures, "");
  ck_assert_text(got.record, "{\"t\":\"\xc3\xa9\xf0\x9f\x98\x80\"}");
  ck_assert(!got.scored);
  ck_assert_int_eq(eh_store_cursor_next(cursor, &got, &more, NULL), 0);
  ck_assert(more && got.scored && got.score == 0.1);
  ck_assert_int_eq(eh_store_cursor_next(cursor, &got, &more, NULL), 0);
  ck_assert(!more);
  ck_assert_int_eq(eh_store_cursor_next(cursor, &got, &more, NULL), 0);
  ck_assert(!more); /* the end stays the end */
  eh_store_close(store);
  eh_store_cursor_close(cursor); /* may outlive the store */
  scratch_remove(&s);
}
END_TEST

START_TEST(refuses_one_attempt_twice_and_keeps_the_batch) {
  struct scratch s;
  struct eh_store *store;
  struct eh_store_result row = scratch_result(1);
  struct eh_err err;
  scratch_make(&s);
  store = scratch_open(&s);
  int64_t run = scratch_run(store), other = scratch_run(store);
  add(store, run, 1, 1);
  ck_assert_int_eq(eh_store_add(store, run, &row, &err), EH_EEXIST);
  add(store, run, 1, 2);
  add(store, other, 1, 1);
  ck_assert_int_eq(eh_store_commit(store, NULL), 0);
  ck_assert_int_eq(scratch_rows(store, run), 2);
  ck_assert_int_eq(scratch_rows(store, other), 1);
  eh_store_close(store);
  scratch_remove(&s);
}
END_TEST

START_TEST(refuses_a_text_that_is_too_long) {
  struct scratch s;
  struct eh_store *store;
  struct eh_store_result row = scratch_result(1);
  scratch_make(&s);
  store = scratch_open(&s);
  int64_t run = scratch_run(store);
  row.record.len = (size_t)3 << 30; /* not read before the check */
  ck_assert_int_eq(eh_store_add(store, run, &row, NULL), EH_ELIMIT);
  add(store, run, 2, 1);
  ck_assert_int_eq(eh_store_commit(store, NULL), 0);
  ck_assert_int_eq(scratch_rows(store, run), 1);
  eh_store_close(store);
  scratch_remove(&s);
}
END_TEST

START_TEST(aborts_a_batch) {
  struct scratch s;
  struct eh_store *store;
  scratch_make(&s);
  store = scratch_open(&s);
  int64_t run = scratch_run(store);
  add(store, run, 1, 1);
  eh_store_abort(store);
  eh_store_abort(store); /* harmless */
  ck_assert_int_eq(eh_store_commit(store, NULL), 0);
  add(store, run, 2, 1);
  eh_store_close(store); /* without a commit */
  store = scratch_open(&s);
  ck_assert_int_eq(scratch_rows(store, run), 0);
  eh_store_close(store);
  scratch_remove(&s);
}
END_TEST

static long resident_kb(void) {
  long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "re");
  ck_assert_ptr_nonnull(statm);
  ck_assert_int_eq(fscanf(statm, "%*d %ld", &pages), 1);
  fclose(statm);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static off_t size_of(const char *file) {
  struct stat info;
  return stat(file, &info) == 0 ? info.st_size : 0;
}

/* 100,000 rows arrive out of order, in batches; they come out in order, and
 * neither memory nor the log grows with them. */
START_TEST(streams_many_rows_in_order) {
  enum { ROWS = 100000, MIX = 7919 };
  struct scratch s;
  struct eh_store *store;
  struct eh_store_cursor *cursor;
  struct eh_store_result row = scratch_result(0), got;
  char record[1024], wal[128];
  long early = 0;
  bool more;
  scratch_make(&s);
  snprintf(wal, sizeof wal, "%s-wal", s.file);
  memset(record, 'x', sizeof record);
  store = scratch_open(&s);
  int64_t run = scratch_run(store), seen = 0;
  row.record = (struct eh_store_text){record, sizeof record};
  for (int64_t i = 0; i < ROWS; i++) {
    row.idx = i / MIX * MIX + (i % MIX * 31) % MIX; /* locally shuffled */
    if (row.idx >= ROWS)
      row.idx = i;
    row.repeat = i;
    ck_assert_int_eq(eh_store_add(store, run, &row, NULL), 0);
    if (i % 100 == 99)
      ck_assert_int_eq(eh_store_commit(store, NULL), 0);
    if (i == 10000)
      early = resident_kb();
  }
  ck_assert_int_eq(eh_store_commit(store, NULL), 0);
  ck_assert_int_lt(size_of(wal), 16 << 20);
  ck_assert_int_eq(eh_store_cursor_open(store, run, true, &cursor, NULL), 0);
  int64_t idx = -1, repeat = -1;
  while (eh_store_cursor_next(cursor, &got, &more, NULL) == 0 && more) {
    ck_assert(got.idx > idx || (got.idx == idx && got.repeat > repeat));
    ck_assert_uint_eq(got.record.len, sizeof record);
    idx = got.idx;
    repeat = got.repeat;
    seen++;
  }
  eh_store_cursor_close(cursor);
  ck_assert_int_eq(seen, ROWS);
  ck_assert_int_gt(early, 0);
#ifndef __SANITIZE_ADDRESS__ /* which keeps freed memory for a while */
  ck_assert_int_lt(resident_kb() - early, 4 << 10);
#endif
  eh_store_close(store);
  scratch_remove(&s);
}
END_TEST

/* A reader stands in the middle of a run while rows are added, here and by
 * another handle. */
START_TEST(reads_beside_writers) {
  struct scratch s;
  struct eh_store *store, *second;
  struct eh_store_cursor *cursor;
  struct eh_store_result got;
  bool more;
  int64_t seen = 0;
  scratch_make(&s);
  store = scratch_open(&s);
  second = scratch_open(&s);
  int64_t run = scratch_run(store), other = scratch_run(second);
  for (int i = 1; i <= 100; i++)
    add(store, run, i, 1);
  ck_assert_int_eq(eh_store_commit(store, NULL), 0);
  ck_assert_int_eq(eh_store_cursor_open(store, run, false, &cursor, NULL), 0);
  while (eh_store_cursor_next(cursor, &got, &more, NULL) == 0 && more) {
    ck_assert_int_eq(got.idx, ++seen);
    ck_assert_uint_eq(got.record.len, 0);
    add(second, other, seen, 1);
    ck_assert_int_eq(eh_store_commit(second, NULL), 0);
    add(store, run, 100 + seen, 1);
    ck_assert_int_eq(eh_store_commit(store, NULL), 0);
  }
  eh_store_cursor_close(cursor);
  ck_assert_int_eq(seen, 100);
  ck_assert_int_eq(scratch_rows(store, run), 200);
  ck_assert_int_eq(scratch_rows(store, other), 100);
  eh_store_close(second);
  eh_store_close(store);
  scratch_remove(&s);
}
END_TEST

START_TEST(busy_is_said_and_costs_nothing_else) {
  struct scratch s;
  struct eh_store *store, *second;
  struct eh_store_result row = scratch_result(1);
  struct eh_err err;
  scratch_make(&s);
  store = scratch_open(&s);
  second = scratch_open(&s);
  int64_t run = scratch_run(store);
  add(store, run, 1, 1);
  eh_store_patience(second, 10);
  ck_assert_int_eq(eh_store_add(second, run, &row, &err), EH_EBUSY);
  ck_assert_msg(strstr(err.msg, "another handle") != NULL, "%s", err.msg);
  ck_assert_int_eq(eh_store_commit(store, NULL), 0);
  row.idx = 2;
  ck_assert_int_eq(eh_store_add(second, run, &row, &err), 0);
  ck_assert_int_eq(eh_store_commit(second, NULL), 0);
  ck_assert_int_eq(scratch_rows(store, run), 2);
  eh_store_close(second);
  eh_store_close(store);
  scratch_remove(&s);
}
END_TEST

struct counts {
  int64_t pass, fail, kinds;
};

static void count_one(void *context, const char *verdict, int64_t count) {
  struct counts *counts = context;
  counts->kinds++;
  if (strcmp(verdict, "pass") == 0)
    counts->pass = count;
  if (strcmp(verdict, "fail") == 0)
    counts->fail = count;
}

START_TEST(counts_by_verdict) {
  struct scratch s;
  struct eh_store *store;
  struct counts counts = {0};
  scratch_make(&s);
  store = scratch_open(&s);
  int64_t run = scratch_run(store), other = scratch_run(store);
  for (int i = 1; i <= 10; i++) {
    struct eh_store_result row = scratch_result(i);
    if (i > 7)
      row.verdict = text_of("fail");
    ck_assert_int_eq(eh_store_add(store, run, &row, NULL), 0);
    add(store, other, i, 1);
  }
  ck_assert_int_eq(eh_store_commit(store, NULL), 0);
  ck_assert_int_eq(eh_store_count(store, run, count_one, &counts, NULL), 0);
  ck_assert_int_eq(counts.pass, 7);
  ck_assert_int_eq(counts.fail, 3);
  ck_assert_int_eq(counts.kinds, 2);
  eh_store_close(store);
  scratch_remove(&s);
}
END_TEST

/* The child tells after each commit how far it is, and is killed in the
 * middle of a batch: every row it told of is there, and only whole batches. */
START_TEST(kill_keeps_what_was_committed) {
  enum { BATCH = 10 };
  for (int round = 0; round < 5; round++) {
    struct scratch s;
    struct eh_store *store;
    int told[2], status;
    int64_t committed = 0, rows;
    pid_t child;
    scratch_make(&s);
    ck_assert_int_eq(pipe(told), 0);
    fflush(NULL);
    child = fork();
    if (child == 0) {
      store = scratch_open(&s);
      int64_t run = scratch_run(store);
      for (int64_t i = 1;; i++) {
        add(store, run, i, 1);
        if (i % BATCH == 0 && (eh_store_commit(store, NULL) != 0 ||
                               write(told[1], &i, sizeof i) != sizeof i))
          _exit(1);
      }
    }
    close(told[1]);
    for (int i = 0; i < 20 + round; i++)
      ck_assert_int_eq(read(told[0], &committed, sizeof committed),
                       sizeof committed);
    kill(child, SIGKILL);
    while (read(told[0], &committed, sizeof committed) == sizeof committed)
      ;
    close(told[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    store = scratch_open(&s);
    rows = scratch_rows(store, 1);
    ck_assert_int_ge(rows, committed);
    ck_assert_int_eq(rows % BATCH, 0);
    eh_store_close(store);
    scratch_remove(&s);
  }
}
END_TEST

START_TEST(damage_found_while_reading_is_said) {
  struct scratch s;
  struct eh_store *store;
  struct eh_store_cursor *cursor;
  struct eh_store_result got;
  struct eh_err err;
  bool more = true;
  int rc = 0;
  scratch_make(&s);
  store = scratch_open(&s);
  int64_t run = scratch_run(store);
  for (int i = 1; i <= 5000; i++)
    add(store, run, i, 1);
  ck_assert_int_eq(eh_store_commit(store, NULL), 0);
  eh_store_close(store);
  scratch_damage(s.file, 16 * 4096, 8 * 4096);
  store = scratch_open(&s);
  ck_assert_int_eq(eh_store_cursor_open(store, run, true, &cursor, NULL), 0);
  while (rc == 0 && more)
    rc = eh_store_cursor_next(cursor, &got, &more, &err);
  ck_assert_int_eq(rc, EH_ECORRUPT);
  ck_assert_ptr_nonnull(strstr(err.msg, "Move it aside"));
  eh_store_cursor_close(cursor);
  eh_store_close(store);
  scratch_remove(&s);
}
END_TEST

CHECK_MAIN(results, gives_back_what_was_put,
           refuses_one_attempt_twice_and_keeps_the_batch,
           refuses_a_text_that_is_too_long, aborts_a_batch,
           streams_many_rows_in_order, reads_beside_writers,
           busy_is_said_and_costs_nothing_else, counts_by_verdict,
           kill_keeps_what_was_committed, damage_found_while_reading_is_said)
