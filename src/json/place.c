/* place.c: where in a text an error is. Only computed when there is one. */
#include "json/private.h"

#include <stdarg.h>
#include <stdio.h>

static void locate(struct eh_err *err, const char *text, const char *p) {
  size_t line = 1, column = 1;
  const char *s = text;
  if (p - s >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
    s += 3;
  for (; s < p; s++) {
    if (*s == '\n') {
      line++;
      column = 1;
    } else if (((unsigned char)*s & 0xc0) != 0x80) {
      column++;
    }
  }
  err->line = line;
  err->column = column;
  err->offset = (size_t)(p - text);
}

int eh_json_fail_at(struct eh_err *err, int code, const char *text,
                    const char *p, const char *fmt, ...) {
  char msg[sizeof err->msg];
  va_list args;
  if (err == NULL)
    return code;
  va_start(args, fmt);
  vsnprintf(msg, sizeof msg, fmt, args);
  va_end(args);
  eh_err_set(err, code, "%s", msg);
  locate(err, text, p);
  return code;
}

int eh_json_fail_key(struct eh_err *err, const char *text, const char *p,
                     const char *key, size_t len) {
  size_t shown = eh_utf8_cut(key, len, 80);
  return eh_json_fail_at(err, EH_EEXIST, text, p,
                         "the key \"%.*s%s\" occurs twice in one object",
                         (int)shown, key, shown < len ? "..." : "");
}
