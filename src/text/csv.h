/* csv.h: a streaming, strict reader of CSV (RFC 4180) in UTF-8.
 *
 * The caller feeds bytes in pieces of any size and asks for what they hold;
 * the pieces have no influence on the result:
 *
 *   struct eh_csv *csv = eh_csv_new(NULL);
 *   for (;;)
 *     switch (eh_csv_next(csv, &row, &problem)) {
 *     case EH_CSV_MORE:    feed more, or eh_csv_finish(csv); break;
 *     case EH_CSV_ROW:     use row; break;
 *     case EH_CSV_PROBLEM: list it; if problem.fatal nothing follows; break;
 *     case EH_CSV_END:     eh_csv_free(csv); return;
 *     }
 *
 * Accepted: a byte order mark, lines ended by LF, CRLF or CR, line breaks and
 * doubled quotes in quoted cells, a quote inside an unquoted cell, no final
 * line break. Lines of nothing but blanks are skipped (unless the rows have
 * one column and the line is not empty). */
#ifndef EH_TEXT_CSV_H
#define EH_TEXT_CSV_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct eh_csv;

struct eh_csv_cell {
  const char *text; /* not terminated */
  size_t len;
};

/* Valid until the next call of any function on the reader. */
struct eh_csv_row {
  const struct eh_csv_cell *cells;
  size_t count;
  size_t line;   /* physical line where the row starts, from 1 */
  size_t number; /* 0 for the first row (the header), then 1, 2, ... */
};

enum eh_csv_kind {
  EH_CSV_UNTERMINATED,     /* a quoted cell is never closed */
  EH_CSV_TEXT_AFTER_QUOTE, /* "a"b */
  EH_CSV_RAGGED,           /* not as many cells as the first row */
  EH_CSV_NUL,
  EH_CSV_ENCODING, /* not valid UTF-8, such as Latin-1 */
  EH_CSV_UTF16,
  EH_CSV_TOO_LARGE,
  EH_CSV_IO,
};

/* err has the code, the message and the place: physical line and column
 * (counted in characters), both from 1, and the byte offset in the file. */
struct eh_csv_problem {
  struct eh_err err;
  enum eh_csv_kind kind;
  size_t number;    /* of the row, as in eh_csv_row */
  const char *hint; /* how to repair it; static text, never NULL */
  bool fatal;       /* nothing follows */
};

/* 0 means the default. */
struct eh_csv_options {
  size_t max_problems; /* the last one of so many is fatal (20) */
  size_t max_record;   /* bytes of one record (EH_MAX_CSV_RECORD) */
  size_t max_cells;    /* cells of one record (16,384) */
  bool ragged;         /* rows may have any number of cells */
};

enum eh_csv_event { EH_CSV_MORE, EH_CSV_ROW, EH_CSV_PROBLEM, EH_CSV_END };

/* options may be NULL. The caller owns the reader. */
struct eh_csv *eh_csv_new(const struct eh_csv_options *options);
void eh_csv_free(struct eh_csv *csv);

/* Copies the bytes. Best called when eh_csv_next has said EH_CSV_MORE. */
void eh_csv_feed(struct eh_csv *csv, const char *bytes, size_t len);

/* The same without a copy: a place for at least `want` bytes, and how many
 * were written there. */
char *eh_csv_space(struct eh_csv *csv, size_t want);
void eh_csv_filled(struct eh_csv *csv, size_t len);

/* No bytes follow. */
void eh_csv_finish(struct eh_csv *csv);

/* Nothing more is wanted: eh_csv_next will say EH_CSV_END. */
void eh_csv_stop(struct eh_csv *csv);

/* The next thing in the bytes given so far. After a problem the reader goes on
 * with the next record; after a problem with quotes, with the line behind the
 * one where the quoted cell was opened. */
enum eh_csv_event eh_csv_next(struct eh_csv *csv, struct eh_csv_row *row,
                              struct eh_csv_problem *problem);

/* The name of a kind in reports: "ragged_row". */
const char *eh_csv_kind_name(enum eh_csv_kind kind);

#endif
