/* runs.c: the table of runs. */
#include "store/store.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "store/internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define ID_TRIES 16

#define RUN_COLUMNS                                                            \
  "run, id, suite, target, status, exit_code, started_at, finished_at, "       \
  "header, summary"

void eh_store_run_id(char out[EH_STORE_RUN_ID_SIZE], int64_t wall_us,
                     uint32_t random) {
  time_t seconds = (time_t)(wall_us / 1000000);
  struct tm parts;
  size_t used;
  gmtime_r(&seconds, &parts);
  used = strftime(out, EH_STORE_RUN_ID_SIZE, "%Y%m%dT%H%M%S", &parts);
  snprintf(out + used, EH_STORE_RUN_ID_SIZE - used, "-%06x",
           (unsigned)(random & 0xffffff));
}

/* Runs stmt once and finalises it. */
static int run_once(struct eh_store *store, sqlite3_stmt *stmt,
                    struct eh_err *err) {
  int rc = sqlite3_step(stmt);
  sqlite3_finalize(stmt);
  if (rc == SQLITE_DONE)
    return 0;
  return eh_fault_sqlite(store->db, store->path, rc, "writing to the store",
                         err);
}

static int insert_run(struct eh_store *store, struct eh_store_run *run,
                      struct eh_store_text id, struct eh_err *err) {
  sqlite3_stmt *stmt;
  int rc = eh_store_prepare(
      store->db, store->path,
      "INSERT INTO runs (id, suite, target, status, started_at, header)"
      " VALUES (?1, ?2, ?3, 'running', ?4, ?5)",
      &stmt, err);
  if (rc != 0)
    return rc;
  eh_store_bind_text(stmt, 1, id);
  eh_store_bind_text(stmt, 2, run->suite);
  eh_store_bind_text(stmt, 3, run->target);
  sqlite3_bind_int64(stmt, 4, run->started_at);
  eh_store_bind_text(stmt, 5, run->header);
  rc = run_once(store, stmt, err);
  if (rc == 0)
    run->run = sqlite3_last_insert_rowid(store->db);
  if (rc == EH_EEXIST)
    eh_err_set(err, rc, "there is a run %.*s already", (int)id.len, id.ptr);
  return rc;
}

/* Tries ids until one is free: two runs may start in the same second. */
static int insert_unnamed(struct eh_store *store, struct eh_store_run *run,
                          char id[EH_STORE_RUN_ID_SIZE], struct eh_err *err) {
  int rc = EH_EEXIST;
  for (int i = 0; i < ID_TRIES && rc == EH_EEXIST; i++) {
    uint32_t random;
    if (getrandom(&random, sizeof random, 0) != sizeof random)
      return eh_err_errno(err, errno, "getrandom");
    eh_store_run_id(id, run->started_at, random);
    rc = insert_run(store, run,
                    (struct eh_store_text){id, EH_STORE_RUN_ID_SIZE - 1}, err);
  }
  return rc;
}

int eh_store_run_begin(struct eh_store *store, struct eh_store_run *run,
                       char id_out[EH_STORE_RUN_ID_SIZE], struct eh_err *err) {
  int rc = eh_store_batch(store, err);
  id_out[0] = '\0';
  if (rc == 0)
    rc = run->id.len > 0 ? insert_run(store, run, run->id, err)
                         : insert_unnamed(store, run, id_out, err);
  if (rc != 0) {
    eh_store_abort(store);
    return rc;
  }
  return eh_store_commit(store, err);
}

int eh_store_run_finish(struct eh_store *store, const struct eh_store_run *run,
                        struct eh_err *err) {
  sqlite3_stmt *stmt;
  int rc = eh_store_batch(store, err);
  if (rc == 0)
    rc = eh_store_prepare(
        store->db, store->path,
        "UPDATE runs SET status = ?2, exit_code = ?3, finished_at = ?4,"
        " summary = ?5 WHERE run = ?1",
        &stmt, err);
  if (rc != 0) {
    eh_store_abort(store);
    return rc;
  }
  sqlite3_bind_int64(stmt, 1, run->run);
  eh_store_bind_text(stmt, 2, run->status);
  sqlite3_bind_int(stmt, 3, run->exit_code);
  sqlite3_bind_int64(stmt, 4, run->finished_at);
  eh_store_bind_text(stmt, 5, run->summary);
  rc = run_once(store, stmt, err);
  if (rc == 0 && sqlite3_changes(store->db) != 1)
    rc = eh_err_set(err, EH_ENOENT, "the store has no run number %lld",
                    (long long)run->run);
  if (rc != 0) {
    eh_store_abort(store);
    return rc;
  }
  return eh_store_commit(store, err);
}

