/* fold.c: case folding, compatibility normalisation and white space. */
#include "text/fold.h"

#include "base/alloc.h"
#include "text/utf8.h"

#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

/* The longest full case folding has 3 code points. */
#define MAX_FOLDED 8

/* Where characters are appended, white space treated on the way. */
struct sink {
  struct eh_buf *out;
  unsigned flags;
  size_t start;  /* of this text in out */
  size_t solid;  /* the end of the last character that is no space */
  bool in_space; /* has this run of white space been written? */
};

static bool is_space(const struct sink *sink, int32_t point) {
  if ((sink->flags & (EH_FOLD_SPACE | EH_FOLD_TRIM)) == 0)
    return false;
  return eh_utf8_is_space(point);
}

/* Appends one character of size bytes. */
static int put(struct sink *sink, int32_t point, const char *bytes,
               size_t size) {
  struct eh_buf *out = sink->out;
  int rc;
  if (is_space(sink, point)) {
    if ((sink->flags & EH_FOLD_TRIM) != 0 && sink->solid == sink->start)
      return 0;
    if ((sink->flags & EH_FOLD_SPACE) == 0)
      return eh_buf_add(out, bytes, size);
    if (sink->in_space)
      return 0;
    sink->in_space = true;
    return eh_buf_addc(out, ' ');
  }
  rc = eh_buf_add(out, bytes, size);
  sink->in_space = false;
  sink->solid = out->len;
  return rc;
}

static int put_point(struct sink *sink, int32_t point) {
  char bytes[4];
  return put(sink, point, bytes, eh_utf8_encode(point, bytes));
}

static void cut_back(struct eh_buf *out, size_t len) {
  if (out->len > len) {
    out->len = len;
    out->data[len] = '\0';
  }
}

static bool is_ascii_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* ASCII, the common case, in one pass. */
static int fold_ascii(struct sink *sink, const char *text, size_t len) {
  struct eh_buf *out = sink->out;
  bool fold = (sink->flags & EH_FOLD_CASE) != 0;
  bool join = (sink->flags & EH_FOLD_SPACE) != 0;
  bool trim = (sink->flags & EH_FOLD_TRIM) != 0, in_space = false;
  char *to, *start, *solid;
  int rc = eh_buf_reserve(out, len);
  if (rc != 0)
    return rc;
  to = start = solid = out->data + out->len;
  for (size_t i = 0; i < len; i++) {
    char c = text[i];
    if ((join || trim) && is_ascii_space(c)) {
      if ((trim && solid == start) || (join && in_space))
        continue;
      in_space = true;
      *to++ = join ? ' ' : c;
      continue;
    }
    in_space = false;
    *to++ = fold && c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
    solid = to;
  }
  *to = '\0';
  out->len += (size_t)(to - start);
  sink->solid = sink->start + (size_t)(solid - start);
  return 0;
}

/* The bytes of invalid texts. */
static int fold_bytes(struct sink *sink, const char *text, size_t len) {
  int rc = eh_buf_reserve(sink->out, 0);
  for (size_t i = 0; i < len && rc == 0; i++) {
    char c = text[i];
    if ((sink->flags & EH_FOLD_CASE) != 0 && c >= 'A' && c <= 'Z')
      c = (char)(c - 'A' + 'a');
    rc = put(sink, (unsigned char)c < 0x80 ? c : 0xFFFD, &c, 1);
  }
  return rc;
}

/* Case folding without normalisation: character by character. */
static int fold_points(struct sink *sink, const char *text, size_t len) {
  size_t pos = 0;
  int rc = 0;
  while (pos < len && rc == 0) {
    utf8proc_int32_t folded[MAX_FOLDED];
    int32_t point = eh_utf8_next(text, len, &pos);
    utf8proc_ssize_t count;
    int unused = 0;
    if ((sink->flags & EH_FOLD_CASE) == 0 || point < 0) {
      rc = put_point(sink, point);
      continue;
    }
    count = utf8proc_decompose_char(point, folded, MAX_FOLDED,
                                    UTF8PROC_CASEFOLD, &unused);
    for (utf8proc_ssize_t i = 0; i < count && i < MAX_FOLDED && rc == 0; i++)
      rc = put_point(sink, folded[i]);
  }
  return rc;
}

/* NFKC needs whole sequences: the text is decomposed (and case-folded),
 * sorted and composed in an array of code points. */
static int fold_nfkc(struct sink *sink, const char *text, size_t len) {
  const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text;
  utf8proc_option_t options =
      UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_STABLE;
  utf8proc_int32_t *points;
  utf8proc_ssize_t count;
  int rc = 0;
  if ((sink->flags & EH_FOLD_CASE) != 0)
    options |= UTF8PROC_CASEFOLD;
  count = utf8proc_decompose(bytes, (utf8proc_ssize_t)len, NULL, 0, options);
  if (count < 0 || (size_t)count > sink->out->max)
    return EH_ELIMIT;
  points = eh_malloc(((size_t)count + 1) * sizeof *points);
  count =
      utf8proc_decompose(bytes, (utf8proc_ssize_t)len, points, count, options);
  count = utf8proc_normalize_utf32(points, count, options);
  for (utf8proc_ssize_t i = 0; i < count && rc == 0; i++)
    rc = put_point(sink, points[i]);
  eh_free(points);
  return rc;
}

static bool is_ascii(const char *text, size_t len) {
  unsigned char bits = 0;
  for (size_t i = 0; i < len; i++)
    bits |= (unsigned char)text[i];
  return bits < 0x80;
}

int eh_fold_text(struct eh_buf *out, const char *text, size_t len,
                 unsigned flags, struct eh_err *err) {
  struct sink sink = {.out = out, .flags = flags};
  int rc;
  sink.start = sink.solid = out->len;
  if (is_ascii(text, len)) {
    rc = fold_ascii(&sink, text, len);
  } else if (!eh_utf8_valid(text, len)) {
    size_t bad = eh_utf8_check(text, len);
    if ((flags & EH_FOLD_LAX) == 0)
      return eh_err_at(err, EH_EUTF8, 0, 0, bad, "not valid UTF-8 at byte %zu",
                       bad + 1);
    rc = fold_bytes(&sink, text, len);
  } else if ((flags & EH_FOLD_NFKC) != 0) {
    rc = fold_nfkc(&sink, text, len);
  } else {
    rc = fold_points(&sink, text, len);
  }
  if (rc != 0) {
    cut_back(out, sink.start);
    return eh_err_set(err, rc, NULL);
  }
  if ((flags & EH_FOLD_TRIM) != 0)
    cut_back(out, sink.solid);
  return 0;
}
