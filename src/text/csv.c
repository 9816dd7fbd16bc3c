/* csv.c: the streaming CSV reader.
 *
 * The bytes of the record at hand lie in one piece in `data`, so that places
 * in error messages can be worked out from them when they are needed, and
 * never otherwise. A record is scanned once: the state of the scan is kept
 * over EH_CSV_MORE (csv_scan.h). Cells point into `data`; doubled quotes are
 * undone there, in place, as the last step. */
#include "text/csv.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "text/csv_hint.h"
#include "text/csv_scan.h"
#include "text/utf8.h"

#include <assert.h>
#include <string.h>

#define MAX_PROBLEMS 20
#define MAX_CELLS    16384
#define FEED_ROOM    65536
#define HEAD         4 /* bytes looked at to know the encoding */

struct eh_csv {
  struct eh_csv_options options;
  char *data;
  size_t len;
  size_t cap;
  size_t start;   /* of the record in data */
  size_t checked; /* data[0, checked) is UTF-8 without NUL */
  size_t base;    /* offset of data[0] in the file */

  struct eh_csv_scan scan; /* of the record */
  struct eh_csv_cell *cells;
  size_t room; /* of cells */

  size_t line;   /* physical line of start */
  size_t number; /* of the record */
  size_t width;  /* of the first row; 0 before it */
  size_t problems;
  bool begun;
  bool after_cr; /* an LF at start belongs to the last record's CR */
  bool skipping; /* the rest of a line that had a problem */
  bool finished;
  bool stopped;
};

struct eh_csv *eh_csv_new(const struct eh_csv_options *options) {
  struct eh_csv *csv = eh_calloc(1, sizeof *csv);
  if (options != NULL)
    csv->options = *options;
  if (csv->options.max_problems == 0)
    csv->options.max_problems = MAX_PROBLEMS;
  if (csv->options.max_record == 0)
    csv->options.max_record = EH_MAX_CSV_RECORD;
  if (csv->options.max_cells == 0)
    csv->options.max_cells = MAX_CELLS;
  csv->scan.max_cells = csv->options.max_cells;
  csv->scan.max_record = csv->options.max_record;
  csv->line = 1;
  return csv;
}

void eh_csv_free(struct eh_csv *csv) {
  if (csv == NULL)
    return;
  eh_free(csv->data);
  eh_csv_scan_free(&csv->scan);
  eh_free(csv->cells);
  eh_free(csv);
}

/* {============ Bytes in ============ */

char *eh_csv_space(struct eh_csv *csv, size_t want) {
  if (csv->start > 0) {
    memmove(csv->data, csv->data + csv->start, csv->len - csv->start);
    csv->base += csv->start;
    csv->len -= csv->start;
    csv->checked = csv->checked > csv->start ? csv->checked - csv->start : 0;
    csv->start = 0;
  }
  if (csv->cap - csv->len < want) {
    csv->cap = csv->cap * 2 > csv->len + want ? csv->cap * 2 : csv->len + want;
    csv->data = eh_realloc(csv->data, csv->cap);
  }
  return csv->data + csv->len;
}

/* Moves `checked` to the first byte that is no valid text. */
static void check(struct eh_csv *csv) {
  const char *from = csv->data + csv->checked, *nul;
  size_t left = csv->len - csv->checked;
  if (left == 0)
    return;
  nul = memchr(from, '\0', left);
  if (nul != NULL)
    left = (size_t)(nul - from);
  csv->checked += eh_utf8_check(from, left);
}

void eh_csv_filled(struct eh_csv *csv, size_t len) {
  bool stuck = csv->len - csv->checked > 3; /* at a bad byte, for certain */
  assert(len <= csv->cap - csv->len && !csv->finished);
  csv->len += len;
  if (!stuck)
    check(csv);
}

void eh_csv_feed(struct eh_csv *csv, const char *bytes, size_t len) {
  if (len == 0)
    return;
  memcpy(eh_csv_space(csv, len > FEED_ROOM ? len : FEED_ROOM), bytes, len);
  eh_csv_filled(csv, len);
}

