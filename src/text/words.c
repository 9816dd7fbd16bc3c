/* words.c: splitting text into words. */
#include "text/words.h"

static bool is_single(int32_t point) {
  return (point >= 0x3040 && point <= 0x309F) || /* Hiragana */
         (point >= 0x3400 && point <= 0x4DBF) || /* Han, extension A */
         (point >= 0x4E00 && point <= 0x9FFF) || /* Han */
         (point >= 0xF900 && point <= 0xFAFF) || /* Han, compatibility */
         (point >= 0x20000 && point <= 0x3FFFF); /* Han, further extensions */
}

static bool is_digit(int32_t point) {
  return point >= '0' && point <= '9';
}

/* May `point` stand between `before` and `after` inside a word? */
static bool joins(int32_t before, int32_t point, int32_t after) {
  switch (point) {
  case '\'':
  case 0x2019:
  case '-':
  case 0x2010:
  case 0x2011:
    return eh_utf8_is_word(after) && !is_single(after);
  case '.':
  case ',':
    return is_digit(before) && is_digit(after);
  default:
    return false;
  }
}

/* *pos stands behind the word's first character `last`; moves it to the end
 * of the word. */
static void extend(const char *text, size_t len, size_t *pos, int32_t last) {
  size_t at = *pos;
  while (at < len) {
    int32_t point = eh_utf8_next(text, len, &at);
    if (point < 0)
      return;
    if (!eh_utf8_is_word(point)) {
      int32_t after = at < len ? eh_utf8_next(text, len, &at) : -1;
      if (after < 0 || !joins(last, point, after))
        return;
      point = after;
    } else if (is_single(point)) {
      return;
    }
    last = point;
    *pos = at;
  }
}

bool eh_words_next(const char *text, size_t len, size_t *pos,
                   struct eh_span *word) {
  while (*pos < len) {
    size_t first = *pos;
    int32_t point = eh_utf8_next(text, len, pos);
    if (point < 0 || !eh_utf8_is_word(point))
      continue;
    if (!is_single(point))
      extend(text, len, pos, point);
    word->first = first;
    word->end = *pos;
    return true;
  }
  return false;
}
