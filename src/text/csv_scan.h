/* csv_scan.h: where the cells of one CSV record are. Private to csv.c.
 *
 * The record's bytes lie in one piece, from its first on; a scan that ends
 * with EH_CSV_SCAN_MORE goes on when more bytes are there (the bytes may have
 * moved: all places are relative to the record). */
#ifndef EH_TEXT_CSV_SCAN_H
#define EH_TEXT_CSV_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* A cell: bytes [first, end) of the record, without the quotes around it. */
struct eh_csv_piece {
  size_t first;
  size_t end;
  bool quoted;
  bool doubled; /* has doubled quotes */
};

enum eh_csv_scan_mode {
  EH_CSV_AT_CELL,
  EH_CSV_PLAIN,
  EH_CSV_QUOTED,
  EH_CSV_AFTER_QUOTE
};

/* All zero but for the limits, which the caller sets. */
struct eh_csv_scan {
  size_t max_cells;
  size_t max_record; /* bytes */
  enum eh_csv_scan_mode mode;
  size_t pos;
  bool has_quotes;
  struct eh_csv_piece *pieces;
  size_t count;
  size_t room;
};

enum eh_csv_scan_end {
  EH_CSV_SCAN_MORE,
  EH_CSV_SCAN_RECORD, /* pos is where its line end (or the end) is */
  EH_CSV_SCAN_END,    /* there is no record */
  EH_CSV_SCAN_STRAY,  /* text after a closing quote, at pos */
  EH_CSV_SCAN_OPEN,   /* the end inside quotes */
  EH_CSV_SCAN_LONG,   /* too many bytes */
  EH_CSV_SCAN_WIDE    /* too many cells */
};

/* Scans on; text and len are what there is of the record and behind it. */
enum eh_csv_scan_end eh_csv_scan_run(struct eh_csv_scan *scan, const char *text,
                                     size_t len, bool finished);

/* For the next record. */
void eh_csv_scan_reset(struct eh_csv_scan *scan);

void eh_csv_scan_free(struct eh_csv_scan *scan);

#endif
