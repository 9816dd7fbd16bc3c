/* csv_scan.c: the scan of one CSV record, once over its bytes. */
#include "text/csv_scan.h"

#include "base/alloc.h"

#include <string.h>

void eh_csv_scan_reset(struct eh_csv_scan *scan) {
  scan->mode = EH_CSV_AT_CELL;
  scan->pos = 0;
  scan->count = 0;
  scan->has_quotes = false;
}

void eh_csv_scan_free(struct eh_csv_scan *scan) {
  eh_free(scan->pieces);
  scan->pieces = NULL;
  scan->room = 0;
}

static void open_cell(struct eh_csv_scan *scan, size_t first, bool quoted) {
  struct eh_csv_piece *piece;
  if (scan->count == scan->room) {
    scan->room = scan->room > 0 ? scan->room * 2 : 16;
    scan->pieces = eh_realloc(scan->pieces, scan->room * sizeof *scan->pieces);
  }
  piece = &scan->pieces[scan->count++];
  piece->first = first;
  piece->end = first;
  piece->quoted = quoted;
  piece->doubled = false;
}

static void close_cell(struct eh_csv_scan *scan, size_t end) {
  scan->pieces[scan->count - 1].end = end;
  scan->mode = EH_CSV_AT_CELL;
}

static bool ends_cell(char c) {
  return c == ',' || c == '\n' || c == '\r';
}

/* The scan stops at pos, for the reason `end` if the record is not too long
 * by then. */
static enum eh_csv_scan_end stop(struct eh_csv_scan *scan, size_t pos,
                                 enum eh_csv_scan_end end) {
  scan->pos = pos;
  return pos > scan->max_record ? EH_CSV_SCAN_LONG : end;
}

/* The last bytes end at pos, inside the record. */
static enum eh_csv_scan_end close_record(struct eh_csv_scan *scan, size_t pos) {
  if (pos == 0)
    return EH_CSV_SCAN_END;
  switch (scan->mode) {
  case EH_CSV_QUOTED:
    return EH_CSV_SCAN_OPEN;
  case EH_CSV_AFTER_QUOTE:
    close_cell(scan, pos - 1);
    break;
  case EH_CSV_PLAIN:
    close_cell(scan, pos);
    break;
  default: /* behind a comma */
    if (scan->count == scan->max_cells)
      return EH_CSV_SCAN_WIDE;
    open_cell(scan, pos, false);
  }
  return EH_CSV_SCAN_RECORD;
}

/* Passes the quoted text at pos; returns where it stopped: behind a quote, or
 * at the end. */
static size_t pass_quoted(struct eh_csv_scan *scan, const char *text,
                          size_t pos, size_t len) {
  const char *quote = memchr(text + pos, '"', len - pos);
  if (quote == NULL)
    return len;
  scan->mode = EH_CSV_AFTER_QUOTE;
  return (size_t)(quote - text) + 1;
}

enum eh_csv_scan_end eh_csv_scan_run(struct eh_csv_scan *scan, const char *text,
                                     size_t len, bool finished) {
  size_t pos = scan->pos;
  while (pos < len) {
    switch (scan->mode) {
    case EH_CSV_AT_CELL:
      if (scan->count == scan->max_cells)
        return EH_CSV_SCAN_WIDE;
      scan->mode = text[pos] == '"' ? EH_CSV_QUOTED : EH_CSV_PLAIN;
      if (scan->mode == EH_CSV_QUOTED) {
        scan->has_quotes = true;
        pos++;
      }
      open_cell(scan, pos, scan->mode == EH_CSV_QUOTED);
      continue;
    case EH_CSV_PLAIN:
      while (pos < len && !ends_cell(text[pos]))
        pos++;
      if (pos == len)
        continue;
      close_cell(scan, pos);
      break;
    case EH_CSV_QUOTED:
      pos = pass_quoted(scan, text, pos, len);
      continue;
    case EH_CSV_AFTER_QUOTE:
      if (text[pos] == '"') {
        scan->pieces[scan->count - 1].doubled = true;
        scan->mode = EH_CSV_QUOTED;
        pos++;
        continue;
      }
      if (!ends_cell(text[pos]))
        return stop(scan, pos, EH_CSV_SCAN_STRAY);
      close_cell(scan, pos - 1);
    }
    if (text[pos] != ',')
      return stop(scan, pos, EH_CSV_SCAN_RECORD);
    pos++;
  }
  return stop(scan, pos, finished ? close_record(scan, pos) : EH_CSV_SCAN_MORE);
}
