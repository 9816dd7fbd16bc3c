/* private.h: what the files of src/json share and others do not see. */
#ifndef EH_JSON_PRIVATE_H
#define EH_JSON_PRIVATE_H

#include "base/buf.h"
#include "base/err.h"
#include "text/utf8.h"

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Skips the bytes that stand for themselves in a string: all but controls,
 * quote and backslash. *high becomes true if one of them is not ASCII. Eight
 * bytes at a time, the first one lowest; a borrow can only make a hit out of
 * what follows one, so the lowest hit is right. */
static inline const char *eh_json_plain(const char *p, const char *end,
                                        bool *high) {
  const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones * 0x80;
  uint64_t seen = 0;
  for (; end - p >= 8; p += 8) {
    uint64_t word, stop;
    memcpy(&word, p, 8);
    word = le64toh(word);
    stop = (word - ones * 0x20) | ((word ^ (ones * '"')) - ones) |
           ((word ^ (ones * '\\')) - ones);
    stop &= ~word & tops;
    if (stop != 0) {
      int plain = __builtin_ctzll(stop) / 8;
      seen |= word & ((UINT64_C(1) << (8 * plain)) - 1);
      *high = *high || (seen & tops) != 0;
      return p + plain;
    }
    seen |= word;
  }
  while (p < end && (unsigned char)*p >= 0x20 && *p != '"' && *p != '\\')
    seen |= (uint64_t)(unsigned char)*p++;
  *high = *high || (seen & tops) != 0;
  return p;
}

/* The length of the well-formed UTF-8 sequence at p, or 0. */
static inline size_t eh_json_utf8(const char *p, const char *end) {
  size_t step = 0;
  if (p == end || eh_utf8_next(p, (size_t)(end - p), &step) < 0)
    return 0;
  return step;
}

struct eh_json_token {
  const char *ptr; /* the string's text, or a number's first byte */
  size_t len;
  const char *next; /* the byte after the token */
  const char *bad;  /* on failure: the byte at fault ... */
  const char *why;  /* ... and what is wrong with it */
};

/* Reads a string; p is after its opening quote. Without escapes the result
 * points into the text, else into scratch. */
int eh_json_string_read(const char *p, const char *end, struct eh_buf *scratch,
                        struct eh_json_token *out);

enum eh_json_number_kind { EH_NUMBER_INT, EH_NUMBER_REAL, EH_NUMBER_BIG };

struct eh_json_number {
  struct eh_json_token token;
  enum eh_json_number_kind kind;
  int64_t integer;
  double real;
};

int eh_json_number_read(const char *p, const char *end,
                        struct eh_json_number *out);

/* Fills err with code at p in text[0..len). */
int eh_json_fail_at(struct eh_err *err, int code, const char *text,
                    const char *p, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* The error of a key that occurs twice; p is its opening quote. */
int eh_json_fail_key(struct eh_err *err, const char *text, const char *p,
                     const char *key, size_t len);

#endif
