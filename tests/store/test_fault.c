/* test_fault.c: SQLite's failures in our codes and words. */
#include "store/internal.h"

#include "check_main.h"

#include <errno.h>
#include <string.h>

START_TEST(codes) {
  static const struct {
    int rc, errnum, code;
  } rows[] = {{SQLITE_BUSY, 0, EH_EBUSY},
              {SQLITE_BUSY_SNAPSHOT, 0, EH_EBUSY},
              {SQLITE_CORRUPT_INDEX, 0, EH_ECORRUPT},
              {SQLITE_NOTADB, 0, EH_ECORRUPT},
              {SQLITE_FULL, 0, EH_EFULL},
              {SQLITE_READONLY_DBMOVED, 0, EH_EREADONLY},
              {SQLITE_CONSTRAINT_UNIQUE, 0, EH_EEXIST},
              {SQLITE_TOOBIG, 0, EH_ELIMIT},
              {SQLITE_IOERR_WRITE, EIO, EH_EIO},
              {SQLITE_IOERR_FSYNC, ENOSPC, EH_EFULL},
              {SQLITE_IOERR_WRITE, EDQUOT, EH_EFULL},
              {SQLITE_IOERR_WRITE, 0, EH_EIO},
              {SQLITE_CANTOPEN, EACCES, EH_EPERM},
              {SQLITE_CANTOPEN, EROFS, EH_EREADONLY},
              {SQLITE_MISUSE, 0, EH_EINTERNAL}};
  sqlite3 *db;
  ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct eh_err err;
    int code;
    errno = rows[i].errnum;
    code = eh_fault_sqlite(db, "/x/s.db", rows[i].rc, "doing", &err);
    ck_assert_int_eq(code, rows[i].code);
    ck_assert_int_eq(err.code, code);
    ck_assert_ptr_nonnull(strstr(err.msg, "/x/s.db"));
  }
  sqlite3_close(db);
}
END_TEST

START_TEST(advice_names_the_file) {
  struct eh_err err;
  ck_assert_int_eq(eh_fault_corrupt("/x/s.db", "torn", &err), EH_ECORRUPT);
  ck_assert_ptr_nonnull(strstr(err.msg, "/x/s.db: torn"));
  ck_assert_ptr_nonnull(strstr(err.msg, "/x/s.db.damaged"));
}
END_TEST

CHECK_MAIN(fault, codes, advice_names_the_file)