void eh_csv_finish(struct eh_csv *csv) {
  csv->finished = true;
}

void eh_csv_stop(struct eh_csv *csv) {
  csv->stopped = true;
}

/* }============ Places ============{ */

/* The number of line breaks in the text; a CRLF is one. */
static size_t count_breaks(const char *text, size_t len) {
  const char *at = text, *end = text + len;
  size_t breaks = 0;
  while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
    breaks++;
    at++;
  }
  at = text;
  while ((at = memchr(at, '\r', (size_t)(end - at))) != NULL) {
    at++;
    if (at == end || *at != '\n')
      breaks++;
  }
  return breaks;
}

/* Fills the place of byte pos of the record. */
static void set_place(const struct eh_csv *csv, size_t pos,
                      struct eh_err *err) {
  const char *text = csv->data + csv->start;
  size_t begin = pos;
  while (begin > 0 && text[begin - 1] != '\n' && text[begin - 1] != '\r')
    begin--;
  err->line = csv->line + count_breaks(text, begin);
  err->column = eh_utf8_count(text + begin, pos - begin) + 1;
  err->offset = csv->base + csv->start + pos;
}

/* }============ Going on ============{ */

/* The record is done with; the next begins at byte pos of it. */
static void begin_record(struct eh_csv *csv, size_t pos) {
  csv->start += pos;
  eh_csv_scan_reset(&csv->scan);
  if (csv->checked < csv->start) {
    csv->checked = csv->start;
    check(csv);
  }
}

/* Passes the record and its line end, which begins at scan. */
static void pass_record(struct eh_csv *csv) {
  const char *text = csv->data + csv->start;
  size_t end = csv->scan.pos;
  if (csv->scan.has_quotes)
    csv->line += count_breaks(text, end);
  if (csv->start + end < csv->len) {
    csv->after_cr = text[end] == '\r';
    csv->line++;
    end++;
  }
  begin_record(csv, end);
}

/* Passes the line that byte pos of the record is in; as much of it as there
 * is. */
static void pass_line(struct eh_csv *csv, size_t pos) {
  const char *text = csv->data + csv->start;
  size_t end = csv->len - csv->start;
  csv->line += count_breaks(text, pos);
  while (pos < end && text[pos] != '\n' && text[pos] != '\r')
    pos++;
  csv->skipping = pos == end;
  if (!csv->skipping) {
    csv->after_cr = text[pos] == '\r';
    csv->line++;
    pos++;
  }
  begin_record(csv, pos);
}

/* An LF may belong to the CR that ended the last record. */
static void pass_lf(struct eh_csv *csv) {
  if (!csv->after_cr || csv->start == csv->len)
    return;
  csv->after_cr = false;
  if (csv->data[csv->start] == '\n')
    begin_record(csv, 1);
}

/* }============ Problems ============{ */

static const int codes[] = {
    [EH_CSV_UNTERMINATED] = EH_EPARSE, [EH_CSV_TEXT_AFTER_QUOTE] = EH_EPARSE,
    [EH_CSV_RAGGED] = EH_EPARSE,       [EH_CSV_NUL] = EH_EPARSE,
    [EH_CSV_ENCODING] = EH_EUTF8,      [EH_CSV_UTF16] = EH_EUTF8,
    [EH_CSV_TOO_LARGE] = EH_ELIMIT,    [EH_CSV_IO] = EH_EIO,
};

/* Fills all of problem but the message and the hint, for byte pos of the
 * record. */
static void report(struct eh_csv *csv, struct eh_csv_problem *problem,
                   enum eh_csv_kind kind, size_t pos, bool fatal) {
  memset(problem, 0, sizeof *problem);
  set_place(csv, pos, &problem->err);
  problem->err.code = codes[kind];
  problem->kind = kind;
  problem->number = csv->number++;
  csv->problems++;
  problem->fatal = fatal || csv->problems >= csv->options.max_problems;
  csv->stopped = problem->fatal;
}