/* Copies the row at stmt, whose columns are RUN_COLUMNS. */
static void take_run(sqlite3_stmt *stmt, struct eh_store_run *out) {
  static const int columns[] = {1, 2, 3, 4, 8, 9};
  struct eh_store_text *const texts[] = {&out->id,     &out->suite,
                                         &out->target, &out->status,
                                         &out->header, &out->summary};
  struct eh_buf buf;
  size_t at = 0;
  eh_buf_init(&buf, SIZE_MAX / 2); /* SQLite caps each text at 1 GB */
  for (size_t i = 0; i < 6; i++) {
    *texts[i] = eh_store_column(stmt, columns[i]);
    (void)eh_buf_add(&buf, texts[i]->ptr, texts[i]->len);
    (void)eh_buf_addc(&buf, '\0');
  }
  out->memory = eh_buf_take(&buf, NULL);
  for (size_t i = 0; i < 6; i++) {
    texts[i]->ptr = out->memory + at;
    at += texts[i]->len + 1;
  }
  out->run = sqlite3_column_int64(stmt, 0);
  out->exit_code = sqlite3_column_int(stmt, 5);
  out->started_at = sqlite3_column_int64(stmt, 6);
  out->finished = sqlite3_column_type(stmt, 7) != SQLITE_NULL;
  out->finished_at = sqlite3_column_int64(stmt, 7);
}

int eh_store_run_older(struct eh_store *store, int64_t before,
                       struct eh_store_run *out, struct eh_err *err) {
  sqlite3_stmt *stmt;
  int rc;
  memset(out, 0, sizeof *out);
  rc = eh_store_prepare(store->db, store->path,
                        "SELECT " RUN_COLUMNS " FROM runs WHERE run < ?1"
                        " ORDER BY run DESC LIMIT 1",
                        &stmt, err);
  if (rc != 0)
    return rc;
  sqlite3_bind_int64(stmt, 1, before);
  rc = sqlite3_step(stmt);
  if (rc == SQLITE_ROW)
    take_run(stmt, out);
  sqlite3_finalize(stmt);
  if (rc == SQLITE_ROW || rc == SQLITE_DONE)
    return 0;
  return eh_fault_sqlite(store->db, store->path, rc, "reading the store", err);
}

/* Takes the run whose id is key, else the only one that begins with it. */
static int take_match(sqlite3_stmt *stmt, const char *key,
                      struct eh_store_run *out, struct eh_err *err) {
  int rc = sqlite3_step(stmt);
  if (rc != SQLITE_ROW)
    return rc;
  take_run(stmt, out);
  if (out->id.len == strlen(key))
    return rc; /* the shortest comes first, so nothing else can be meant */
  rc = sqlite3_step(stmt);
  if (rc != SQLITE_ROW)
    return rc == SQLITE_DONE ? SQLITE_ROW : rc;
  eh_err_set(err, EH_EARG, "several runs begin with \"%s\", such as %s and %s",
             key, out->id.ptr, sqlite3_column_text(stmt, 1));
  eh_store_run_free(out);
  return SQLITE_MISMATCH;
}

int eh_store_run_find(struct eh_store *store, const char *key,
                      struct eh_store_run *out, struct eh_err *err) {
  sqlite3_stmt *stmt;
  int rc;
  memset(out, 0, sizeof *out);
  if (strcmp(key, "last") == 0) {
    rc = eh_store_run_older(store, INT64_MAX, out, err);
    if (rc == 0 && out->run == 0)
      rc = eh_err_set(err, EH_ENOENT, "%s: no run yet", store->path);
    return rc;
  }
  rc = eh_store_prepare(store->db, store->path,
                        "SELECT " RUN_COLUMNS " FROM runs"
                        " WHERE substr(id, 1, length(?1)) = ?1"
                        " ORDER BY id LIMIT 2",
                        &stmt, err);
  if (rc != 0)
    return rc;
  sqlite3_bind_text(stmt, 1, key, -1, SQLITE_STATIC);
  rc = key[0] != '\0' ? take_match(stmt, key, out, err) : SQLITE_DONE;
  sqlite3_finalize(stmt);
  if (rc == SQLITE_ROW)
    return 0;
  if (rc == SQLITE_DONE)
    return eh_err_set(err, EH_ENOENT, "no run \"%s\" in %s", key, store->path);
  if (rc == SQLITE_MISMATCH)
    return EH_EARG;
  eh_store_run_free(out);
  return eh_fault_sqlite(store->db, store->path, rc, "reading the store", err);
}

void eh_store_run_free(struct eh_store_run *run) {
  eh_free(run->memory);
  memset(run, 0, sizeof *run);
}
