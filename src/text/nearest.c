/* nearest.c: how near two names are, for "did you mean". */
#include "text/nearest.h"

#include "base/buf.h"
#include "text/fold.h"
#include "text/words.h"

#include <stdbool.h>
#include <string.h>

#define MAX_FORM  (3 * EH_NEAREST_MAX) /* folding may lengthen a name */
#define MAX_EDITS 3
#define MIN_WORD  3

static bool is_separator(char c) {
  return c == ' ' || c == '_' || c == '-' || c == '.';
}

static size_t min(size_t a, size_t b) {
  return a < b ? a : b;
}

/* The name in lower case; false if it is too long. */
static bool fold(struct eh_buf *out, const char *name, size_t len) {
  eh_buf_init(out, MAX_FORM);
  return len <= EH_NEAREST_MAX &&
         eh_fold_text(out, name, len, EH_FOLD_ALL | EH_FOLD_LAX, NULL) == 0;
}

/* Copies the name without its separators; returns the length. */
static size_t squeeze(char *out, const struct eh_buf *name) {
  size_t len = 0;
  for (size_t i = 0; i < name->len; i++)
    if (!is_separator(name->data[i]))
      out[len++] = name->data[i];
  return len;
}

/* The edit distance with swaps (optimal string alignment), in bytes. */
static size_t edits(const char *a, size_t a_len, const char *b, size_t b_len) {
  size_t rows[3][MAX_FORM + 1];
  for (size_t j = 0; j <= b_len; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= a_len; i++) {
    size_t *row = rows[i % 3], *above = rows[(i + 2) % 3],
           *before = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= b_len; j++) {
      size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = min(min(above[j], row[j - 1]) + 1, above[j - 1] + change);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = min(row[j], before[j - 2] + 1);
    }
  }
  return rows[a_len % 3][b_len];
}

static bool has_word(const struct eh_buf *name, const char *word, size_t len) {
  struct eh_span span;
  size_t pos = 0;
  while (eh_words_next(name->data, name->len, &pos, &span))
    if (span.end - span.first == len &&
        memcmp(name->data + span.first, word, len) == 0)
      return true;
  return false;
}

/* Of the words of name, the number that candidate has not; EH_NEAREST_NONE
 * when that is more than half. */
static size_t missing_words(const struct eh_buf *name,
                            const struct eh_buf *candidate) {
  struct eh_span span;
  size_t pos = 0, total = 0, missing = 0;
  while (eh_words_next(name->data, name->len, &pos, &span)) {
    size_t len = span.end - span.first;
    if (len < MIN_WORD)
      continue;
    total++;
    missing += has_word(candidate, name->data + span.first, len) ? 0 : 1;
  }
  return total > 0 && missing * 2 <= total ? missing : EH_NEAREST_NONE;
}

/* Edits come before words; among equals the exact spelling comes first. */
static size_t distance(const struct eh_buf *a, const struct eh_buf *b) {
  char left[MAX_FORM] = "", right[MAX_FORM] = "";
  size_t left_len = squeeze(left, a), right_len = squeeze(right, b);
  size_t most = left_len / 3 < MAX_EDITS ? left_len / 3 : MAX_EDITS;
  size_t count = edits(left, left_len, right, right_len);
  if (left_len > 0 && count <= (most > 0 ? most : 1) && count < left_len)
    return 1 + count;
  count = missing_words(a, b);
  if (count == EH_NEAREST_NONE)
    return EH_NEAREST_NONE;
  return 2 + MAX_EDITS + count * MAX_FORM +
         (right_len > left_len ? right_len - left_len : 0);
}

size_t eh_nearest_distance(const char *name, size_t name_len,
                           const char *candidate, size_t candidate_len) {
  struct eh_buf a, b;
  size_t result = EH_NEAREST_NONE;
  bool a_fits = fold(&a, name, name_len);
  bool b_fits = fold(&b, candidate, candidate_len);
  if (name_len == candidate_len && memcmp(name, candidate, name_len) == 0)
    result = 0;
  else if (a_fits && b_fits)
    result = distance(&a, &b);
  eh_buf_free(&a);
  eh_buf_free(&b);
  return result;
}
