/* csv_write.c: writing CSV. */
#include "text/csv_write.h"

#include <stdbool.h>
#include <string.h>

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static size_t skip_digits(const char *text, size_t len, size_t pos) {
  while (pos < len && is_digit(text[pos]))
    pos++;
  return pos;
}

/* Is it a decimal number, such as -1, +2.5, -.5 or 1e-9? */
static bool is_number(const char *text, size_t len) {
  size_t pos = len > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  size_t end = skip_digits(text, len, pos), digits = end - pos;
  if (end < len && text[end] == '.') {
    pos = end + 1;
    end = skip_digits(text, len, pos);
    digits += end - pos;
  }
  if (digits == 0)
    return false;
  if (end < len && (text[end] == 'e' || text[end] == 'E')) {
    pos = end + 1;
    if (pos < len && (text[pos] == '-' || text[pos] == '+'))
      pos++;
    end = skip_digits(text, len, pos);
    if (end == pos)
      return false;
  }
  return end == len;
}

static bool is_formula(const struct eh_csv_cell *cell) {
  if (cell->len == 0 || memchr("=+-@\t\r", cell->text[0], 6) == NULL)
    return false;
  return !is_number(cell->text, cell->len);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static bool needs_quotes(const struct eh_csv_cell *cell) {
  if (cell->len == 0)
    return false;
  if (is_blank(cell->text[0]) || is_blank(cell->text[cell->len - 1]))
    return true;
  if (memcmp(cell->text, "\xEF\xBB\xBF", cell->len < 3 ? cell->len : 3) == 0)
    return true; /* at the start of a file it would be lost */
  for (size_t i = 0; i < cell->len; i++)
    if (memchr(",\"\r\n", cell->text[i], 4) != NULL)
      return true;
  return false;
}

static int write_quoted(struct eh_buf *out, const char *text, size_t len) {
  const char *quote;
  int rc = 0;
  while (rc == 0 && (quote = memchr(text, '"', len)) != NULL) {
    size_t size = (size_t)(quote - text) + 1;
    rc = eh_buf_add(out, text, size);
    if (rc == 0)
      rc = eh_buf_addc(out, '"');
    text += size;
    len -= size;
  }
  return rc != 0 ? rc : eh_buf_add(out, text, len);
}

static int write_cell(struct eh_buf *out, const struct eh_csv_cell *cell,
                      bool quoted, bool guarded) {
  int rc = 0;
  if (quoted)
    rc = eh_buf_addc(out, '"');
  if (rc == 0 && guarded)
    rc = eh_buf_addc(out, '\'');
  if (rc == 0)
    rc = quoted ? write_quoted(out, cell->text, cell->len)
                : eh_buf_add(out, cell->text, cell->len);
  if (rc == 0 && quoted)
    rc = eh_buf_addc(out, '"');
  return rc;
}

int eh_csv_write_row(struct eh_buf *out, const struct eh_csv_cell *cells,
                     size_t count, unsigned flags) {
  size_t before = out->len;
  int rc = 0;
  for (size_t i = 0; i < count && rc == 0; i++) {
    bool quoted = needs_quotes(&cells[i]) || (count == 1 && cells[i].len == 0);
    bool guarded = (flags & EH_CSV_FORMULA_GUARD) != 0 && is_formula(&cells[i]);
    if (i > 0)
      rc = eh_buf_addc(out, ',');
    if (rc == 0)
      rc = write_cell(out, &cells[i], quoted, guarded);
  }
  if (rc != 0 && out->len > before) {
    out->len = before;
    out->data[before] = '\0';
  }
  return rc;
}
