/* err.c: error codes, their names, and how an error is filled in. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  const char *text;
} codes[EH_CODE_COUNT] = {[EH_OK] = {"ok", "no error"},
#define EH_ERR_ROW(code, name, text) [code] = {name, text},
                          EH_ERR_MAP(EH_ERR_ROW)
#undef EH_ERR_ROW
};

const char *eh_err_name(int code) {
  if (code < 0 || code >= EH_CODE_COUNT)
    return "internal";
  return codes[code].name;
}

const char *eh_err_text(int code) {
  if (code < 0 || code >= EH_CODE_COUNT)
    return codes[EH_EINTERNAL].text;
  return codes[code].text;
}

__attribute__((format(printf, 3, 0))) static void
fill(struct eh_err *err, int code, const char *fmt, va_list args) {
  memset(err, 0, sizeof *err);
  err->code = code;
  if (fmt == NULL)
    snprintf(err->msg, sizeof err->msg, "%s", eh_err_text(code));
  else
    vsnprintf(err->msg, sizeof err->msg, fmt, args);
}

int eh_err_set(struct eh_err *err, int code, const char *fmt, ...) {
  if (err != NULL) {
    va_list args;
    va_start(args, fmt);
    fill(err, code, fmt, args);
    va_end(args);
  }
  return code;
}

int eh_err_at(struct eh_err *err, int code, size_t line, size_t column,
              size_t offset, const char *fmt, ...) {
  if (err != NULL) {
    va_list args;
    va_start(args, fmt);
    fill(err, code, fmt, args);
    va_end(args);
    err->line = line;
    err->column = column;
    err->offset = offset;
  }
  return code;
}

int eh_err_errno(struct eh_err *err, int errnum, const char *what) {
  int code;
  switch (errnum) {
  case ENOENT:
  case ENOTDIR:
    code = EH_ENOENT;
    break;
  case EEXIST:
    code = EH_EEXIST;
    break;
  case EACCES:
  case EPERM:
    code = EH_EPERM;
    break;
  case EROFS:
    code = EH_EREADONLY;
    break;
  case ENOSPC:
  case EDQUOT:
    code = EH_EFULL;
    break;
  default:
    code = EH_EIO;
  }
  return eh_err_set(err, code, "%s: %s", what, strerror(errnum));
}
