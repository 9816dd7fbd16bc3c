/* schema.c: the tables, how a new file is made, and how one is recognised.
 *
 * Room kept for later: a table of judge replies and one of cached responses,
 * both keyed by a hash of the request, get their own CREATE TABLE here, a
 * higher EH_SCHEMA_VERSION, and a step that upgrades an older file. */
#include "store/internal.h"

#include "base/alloc.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define SCHEMA_VERSION 1
#define APPLICATION_ID 0x65766873 /* "evhs" */
#define TEXT_OF_(x)    #x
#define TEXT_OF(x)     TEXT_OF_(x)

/* Rowid tables: results are appended in order of arrival and the unique index
 * gives case order. record is the last column, so that reading the others
 * does not read the pages that a long one spills to. */
static const char create_tables[] =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = OFF;" /* the whole file is synced at the end */
    "BEGIN;"
    "CREATE TABLE runs ("
    "  run INTEGER PRIMARY KEY,"
    "  id TEXT NOT NULL UNIQUE,"
    "  suite TEXT NOT NULL,"
    "  target TEXT NOT NULL,"
    "  status TEXT NOT NULL,"
    "  exit_code INTEGER,"
    "  started_at INTEGER NOT NULL," /* microseconds since 1970 UTC */
    "  finished_at INTEGER,"
    "  header TEXT NOT NULL,"
    "  summary TEXT);"
    "CREATE TABLE results ("
    "  seq INTEGER PRIMARY KEY,"
    "  run INTEGER NOT NULL REFERENCES runs,"
    "  idx INTEGER NOT NULL,"
    "  repeat INTEGER NOT NULL,"
    "  case_id TEXT NOT NULL,"
    "  verdict TEXT NOT NULL,"
    "  score REAL,"
    "  figures TEXT NOT NULL,"
    "  record TEXT NOT NULL);"
    "CREATE UNIQUE INDEX results_in_order ON results (run, idx, repeat);"
    "PRAGMA application_id = " TEXT_OF(
        APPLICATION_ID) ";"
                        "PRAGMA user_version = " TEXT_OF(
                            SCHEMA_VERSION) ";"
                                            "COMMIT;";

static int sync_path(const char *path, int flags) {
  int fd = open(path, flags | O_CLOEXEC);
  int rc;
  if (fd < 0)
    return errno;
  rc = fsync(fd) == 0 ? 0 : errno;
  close(fd);
  return rc;
}

/* Makes the folder's entry for path durable. */
static int sync_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder;
  int rc;
  assert(slash != NULL);
  folder = eh_strndup(path, slash == path ? 1 : (size_t)(slash - path));
  rc = sync_path(folder, O_RDONLY | O_DIRECTORY);
  eh_free(folder);
  return rc;
}

static int write_tables(const char *path, struct eh_err *err) {
  sqlite3 *db = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  int rc = sqlite3_open_v2(path, &db, flags, NULL);
  int code = 0;
  if (rc == SQLITE_OK)
    rc = sqlite3_exec(db, create_tables, NULL, NULL, NULL);
  if (rc != SQLITE_OK)
    code = eh_fault_sqlite(db, path, rc, "making the store", err);
  /* Moves everything from the log into the file, which stands alone then. */
  rc = sqlite3_close(db);
  if (code == 0 && rc != SQLITE_OK)
    code = eh_err_set(err, EH_EIO, "%s: making the store failed", path);
  return code;
}

/* Gives the finished file its name, unless that is taken. */
static int publish(const char *temp, const char *path, struct eh_err *err) {
  int errnum = sync_path(temp, O_RDWR);
  if (errnum == 0 && link(temp, path) != 0 && errno != EEXIST) {
    /* A file system without hard links. */
    if (access(path, F_OK) != 0 && rename(temp, path) != 0)
      errnum = errno;
  }
  if (errnum == 0)
    errnum = sync_folder(path);
  return errnum == 0 ? 0 : eh_err_errno(err, errnum, path);
}

int eh_schema_create(const char *path, struct eh_err *err) {
  static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
  uint32_t random = 0;
  size_t size = strlen(path) + 32;
  char *temp = eh_malloc(size);
  int code;
  if (getrandom(&random, sizeof random, 0) != sizeof random)
    random = 0;
  snprintf(temp, size, "%s.new-%d-%08x", path, (int)getpid(), random);
  code = write_tables(temp, err);
  if (code == 0)
    code = publish(temp, path, err);
  for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
    snprintf(temp, size, "%s.new-%d-%08x%s", path, (int)getpid(), random,
             suffixes[i]);
    unlink(temp);
  }
  eh_free(temp);
  return code;
}

static int read_number(sqlite3 *db, const char *path, const char *sql,
                       int64_t *out, struct eh_err *err) {
  sqlite3_stmt *stmt;
  int rc = eh_store_prepare(db, path, sql, &stmt, err);
  if (rc != 0)
    return rc;
  rc = sqlite3_step(stmt);
  if (rc == SQLITE_ROW)
    *out = sqlite3_column_int64(stmt, 0);
  sqlite3_finalize(stmt);
  if (rc == SQLITE_ROW)
    return 0;
  return eh_fault_sqlite(db, path, rc, "reading the store", err);
}

int eh_schema_check(sqlite3 *db, const char *path, struct eh_err *err) {
  int64_t application = 0, version = 0, tables = 0;
  int rc = read_number(db, path, "PRAGMA application_id", &application, err);
  if (rc == 0)
    rc = read_number(db, path, "PRAGMA user_version", &version, err);
  if (rc == 0)
    rc = read_number(db, path,
                     "SELECT count(*) FROM sqlite_schema WHERE name IN "
                     "('runs', 'results', 'results_in_order')",
                     &tables, err);
  if (rc != 0)
    return rc;
  if (application != APPLICATION_ID)
    return eh_fault_corrupt(
        path, "a database of another program, not a store of evalhost", err);
  if (version > SCHEMA_VERSION)
    return eh_err_set(err, EH_EVERSION,
                      "%s was written by a newer evalhost (schema %lld, this "
                      "one knows %d). Nothing was changed. Use that evalhost, "
                      "or another file with --store",
                      path, (long long)version, SCHEMA_VERSION);
  if (version < 1 || tables != 3)
    return eh_fault_corrupt(path, "tables are missing", err);
  return 0;
}
