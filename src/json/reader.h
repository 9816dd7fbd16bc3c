/* reader.h: the strict JSON reader (RFC 8259).
 *
 * One core checks the text and tells a sink what it finds; eh_json_parse is
 * the sink that builds a tree. The text is borrowed; what the sink is given
 * lives until its callback returns. The reader does not recurse and holds no
 * memory of its own when `scratch` is given, so a sink may leave it by
 * longjmp.
 *
 * What it accepts beyond doubt: UTF-8 only, no lone surrogates, no NaN, one
 * value and nothing after it. Integers that fit int64_t are exact, larger
 * ones keep their digits. "-0" is the real -0.0. A number whose nearest
 * double is infinite (1e999) is EH_ERANGE; one that is too small is 0.
 *
 * Errors: EH_EPARSE (malformed), EH_EUTF8, EH_ERANGE, EH_EDEPTH, EH_ELIMIT,
 * EH_EEXIST (a key occurs twice). Line and column are 1-based, the column
 * counts characters, the offset counts bytes from 0 (a byte order mark
 * counts in the offset only). */
#ifndef EH_JSON_READER_H
#define EH_JSON_READER_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "json/value.h"

#define EH_JSON_DEPTH     512  /* nesting allowed unless the caller says */
#define EH_JSON_DEPTH_MAX 1024 /* the most that a caller may allow */

struct eh_json_opts {
  size_t max_depth;       /* 0: EH_JSON_DEPTH; [] has depth 1 */
  size_t max_bytes;       /* 0: EH_MAX_JSON_TEXT */
  bool last_wins;         /* of two equal keys the last counts; else reject */
  bool bom;               /* a leading byte order mark is skipped */
  struct eh_buf *scratch; /* for strings with escapes; NULL: the reader's */
};

/* Each callback returns 0, or a code that ends the reading; the reader adds
 * the place and the code's text. begin_object is followed by pairs of key
 * and value; the sink decides about equal keys (EH_EEXIST rejects). */
struct eh_json_sink {
  int (*null)(void *ctx);
  int (*boolean)(void *ctx, bool value);
  int (*integer)(void *ctx, int64_t value);
  int (*real)(void *ctx, double value);
  int (*big)(void *ctx, const char *digits, size_t len);
  int (*string)(void *ctx, const char *text, size_t len);
  int (*begin_array)(void *ctx);
  int (*end_array)(void *ctx);
  int (*begin_object)(void *ctx);
  int (*key)(void *ctx, const char *text, size_t len, size_t offset);
  int (*end_object)(void *ctx);
};

/* opts may be NULL. */
int eh_json_read(const char *text, size_t len, const struct eh_json_opts *opts,
                 const struct eh_json_sink *sink, void *ctx,
                 struct eh_err *err);

/* Reads text into a tree whose memory is arena's. */
int eh_json_parse(struct eh_arena *arena, const char *text, size_t len,
                  const struct eh_json_opts *opts, struct eh_json *out,
                  struct eh_err *err);

/* How a person might repair the text that gave err, or NULL. A constant. */
const char *eh_json_hint(const char *text, size_t len,
                         const struct eh_err *err);

#endif
