/* test_schema.c: a new file is complete or not there. */
#include "store/internal.h"

#include "check_main.h"
#include "scratch.h"

START_TEST(makes_a_sound_file) {
  struct scratch s;
  sqlite3 *db;
  scratch_make(&s);
  ck_assert_int_eq(eh_schema_create(s.file, NULL), 0);
  ck_assert_int_eq(scratch_count(&s), 1);
  ck_assert_int_eq(eh_store_connect(s.file, &db, NULL), 0);
  ck_assert_int_eq(eh_schema_check(db, s.file, NULL), 0);
  sqlite3_exec(db, "DROP INDEX results_in_order", NULL, NULL, NULL);
  ck_assert_int_eq(eh_schema_check(db, s.file, NULL), EH_ECORRUPT);
  sqlite3_close(db);
  scratch_remove(&s);
}
END_TEST

START_TEST(leaves_a_file_that_is_there) {
  struct scratch s;
  char text[8] = "";
  FILE *file;
  scratch_make(&s);
  file = fopen(s.file, "we");
  fputs("mine", file);
  fclose(file);
  ck_assert_int_eq(eh_schema_create(s.file, NULL), 0);
  ck_assert_int_eq(scratch_count(&s), 1); /* and nothing temporary */
  file = fopen(s.file, "re");
  ck_assert_ptr_nonnull(fgets(text, sizeof text, file));
  fclose(file);
  ck_assert_str_eq(text, "mine");
  scratch_remove(&s);
}
END_TEST

static void setting_is(sqlite3 *db, const char *sql, const char *want) {
  sqlite3_stmt *stmt;
  ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
  ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
  ck_assert_str_eq((const char *)sqlite3_column_text(stmt, 0), want);
  sqlite3_finalize(stmt);
}

/* No test can cut the power; this is what durability rests on. */
START_TEST(every_connection_syncs) {
  struct scratch s;
  sqlite3 *db;
  scratch_make(&s);
  ck_assert_int_eq(eh_schema_create(s.file, NULL), 0);
  ck_assert_int_eq(eh_store_connect(s.file, &db, NULL), 0);
  setting_is(db, "PRAGMA synchronous", "2"); /* FULL */
  setting_is(db, "PRAGMA journal_mode", "wal");
  sqlite3_close(db);
  scratch_remove(&s);
}
END_TEST

CHECK_MAIN(schema, makes_a_sound_file, every_connection_syncs,
           leaves_a_file_that_is_there)
