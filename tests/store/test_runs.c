/* test_runs.c: runs are entered, finished, found, and listed. */
#include "store/store.h"

#include "check_main.h"
#include "scratch.h"

static struct eh_store_run named(const char *id) {
  return (struct eh_store_run){.id = text_of(id),
                               .suite = text_of("s"),
                               .target = text_of("t"),
                               .started_at = 1795302062000000,
                               .header = text_of("{\"seed\":1}")};
}

START_TEST(ids_sort_by_time) {
  char first[EH_STORE_RUN_ID_SIZE], second[EH_STORE_RUN_ID_SIZE];
  eh_store_run_id(first, INT64_C(1795302062999999), 0xff3f9a1c);
  ck_assert_str_eq(first, "20261121T230102-3f9a1c");
  eh_store_run_id(second, INT64_C(1795302063000000), 0);
  ck_assert_str_eq(second, "20261121T230103-000000");
  ck_assert_int_lt(strcmp(first, second), 0);
}
END_TEST

START_TEST(keeps_a_run_through_its_life) {
  struct scratch s;
  struct eh_store *store;
  struct eh_store_run run = named(""), found;
  char id[EH_STORE_RUN_ID_SIZE];
  scratch_make(&s);
  store = scratch_open(&s);
  ck_assert_int_eq(eh_store_run_begin(store, &run, id, NULL), 0);
  ck_assert_int_eq(run.run, 1);
  ck_assert_int_eq(strncmp(id, "20261121T230102-", 16), 0);
  ck_assert_int_eq(eh_store_run_find(store, id, &found, NULL), 0);
  ck_assert_text(found.id, id);
  ck_assert_text(found.status, "running");
  ck_assert_text(found.header, "{\"seed\":1}");
  ck_assert_text(found.summary, "");
  ck_assert(!found.finished);
  ck_assert_int_eq(found.started_at, run.started_at);
  eh_store_run_free(&found);
  run.status = text_of("failed");
  run.exit_code = 1;
  run.finished_at = run.started_at + 5;
  run.summary = text_of("{\"cases\":3}");
  ck_assert_int_eq(eh_store_run_finish(store, &run, NULL), 0);
  eh_store_close(store);
  store = scratch_open(&s);
  ck_assert_int_eq(eh_store_run_find(store, "last", &found, NULL), 0);
  ck_assert_text(found.id, id);
  ck_assert_text(found.status, "failed");
  ck_assert_text(found.summary, "{\"cases\":3}");
  ck_assert(found.finished);
  ck_assert_int_eq(found.exit_code, 1);
  ck_assert_int_eq(found.finished_at, run.started_at + 5);
  eh_store_run_free(&found);
  eh_store_close(store);
  scratch_remove(&s);
}
END_TEST

START_TEST(finds_by_unique_beginning) {
  static const char *const ids[] = {"abc", "abd-1", "abd-2", "ab%_"};
  struct scratch s;
  struct eh_store *store;
  struct eh_store_run run, found;
  struct eh_err err;
  char id[EH_STORE_RUN_ID_SIZE];
  scratch_make(&s);
  store = scratch_open(&s);
  ck_assert_int_eq(eh_store_run_find(store, "last", &found, &err), EH_ENOENT);
  for (int i = 0; i < 4; i++) {
    run = named(ids[i]);
    ck_assert_int_eq(eh_store_run_begin(store, &run, id, NULL), 0);
  }
  ck_assert_int_eq(eh_store_run_find(store, "abc", &found, NULL), 0);
  eh_store_run_free(&found);
  ck_assert_int_eq(eh_store_run_find(store, "ab%", &found, NULL), 0);
  ck_assert_text(found.id, "ab%_");
  eh_store_run_free(&found);
  ck_assert_int_eq(eh_store_run_find(store, "abd", &found, &err), EH_EARG);
  ck_assert_ptr_nonnull(strstr(err.msg, "abd-1 and abd-2"));
  ck_assert_int_eq(eh_store_run_find(store, "%", &found, &err), EH_ENOENT);
  ck_assert_int_eq(eh_store_run_find(store, "", &found, &err), EH_ENOENT);
  ck_assert_int_eq(eh_store_run_find(store, "abcd", &found, &err), EH_ENOENT);
  /* An id that begins another one is still found by itself. */
  run = named("abd");
  ck_assert_int_eq(eh_store_run_begin(store, &run, id, NULL), 0);
  ck_assert_int_eq(eh_store_run_find(store, "abd", &found, &err), 0);
  ck_assert_text(found.id, "abd");
  eh_store_run_free(&found);
  eh_store_close(store);
  scratch_remove(&s);
}
END_TEST

START_TEST(refuses_an_id_twice_and_an_unknown_run) {
  struct scratch s;
  struct eh_store *store;
  struct eh_store_run run = named("once");
  struct eh_err err;
  char id[EH_STORE_RUN_ID_SIZE];
  scratch_make(&s);
  store = scratch_open(&s);
  ck_assert_int_eq(eh_store_run_begin(store, &run, id, NULL), 0);
  ck_assert_int_eq(eh_store_run_begin(store, &run, id, &err), EH_EEXIST);
  ck_assert_ptr_nonnull(strstr(err.msg, "once"));
  run.run = 99;
  ck_assert_int_eq(eh_store_run_finish(store, &run, &err), EH_ENOENT);
  eh_store_close(store);
  scratch_remove(&s);
}
END_TEST

START_TEST(lists_the_youngest_first) {
  struct scratch s;
  struct eh_store *store;
  struct eh_store_run run;
  int64_t before = INT64_MAX, seen = 0;
  scratch_make(&s);
  store = scratch_open(&s);
  for (int i = 0; i < 20; i++) /* all in one second, ids made */
    scratch_run(store);
  for (;;) {
    ck_assert_int_eq(eh_store_run_older(store, before, &run, NULL), 0);
    if (run.run == 0)
      break;
    ck_assert_int_eq(run.run, 20 - seen++);
    before = run.run;
    eh_store_run_free(&run);
  }
  ck_assert_int_eq(seen, 20);
  eh_store_close(store);
  scratch_remove(&s);
}
END_TEST

CHECK_MAIN(runs, ids_sort_by_time, keeps_a_run_through_its_life,
           finds_by_unique_beginning, refuses_an_id_twice_and_an_unknown_run,
           lists_the_youngest_first)
