/* writer.h: writing value trees as JSON text.
 *
 * Numbers are the shortest text that reads back as the same number (see
 * number.h); strings escape only what JSON or a web page needs: controls,
 * quote, backslash, U+2028 and U+2029. */
#ifndef EH_JSON_WRITER_H
#define EH_JSON_WRITER_H

#include "base/buf.h"
#include "base/err.h"
#include "json/value.h"

enum eh_json_flags {
  EH_JSON_PRETTY = 1,    /* two spaces of indent, one member a line */
  EH_JSON_CANONICAL = 2, /* keys sorted by bytes, no spaces: for hashing */
  EH_JSON_HTML = 4       /* "</" as "<\/", to stand inside a script element */
};

/* Appends value to buf. EH_ERANGE for NaN and infinities, EH_EUTF8,
 * EH_EDEPTH beyond EH_JSON_DEPTH_MAX, EH_ELIMIT when buf is full; then buf
 * may hold a part. No newline at the end. */
int eh_json_write(struct eh_buf *buf, const struct eh_json *value,
                  unsigned flags, struct eh_err *err);

/* The same for one string of len bytes, with its quotes. */
int eh_json_write_string(struct eh_buf *buf, const char *text, size_t len,
                         unsigned flags, struct eh_err *err);

/* For qsort over pointers to members: by the bytes of the key. */
int eh_json_compare_keys(const void *a, const void *b);

#endif
