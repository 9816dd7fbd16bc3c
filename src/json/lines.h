/* lines.h: reads a text line by line (JSONL) in bounded memory.
 *
 * Lines end with LF or CRLF; the last one needs no end. A byte order mark
 * before the first is skipped, blank lines are skipped (but counted). The
 * bytes are not looked at: the JSON reader checks UTF-8. */
#ifndef EH_JSON_LINES_H
#define EH_JSON_LINES_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct eh_lines;

struct eh_line {
  const char *text; /* NULL at the end; lives until the next call */
  size_t len;
  size_t number;   /* 1-based, of the physical line */
  uint64_t offset; /* of its first byte in the file */
};

/* max is the longest line in bytes; 0 means EH_MAX_LINE. */
int eh_lines_open(struct eh_lines **out, const char *path, size_t max,
                  struct eh_err *err);

/* The same over a descriptor, which it closes at the end. */
struct eh_lines *eh_lines_fd(int fd, size_t max);

void eh_lines_close(struct eh_lines *lines);

/* 0, EH_ELIMIT (a line is too long; err->line says which) or EH_EIO. After
 * a failure the same failure comes again. */
int eh_lines_next(struct eh_lines *lines, struct eh_line *out,
                  struct eh_err *err);

#endif
