/* store.c: opening the file, and the batch of rows that share a commit. */
#include "store/store.h"

#include "base/alloc.h"
#include "store/internal.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE_MS 5000

/* FULL: a commit is synced before it returns. The page cache stays small and
 * the log is cut back after a checkpoint, whatever the number of rows. */
static const char settings[] = "PRAGMA journal_mode = WAL;"
                               "PRAGMA synchronous = FULL;"
                               "PRAGMA cache_size = -2048;"
                               "PRAGMA wal_autocheckpoint = 1000;"
                               "PRAGMA journal_size_limit = 8388608;"
                               "PRAGMA temp_store = MEMORY;"
                               "PRAGMA trusted_schema = OFF;";

/* A name that SQLite takes for a plain file, whatever it looks like. */
static char *plain_path(const char *path) {
  size_t len = strlen(path);
  char *plain;
  if (path[0] == '/')
    return eh_strndup(path, len);
  plain = eh_malloc(len + 3);
  memcpy(plain, "./", 2);
  memcpy(plain + 2, path, len + 1);
  return plain;
}

static int check_folder(const char *path, struct eh_err *err) {
  size_t len = (size_t)(strrchr(path, '/') - path);
  char *folder = eh_strndup(path, len > 0 ? len : 1);
  struct stat info;
  int rc = 0;
  if (stat(folder, &info) != 0)
    rc = errno == ENOENT || errno == ENOTDIR
             ? eh_err_set(err, EH_ENOENT,
                          "the store's folder %s does not exist", folder)
             : eh_err_errno(err, errno, folder);
  else if (!S_ISDIR(info.st_mode))
    rc = eh_err_set(err, EH_ENOENT, "%s is not a folder", folder);
  else if (access(folder, W_OK | X_OK) != 0)
    rc = eh_err_set(err, EH_EREADONLY,
                    "the store's folder %s cannot be written: %s", folder,
                    strerror(errno));
  eh_free(folder);
  return rc;
}

/* Looks at the file before SQLite does; makes it if there is none. An empty
 * file is refused: a new store is never empty, so one was cut to nothing. */
static int check_file(const char *path, struct eh_err *err) {
  struct stat info;
  if (stat(path, &info) != 0) {
    if (errno != ENOENT)
      return eh_err_errno(err, errno, path);
    return eh_schema_create(path, err);
  }
  if (!S_ISREG(info.st_mode))
    return eh_err_set(err, EH_ECORRUPT, "%s is not a file", path);
  if (info.st_size == 0)
    return eh_fault_corrupt(path, "the file is empty, not a store", err);
  if (access(path, R_OK | W_OK) != 0)
    return eh_err_set(err, EH_EREADONLY, "the store %s cannot be written: %s",
                      path, strerror(errno));
  return 0;
}

int eh_store_connect(const char *path, sqlite3 **out, struct eh_err *err) {
  sqlite3 *db = NULL;
  int code = 0;
  int rc = sqlite3_open_v2(path, &db,
                           SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (rc == SQLITE_OK) {
    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_timeout(db, PATIENCE_MS);
    rc = sqlite3_exec(db, settings, NULL, NULL, NULL);
  }
  if (rc != SQLITE_OK)
    code = eh_fault_sqlite(db, path, rc, "opening the store", err);
  if (code != 0) {
    sqlite3_close(db);
    db = NULL;
  }
  *out = db;
  return code;
}

/* Takes the writer's place and gives it back: proves that the file, its log
 * and its lock can be used. */
static int check_writable(struct eh_store *store, struct eh_err *err) {
  int rc;
  if (sqlite3_db_readonly(store->db, "main") == 1)
    return eh_err_set(err, EH_EREADONLY, "the store %s cannot be written",
                      store->path);
  rc = eh_store_batch(store, err);
  if (rc == 0)
    eh_store_abort(store);
  return rc;
}

int eh_store_open(const char *path, struct eh_store **out, struct eh_err *err) {
  struct eh_store *store = eh_calloc(1, sizeof *store);
  int rc;
  *out = NULL;
  store->path = plain_path(path);
  rc = check_folder(store->path, err);
  if (rc == 0)
    rc = check_file(store->path, err);
  if (rc == 0)
    rc = eh_store_connect(store->path, &store->db, err);
  if (rc == 0)
    rc = eh_schema_check(store->db, store->path, err);
  if (rc == 0)
    rc = check_writable(store, err);
  if (rc != 0) {
    eh_store_close(store);
    return rc;
  }
  *out = store;
  return 0;
}

void eh_store_close(struct eh_store *store) {
  if (store == NULL)
    return;
  if (store->db != NULL) {
    int rc;
    eh_store_abort(store);
    sqlite3_finalize(store->insert);
    rc = sqlite3_close(store->db);
    assert(rc == SQLITE_OK); /* else a statement was forgotten */
    (void)rc;
  }
  eh_free(store->path);
  eh_free(store);
}

void eh_store_patience(struct eh_store *store, int ms) {
  sqlite3_busy_timeout(store->db, ms);
}

int eh_store_prepare(sqlite3 *db, const char *path, const char *sql,
                     sqlite3_stmt **out, struct eh_err *err) {
  int rc =
      sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL);
  if (rc == SQLITE_OK)
    return 0;
  *out = NULL;
  return eh_fault_sqlite(db, path, rc, "reading the store", err);
}

int eh_store_batch(struct eh_store *store, struct eh_err *err) {
  int rc;
  if (store->in_batch)
    return 0;
  errno = 0;
  rc = sqlite3_exec(store->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  if (rc != SQLITE_OK)
    return eh_fault_sqlite(store->db, store->path, rc, "writing to the store",
                           err);
  store->in_batch = true;
  return 0;
}

int eh_store_commit(struct eh_store *store, struct eh_err *err) {
  int rc;
  if (!store->in_batch)
    return 0;
  errno = 0;
  rc = sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
  if (rc != SQLITE_OK) {
    rc = eh_fault_sqlite(store->db, store->path, rc, "writing to the store",
                         err);
    eh_store_abort(store);
    return rc;
  }
  store->in_batch = false;
  return 0;
}

void eh_store_abort(struct eh_store *store) {
  /* SQLite may have rolled back by itself after a failure. */
  if (store->in_batch && !sqlite3_get_autocommit(store->db))
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
  assert(sqlite3_get_autocommit(store->db));
  store->in_batch = false;
}