/* Quotes went wrong in the cell that was opened last. */
static enum eh_csv_event quote_problem(struct eh_csv *csv,
                                       struct eh_csv_problem *problem,
                                       enum eh_csv_scan_end result) {
  size_t open = csv->scan.pieces[csv->scan.count - 1].first - 1;
  if (result == EH_CSV_SCAN_STRAY) {
    struct eh_err opened;
    report(csv, problem, EH_CSV_TEXT_AFTER_QUOTE, csv->scan.pos, false);
    set_place(csv, open, &opened);
    eh_csv_hint_stray(problem, opened.line, opened.column);
  } else {
    report(csv, problem, EH_CSV_UNTERMINATED, open, false);
    eh_csv_hint_open(problem);
  }
  pass_line(csv, open);
  return EH_CSV_PROBLEM;
}

/* The record is larger than the caps allow. */
static enum eh_csv_event size_problem(struct eh_csv *csv,
                                      struct eh_csv_problem *problem,
                                      enum eh_csv_scan_end result) {
  bool wide = result == EH_CSV_SCAN_WIDE;
  bool quoted = csv->scan.mode == EH_CSV_QUOTED;
  size_t at = quoted ? csv->scan.pieces[csv->scan.count - 1].first - 1 : 0;
  report(csv, problem, EH_CSV_TOO_LARGE, at, true);
  eh_csv_hint_size(problem,
                   wide ? csv->options.max_cells : csv->options.max_record,
                   wide, quoted);
  return EH_CSV_PROBLEM;
}

/* The record holds a byte that is no text. */
static enum eh_csv_event byte_problem(struct eh_csv *csv,
                                      struct eh_csv_problem *problem) {
  unsigned char byte = (unsigned char)csv->data[csv->checked];
  report(csv, problem, byte == 0 ? EH_CSV_NUL : EH_CSV_ENCODING,
         csv->checked - csv->start, false);
  eh_csv_hint_byte(problem, byte);
  pass_record(csv);
  return EH_CSV_PROBLEM;
}

static enum eh_csv_event ragged_problem(struct eh_csv *csv,
                                        struct eh_csv_problem *problem) {
  const char *text = csv->data + csv->start;
  size_t pos = csv->scan.pos;
  if (csv->scan.count > csv->width) {
    const struct eh_csv_piece *extra = &csv->scan.pieces[csv->width];
    pos = extra->first - (extra->quoted ? 1 : 0);
  }
  report(csv, problem, EH_CSV_RAGGED, pos, false);
  eh_csv_hint_ragged(problem, csv->scan.count, csv->width, text, csv->scan.pos);
  pass_record(csv);
  return EH_CSV_PROBLEM;
}

/* }============ Records ============{ */

static bool is_blank(const struct eh_csv *csv) {
  const struct eh_csv_piece *piece = csv->scan.pieces;
  const char *text = csv->data + csv->start;
  if (csv->scan.count != 1 || piece->quoted)
    return false;
  if (csv->width == 1 && piece->end > piece->first)
    return false;
  for (size_t i = piece->first; i < piece->end; i++)
    if (text[i] != ' ' && text[i] != '\t')
      return false;
  return true;
}

/* Turns doubled quotes into single ones; returns the new length. */
static size_t undouble(char *text, size_t len) {
  size_t out = 0;
  for (size_t i = 0; i < len; i++) {
    text[out++] = text[i];
    if (text[i] == '"')
      i++;
  }
  return out;
}

static struct eh_csv_cell *make_room(struct eh_csv *csv) {
  if (csv->room < csv->scan.count) {
    csv->room = csv->scan.count;
    csv->cells = eh_realloc(csv->cells, csv->room * sizeof *csv->cells);
  }
  return csv->cells;
}

static void show(struct eh_csv *csv, struct eh_csv_row *row) {
  char *text = csv->data + csv->start;
  row->line = csv->line;
  row->number = csv->number++;
  row->count = csv->scan.count;
  row->cells = make_room(csv);
  if (csv->scan.has_quotes) /* the last look at the bytes as they were */
    csv->line += count_breaks(text, csv->scan.pos);
  for (size_t i = 0; i < csv->scan.count; i++) {
    const struct eh_csv_piece *piece = &csv->scan.pieces[i];
    csv->cells[i].text = text + piece->first;
    csv->cells[i].len = piece->end - piece->first;
    if (piece->doubled)
      csv->cells[i].len = undouble(text + piece->first, csv->cells[i].len);
  }
  csv->scan.has_quotes = false;
  pass_record(csv);
}

