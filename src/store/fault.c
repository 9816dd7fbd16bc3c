/* fault.c: SQLite's failures in our codes and words. */
#include "store/internal.h"

#include "base/alloc.h"

#include <errno.h>
#include <string.h>

int eh_fault_corrupt(const char *path, const char *why, struct eh_err *err) {
  return eh_err_set(err, EH_ECORRUPT,
                    "%s: %s. Nothing was changed. Move it aside "
                    "(with its -wal and -shm files, if any), for example to "
                    "%s.damaged, and a new store is made",
                    path, why, path);
}

static int fault_errno(int errnum) {
  switch (errnum) {
  case ENOSPC:
  case EDQUOT:
  case EFBIG:
    return EH_EFULL;
  case EROFS:
    return EH_EREADONLY;
  case EACCES:
  case EPERM:
    return EH_EPERM;
  default:
    return EH_EIO;
  }
}

/* The errno behind a failure. SQLite does not note it when COMMIT fails; then
 * it is the last one (eh_store_commit cleared it before). */
static int fault_cause(sqlite3 *db) {
  int errnum = sqlite3_system_errno(db);
  return errnum != 0 ? errnum : errno;
}

static int fault_code(int rc, int errnum) {
  switch (rc & 0xff) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return EH_EBUSY;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
    return EH_ECORRUPT;
  case SQLITE_FULL:
    return EH_EFULL;
  case SQLITE_READONLY:
    return EH_EREADONLY;
  case SQLITE_CONSTRAINT:
    return EH_EEXIST;
  case SQLITE_TOOBIG:
    return EH_ELIMIT;
  case SQLITE_IOERR:
  case SQLITE_CANTOPEN:
    return fault_errno(errnum);
  default:
    return EH_EINTERNAL;
  }
}

int eh_fault_sqlite(sqlite3 *db, const char *path, int rc, const char *what,
                    struct eh_err *err) {
  int errnum = fault_cause(db);
  int code = fault_code(rc, errnum);
  char holder[96];
  if ((rc & 0xff) == SQLITE_NOMEM || rc == SQLITE_IOERR_NOMEM)
    eh_oom(0);
  switch (code) {
  case EH_ECORRUPT:
    return eh_fault_corrupt(path, sqlite3_errmsg(db), err);
  case EH_EBUSY:
    eh_holder_name(path, holder, sizeof holder);
    return eh_err_set(err, code, "%s: %s: locked by %s", path, what, holder);
  case EH_EFULL:
    return eh_err_set(err, code, "%s: %s: no space left", path, what);
  case EH_EIO:
  case EH_EPERM:
    if (errnum != 0)
      return eh_err_set(err, code, "%s: %s: %s (%s)", path, what,
                        sqlite3_errmsg(db), strerror(errnum));
    break;
  default:
    break;
  }
  return eh_err_set(err, code, "%s: %s: %s", path, what, sqlite3_errmsg(db));
}
