/* csv_hint.h: what the CSV reader says about a problem: each function fills in
 * the message and the hint. Private to csv.c and csv_file.c. */
#ifndef EH_TEXT_CSV_HINT_H
#define EH_TEXT_CSV_HINT_H

#include "text/csv.h"

/* Text after the closing quote of the cell opened at line, column. */
void eh_csv_hint_stray(struct eh_csv_problem *problem, size_t line,
                       size_t column);

/* A quoted cell that is never closed. */
void eh_csv_hint_open(struct eh_csv_problem *problem);

/* More than max bytes (or cells) in one record. quoted: inside a quoted
 * cell. */
void eh_csv_hint_size(struct eh_csv_problem *problem, size_t max, bool cells,
                      bool quoted);

/* A byte that is NUL or not UTF-8. */
void eh_csv_hint_byte(struct eh_csv_problem *problem, unsigned char byte);

void eh_csv_hint_utf16(struct eh_csv_problem *problem);

/* count cells where the first row has width; the record is text. */
void eh_csv_hint_ragged(struct eh_csv_problem *problem, size_t count,
                        size_t width, const char *text, size_t len);

#endif
