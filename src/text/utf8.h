/* utf8.h: checking, walking, cutting, repairing and showing UTF-8.
 *
 * Texts are borrowed byte ranges; nothing here keeps them. "Valid" is the
 * Unicode meaning: shortest forms only, no surrogates, at most U+10FFFF (NUL
 * is valid). Functions that write append to the caller's buffer; they return
 * 0 or EH_ELIMIT, and then the buffer is as it was. */
#ifndef EH_TEXT_UTF8_H
#define EH_TEXT_UTF8_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of a text: bytes [first, end). */
struct eh_span {
  size_t first;
  size_t end;
};

/* The offset of the first byte that is not part of a valid sequence; len if
 * all are. A sequence that the end of the text cuts short counts as bad. */
size_t eh_utf8_check(const char *text, size_t len);
bool eh_utf8_valid(const char *text, size_t len);

/* The code point at *pos (< len), or -1 where the bytes are ill-formed. Moves
 * *pos past it (past the longest prefix of a sequence, at least one byte). */
int32_t eh_utf8_next(const char *text, size_t len, size_t *pos);

/* Writes a code point; returns its number of bytes. Surrogates and numbers
 * above U+10FFFF become U+FFFD. */
size_t eh_utf8_encode(int32_t point, char out[4]);

/* The number of code points; an ill-formed sequence counts as one. */
size_t eh_utf8_count(const char *text, size_t len);

/* The greatest code point boundary <= max: a prefix that is safe to show. */
size_t eh_utf8_cut(const char *text, size_t len, size_t max);

/* Is it white space (the Unicode property), a lower-case letter, or any
 * letter, digit or mark? (False for -1.) */
bool eh_utf8_is_space(int32_t point);
bool eh_utf8_is_lower(int32_t point);
bool eh_utf8_is_word(int32_t point);

/* Appends the text with U+FFFD for each ill-formed sequence. */
int eh_utf8_repair(struct eh_buf *out, const char *text, size_t len);

/* Columns on a terminal: 2 for wide characters, 0 for combining and control
 * characters, 1 for an ill-formed sequence (shown as U+FFFD). */
size_t eh_utf8_width(const char *text, size_t len);

/* The longest prefix of at most `columns` columns, in bytes. Combining marks
 * stay with their base. */
size_t eh_utf8_fit(const char *text, size_t len, size_t columns);

#endif
