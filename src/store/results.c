/* results.c: adding results, counting them, and the one way to read them. */
#include "store/store.h"

#include "base/alloc.h"
#include "store/internal.h"

#include <string.h>

struct eh_store_cursor {
  sqlite3 *db; /* its own: a snapshot that does not hinder the writer */
  sqlite3_stmt *stmt;
  char *path;
  bool records;
};

static int prepare_insert(struct eh_store *store, struct eh_err *err) {
  if (store->insert != NULL)
    return 0;
  return eh_store_prepare(
      store->db, store->path,
      "INSERT INTO results"
      " (run, idx, repeat, case_id, verdict, score, figures, record)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
      &store->insert, err);
}

static void bind_result(sqlite3_stmt *stmt, int64_t run,
                        const struct eh_store_result *result) {
  sqlite3_bind_int64(stmt, 1, run);
  sqlite3_bind_int64(stmt, 2, result->idx);
  sqlite3_bind_int64(stmt, 3, result->repeat);
  eh_store_bind_text(stmt, 4, result->case_id);
  eh_store_bind_text(stmt, 5, result->verdict);
  if (result->scored)
    sqlite3_bind_double(stmt, 6, result->score);
  else
    sqlite3_bind_null(stmt, 6);
  eh_store_bind_text(stmt, 7, result->figures);
  eh_store_bind_text(stmt, 8, result->record);
}

/* A text over SQLite's limit binds as NULL; it must not pass for one. */
static bool too_long(struct eh_store *store,
                     const struct eh_store_result *result) {
  size_t limit = (size_t)sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, -1) / 2;
  return result->record.len > limit || result->figures.len > limit ||
         result->case_id.len > limit || result->verdict.len > limit;
}

int eh_store_add(struct eh_store *store, int64_t run,
                 const struct eh_store_result *result, struct eh_err *err) {
  int rc;
  if (too_long(store, result))
    return eh_err_set(
        err, EH_ELIMIT, "the record of case %.*s is too long",
        (int)(result->case_id.len < 80 ? result->case_id.len : 80),
        result->case_id.ptr);
  rc = eh_store_batch(store, err);
  if (rc == 0)
    rc = prepare_insert(store, err);
  if (rc != 0) {
    eh_store_abort(store);
    return rc;
  }
  bind_result(store->insert, run, result);
  rc = sqlite3_step(store->insert);
  if (rc == SQLITE_DONE) {
    sqlite3_reset(store->insert);
    return 0;
  }
  rc = eh_fault_sqlite(store->db, store->path, rc, "writing to the store", err);
  sqlite3_reset(store->insert);
  if (rc == EH_EEXIST)
    return eh_err_set(err, rc,
                      "case %lld, attempt %lld is in the store already",
                      (long long)result->idx, (long long)result->repeat);
  if (rc != EH_ELIMIT)
    eh_store_abort(store);
  return rc;
}

int eh_store_count(struct eh_store *store, int64_t run,
                   void (*visit)(void *context, const char *verdict,
                                 int64_t count),
                   void *context, struct eh_err *err) {
  sqlite3_stmt *stmt;
  int rc = eh_store_prepare(store->db, store->path,
                            "SELECT verdict, count(*) FROM results"
                            " WHERE run = ?1 GROUP BY verdict",
                            &stmt, err);
  if (rc != 0)
    return rc;
  sqlite3_bind_int64(stmt, 1, run);
  while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
    visit(context, eh_store_column(stmt, 0).ptr, sqlite3_column_int64(stmt, 1));
  sqlite3_finalize(stmt);
  if (rc == SQLITE_DONE)
    return 0;
  return eh_fault_sqlite(store->db, store->path, rc, "reading the store", err);
}

int eh_store_cursor_open(struct eh_store *store, int64_t run, bool records,
                         struct eh_store_cursor **out, struct eh_err *err) {
  struct eh_store_cursor *cursor = eh_calloc(1, sizeof *cursor);
  int rc;
  *out = NULL;
  cursor->path = eh_strdup(store->path);
  cursor->records = records;
  rc = eh_store_connect(store->path, &cursor->db, err);
  if (rc == 0)
    rc = eh_store_prepare(
        cursor->db, cursor->path,
        records ? "SELECT seq, idx, repeat, case_id, verdict, score, figures,"
                  " record FROM results WHERE run = ?1 ORDER BY idx, repeat"
                : "SELECT seq, idx, repeat, case_id, verdict, score, figures"
                  " FROM results WHERE run = ?1 ORDER BY idx, repeat",
        &cursor->stmt, err);
  if (rc != 0) {
    eh_store_cursor_close(cursor);
    return rc;
  }
  sqlite3_bind_int64(cursor->stmt, 1, run);
  *out = cursor;
  return 0;
}

int eh_store_cursor_next(struct eh_store_cursor *cursor,
                         struct eh_store_result *out, bool *more,
                         struct eh_err *err) {
  sqlite3_stmt *stmt = cursor->stmt;
  int rc = SQLITE_DONE;
  *more = false;
  memset(out, 0, sizeof *out);
  if (stmt != NULL)
    rc = sqlite3_step(stmt);
  if (rc == SQLITE_DONE) {
    /* Else the next step would begin again. */
    sqlite3_finalize(stmt);
    cursor->stmt = NULL;
    return 0;
  }
  if (rc != SQLITE_ROW)
    return eh_fault_sqlite(cursor->db, cursor->path, rc, "reading the store",
                           err);
  *more = true;
  out->seq = sqlite3_column_int64(stmt, 0);
  out->idx = sqlite3_column_int64(stmt, 1);
  out->repeat = sqlite3_column_int64(stmt, 2);
  out->case_id = eh_store_column(stmt, 3);
  out->verdict = eh_store_column(stmt, 4);
  out->scored = sqlite3_column_type(stmt, 5) != SQLITE_NULL;
  out->score = sqlite3_column_double(stmt, 5);
  out->figures = eh_store_column(stmt, 6);
  if (cursor->records)
    out->record = eh_store_column(stmt, 7);
  return 0;
}

void eh_store_cursor_close(struct eh_store_cursor *cursor) {
  if (cursor == NULL)
    return;
  sqlite3_finalize(cursor->stmt);
  sqlite3_close(cursor->db);
  eh_free(cursor->path);
  eh_free(cursor);
}
