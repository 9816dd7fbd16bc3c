/* ground_terms.c: words, folded and stemmed. */
#include "metric/ground_terms.h"

#include "base/hash.h"
#include "metric/stem.h"
#include "text/fold.h"
#include "text/words.h"

#include <ctype.h>
#include <string.h>

#define MAX_TERM ((size_t)1 << 20)

void eh_terms_init(struct eh_terms *terms, const char *text, size_t len) {
  memset(terms, 0, sizeof *terms);
  terms->text = text;
  terms->len = len;
  eh_buf_init(&terms->folded, MAX_TERM);
}

void eh_terms_free(struct eh_terms *terms) {
  eh_buf_free(&terms->folded);
}

/* The length of a hyphen at p: 1, 3 (U+2010, U+2011) or 0. */
static size_t hyphen(const char *p, size_t left) {
  if (*p == '-')
    return 1;
  if (left >= 3 && memcmp(p, "\xe2\x80", 2) == 0 &&
      ((unsigned char)p[2] == 0x90 || (unsigned char)p[2] == 0x91))
    return 3;
  return 0;
}

static size_t apostrophe(const char *p, size_t left) {
  if (*p == '\'')
    return 1;
  return left >= 3 && memcmp(p, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

/* The end of the part of a word that begins at first. */
static size_t part_end(const char *text, size_t first, size_t end) {
  size_t i = first;
  while (i < end && hyphen(text + i, end - i) == 0)
    i++;
  return i;
}

/* Appends text in folded form; ASCII, nearly all of it, needs no tables. */
static void fold_bytes(struct eh_buf *out, const char *text, size_t len) {
  if (eh_buf_reserve(out, len) != 0)
    return;
  for (size_t i = 0; i < len; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c >= 0x80) {
      eh_buf_clear(out);
      eh_fold_text(out, text, len, EH_FOLD_CASE | EH_FOLD_NFKC | EH_FOLD_LAX,
                   NULL);
      return;
    }
    out->data[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    out->len = i + 1;
  }
}

/* Writes the folded letters of the term, without apostrophes, and of numbers
 * without separators of thousands. */
static void fold(struct eh_terms *terms, const struct eh_term *term) {
  struct eh_buf *folded = &terms->folded;
  size_t out = 0;
  eh_buf_clear(folded);
  fold_bytes(folded, terms->text + term->first, term->end - term->first);
  for (size_t i = 0; i < folded->len;) {
    size_t skip = apostrophe(folded->data + i, folded->len - i);
    if (skip == 0 && term->digit && folded->data[i] == ',')
      skip = 1;
    if (skip == 0)
      folded->data[out++] = folded->data[i++];
    else
      i += skip;
  }
  folded->len = out;
}

static bool is_capital(const struct eh_terms *terms,
                       const struct eh_term *term) {
  unsigned char c = (unsigned char)terms->text[term->first];
  if (c < 0x80)
    return isupper(c) != 0;
  /* Beyond ASCII a letter that folding changes is a capital, nearly always. */
  return terms->folded.len > 0 && c != (unsigned char)terms->folded.data[0];
}

static void describe(struct eh_terms *terms, struct eh_term *term) {
  size_t letters = 0, digits = 0, uppers = 0;
  struct eh_buf *folded = &terms->folded;
  term->digit = isdigit((unsigned char)terms->text[term->first]) != 0;
  for (size_t i = term->first; i < term->end; i++) {
    unsigned char c = (unsigned char)terms->text[i];
    letters += isalpha(c) || c >= 0x80;
    digits += isdigit(c) != 0;
    uppers += isupper(c) != 0;
  }
  fold(terms, term);
  term->mixed = letters > 0 && digits > 0;
  term->capital = is_capital(terms, term);
  term->upper = uppers >= 2 && uppers == term->end - term->first;
  term->stop = eh_stop_word(folded->data, folded->len);
  folded->len = eh_stem_porter(folded->data, folded->len);
  term->stem = eh_fnv(EH_FNV_START, folded->data, folded->len);
}

/* Cuts 's off the end. */
static void cut_possessive(const char *text, struct eh_term *term) {
  size_t end = term->end;
  for (size_t width = 1; width <= 3; width += 2)
    if (end - term->first > width + 1 &&
        (text[end - 1] == 's' || text[end - 1] == 'S') &&
        apostrophe(text + end - 1 - width, width) == width) {
      term->end = end - 1 - width;
      term->possessive = true;
      return;
    }
}

bool eh_terms_next(struct eh_terms *terms, struct eh_term *out) {
  struct eh_span word;
  memset(out, 0, sizeof *out);
  if (terms->pos < terms->end) {
    word.first =
        terms->pos + hyphen(terms->text + terms->pos, terms->end - terms->pos);
    word.end = terms->end;
  } else if (eh_words_next(terms->text, terms->len, &terms->pos, &word)) {
    terms->end = word.end;
  } else {
    return false;
  }
  out->first = word.first;
  out->end = part_end(terms->text, word.first, word.end);
  terms->pos = out->end;
  cut_possessive(terms->text, out);
  describe(terms, out);
  return true;
}