/* A whole record was scanned. EH_CSV_MORE: it was blank. */
static enum eh_csv_event take_record(struct eh_csv *csv, struct eh_csv_row *row,
                                     struct eh_csv_problem *problem) {
  if (csv->checked < csv->start + csv->scan.pos)
    return byte_problem(csv, problem);
  if (is_blank(csv)) {
    pass_record(csv);
    return EH_CSV_MORE;
  }
  if (csv->width == 0)
    csv->width = csv->scan.count;
  if (csv->scan.count != csv->width && !csv->options.ragged)
    return ragged_problem(csv, problem);
  show(csv, row);
  return EH_CSV_ROW;
}

/* Looks at the first bytes: drops a byte order mark, refuses UTF-16. */
static enum eh_csv_event begin(struct eh_csv *csv,
                               struct eh_csv_problem *problem) {
  const char *head = csv->data;
  size_t len = csv->len;
  if (len < HEAD && !csv->finished)
    return EH_CSV_MORE;
  csv->begun = true;
  if (len >= 2 &&
      (memcmp(head, "\xFF\xFE", 2) == 0 || memcmp(head, "\xFE\xFF", 2) == 0 ||
       (len >= 4 && (head[0] == '\0') != (head[1] == '\0') &&
        (head[0] == '\0') == (head[2] == '\0') &&
        (head[1] == '\0') == (head[3] == '\0')))) {
    report(csv, problem, EH_CSV_UTF16, 0, true);
    eh_csv_hint_utf16(problem);
    return EH_CSV_PROBLEM;
  }
  if (len >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0)
    begin_record(csv, 3);
  return EH_CSV_ROW;
}

/* The bytes of the record; none were ever given for an empty file. */
static const char *begin_of(const struct eh_csv *csv) {
  return csv->data == NULL ? "" : csv->data + csv->start;
}

enum eh_csv_event eh_csv_next(struct eh_csv *csv, struct eh_csv_row *row,
                              struct eh_csv_problem *problem) {
  enum eh_csv_event event = EH_CSV_MORE;
  if (csv->stopped)
    return EH_CSV_END;
  if (!csv->begun) {
    event = begin(csv, problem);
    if (event != EH_CSV_ROW)
      return event;
  }
  for (;;) {
    enum eh_csv_scan_end result;
    if (csv->skipping)
      pass_line(csv, 0);
    if (csv->skipping)
      return csv->finished ? EH_CSV_END : EH_CSV_MORE;
    pass_lf(csv);
    result = eh_csv_scan_run(&csv->scan, begin_of(csv), csv->len - csv->start,
                             csv->finished);
    switch (result) {
    case EH_CSV_SCAN_MORE:
      return EH_CSV_MORE;
    case EH_CSV_SCAN_END:
      csv->stopped = true;
      return EH_CSV_END;
    case EH_CSV_SCAN_RECORD:
      event = take_record(csv, row, problem);
      if (event != EH_CSV_MORE)
        return event;
      break;
    case EH_CSV_SCAN_LONG:
    case EH_CSV_SCAN_WIDE:
      return size_problem(csv, problem, result);
    default:
      return quote_problem(csv, problem, result);
    }
  }
}

/* }============ */

const char *eh_csv_kind_name(enum eh_csv_kind kind) {
  static const char *const names[] = {
      [EH_CSV_UNTERMINATED] = "unterminated_quote",
      [EH_CSV_TEXT_AFTER_QUOTE] = "text_after_quote",
      [EH_CSV_RAGGED] = "ragged_row",
      [EH_CSV_NUL] = "nul",
      [EH_CSV_ENCODING] = "encoding",
      [EH_CSV_UTF16] = "utf16",
      [EH_CSV_TOO_LARGE] = "too_large",
      [EH_CSV_IO] = "io",
  };
  return names[kind];
}
