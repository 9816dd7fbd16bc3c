/* csv_hint.c: the messages of the CSV reader, and its advice. */
#include "text/csv_hint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define QUOTE_HINT                                                             \
  "write a quote inside a quoted cell twice, as in \"{\"\"ticker\"\": "        \
  "\"\"AAPL\"\"}\""

__attribute__((format(printf, 3, 4))) static void
say(struct eh_csv_problem *problem, const char *hint, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  vsnprintf(problem->err.msg, sizeof problem->err.msg, fmt, args);
  va_end(args);
  problem->hint = hint;
}

void eh_csv_hint_stray(struct eh_csv_problem *problem, size_t line,
                       size_t column) {
  if (line == problem->err.line)
    say(problem, QUOTE_HINT,
        "text after the closing quote of the cell opened at column %zu",
        column);
  else
    say(problem,
        "close the cell that was opened there with a quote; " QUOTE_HINT,
        "text after the closing quote of the cell opened at line %zu, column "
        "%zu",
        line, column);
}

void eh_csv_hint_open(struct eh_csv_problem *problem) {
  say(problem, "close the cell with a quote before the next comma; " QUOTE_HINT,
      "the quoted cell that begins here is never closed");
}

void eh_csv_hint_size(struct eh_csv_problem *problem, size_t max, bool cells,
                      bool quoted) {
  if (cells)
    say(problem, "check the separators: every comma outside quotes is one",
        "a record has more than %zu cells", max);
  else if (quoted)
    say(problem, "the quote that opens the cell is probably never closed",
        "the record with the quoted cell that begins here is larger than %zu "
        "bytes",
        max);
  else
    say(problem, "check the line breaks: is this a text file?",
        "the record that begins here is larger than %zu bytes", max);
}

void eh_csv_hint_byte(struct eh_csv_problem *problem, unsigned char byte) {
  if (byte == 0)
    say(problem, "remove it; if there are many, the file is UTF-16 or binary",
        "a NUL byte");
  else
    say(problem,
        "the file looks like Latin-1 or Windows-1252: save it as UTF-8, or "
        "convert it: iconv -f WINDOWS-1252 -t UTF-8 OLD.csv > NEW.csv",
        "byte 0x%02X is not valid UTF-8", byte);
}

void eh_csv_hint_utf16(struct eh_csv_problem *problem) {
  say(problem,
      "save it as \"CSV UTF-8\", or convert it: iconv -f UTF-16 -t UTF-8 "
      "OLD.csv > NEW.csv",
      "the file is UTF-16, not UTF-8");
}

/* Advice from the look of a row with too many cells. */
static const char *surplus_hint(const char *text, size_t len) {
  const char *brace = memchr(text, '{', len);
  if (memmem(text, len, ",'", 2) != NULL || text[0] == '\'')
    return "quote cells with \" and not with '; " QUOTE_HINT;
  if (memmem(text, len, ", \"", 3) != NULL && brace == NULL)
    return "no space may stand between a comma and an opening quote";
  if (brace != NULL)
    return "put quotes around JSON, and " QUOTE_HINT;
  return "put quotes around a cell that contains a comma";
}

void eh_csv_hint_ragged(struct eh_csv_problem *problem, size_t count,
                        size_t width, const char *text, size_t len) {
  const char *hint;
  if (count > width)
    hint = surplus_hint(text, len);
  else
    hint = "add the missing commas; put quotes around a cell that contains a "
           "line break";
  say(problem, hint, "%zu %s where the first row has %zu", count,
      count == 1 ? "cell" : "cells", width);
}
