/* internal.h: what the files of src/store share. */
#ifndef EH_STORE_INTERNAL_H
#define EH_STORE_INTERNAL_H

#include "store/store.h"

#include <sqlite3.h>

struct eh_store {
  sqlite3 *db;
  char *path;
  sqlite3_stmt *insert; /* of a result; made at the first one */
  bool in_batch;        /* a transaction is open */
};

/* fault.c: says in our words why a call on db failed with rc. `what` is what
 * was being done ("writing to the store"). Returns our code. */
int eh_fault_sqlite(sqlite3 *db, const char *path, int rc, const char *what,
                    struct eh_err *err);

/* fault.c: the file is no sound store; says how to move it aside. */
int eh_fault_corrupt(const char *path, const char *why, struct eh_err *err);

/* holder.c: who has the store at path locked, such as "process 4711
 * (evalhost)"; "another process" if it cannot be told. */
void eh_holder_name(const char *path, char *out, size_t size);

/* schema.c: makes a new store at path, complete or not at all. A file that
 * is there by then is left alone. */
int eh_schema_create(const char *path, struct eh_err *err);

/* schema.c: is this database a store of our version? */
int eh_schema_check(sqlite3 *db, const char *path, struct eh_err *err);

/* store.c: opens one more connection to an existing file. */
int eh_store_connect(const char *path, sqlite3 **out, struct eh_err *err);

/* store.c: begins the batch unless it is open. */
int eh_store_batch(struct eh_store *store, struct eh_err *err);

/* store.c: a statement or the reason why not. */
int eh_store_prepare(sqlite3 *db, const char *path, const char *sql,
                     sqlite3_stmt **out, struct eh_err *err);

static inline void eh_store_bind_text(sqlite3_stmt *stmt, int at,
                                      struct eh_store_text text) {
  sqlite3_bind_text64(stmt, at, text.ptr != NULL ? text.ptr : "", text.len,
                      SQLITE_STATIC, SQLITE_UTF8);
}

static inline struct eh_store_text eh_store_column(sqlite3_stmt *stmt, int at) {
  const char *ptr = (const char *)sqlite3_column_text(stmt, at);
  struct eh_store_text text = {ptr != NULL ? ptr : "", 0};
  text.len = (size_t)sqlite3_column_bytes(stmt, at);
  return text;
}

#endif
