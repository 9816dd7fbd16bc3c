/* clean.c: making text safe to show on a terminal, or in one line. */
#include "text/clean.h"

#include "text/utf8.h"

#include <stdint.h>

#define ESC 0x1B
#define BEL 0x07
#define ST  0x9C /* string terminator */

struct range {
  int32_t first;
  int32_t last;
};

/* Characters that show nothing or reorder what is shown. Joiners and emoji
 * variation selectors are treated apart (is_joiner). */
static const struct range hidden[] = {
    {0x00AD, 0x00AD},   /* soft hyphen */
    {0x034F, 0x034F},   /* combining grapheme joiner */
    {0x061C, 0x061C},   /* Arabic letter mark */
    {0x115F, 0x1160},   /* Hangul fillers */
    {0x17B4, 0x17B5},   /* Khmer inherent vowels */
    {0x180B, 0x180F},   /* Mongolian selectors */
    {0x200B, 0x200B},   /* zero width space */
    {0x200E, 0x200F},   /* left-to-right and right-to-left marks */
    {0x202A, 0x202E},   /* bidi embeddings and overrides */
    {0x2060, 0x206F},   /* word joiner, bidi isolates, deprecated formats */
    {0x3164, 0x3164},   /* Hangul filler */
    {0xFE00, 0xFE0D},   /* variation selectors without use in text */
    {0xFEFF, 0xFEFF},   /* byte order mark */
    {0xFFA0, 0xFFA0},   /* half-width Hangul filler */
    {0xFFF0, 0xFFFB},   /* interlinear annotation */
    {0x1BCA0, 0x1BCA3}, /* shorthand format controls */
    {0x1D173, 0x1D17A}, /* musical format controls */
    {0xE0000, 0xE0FFF}, /* tags and further variation selectors */
};

static bool is_hidden(int32_t point) {
  size_t low = 0, high = sizeof hidden / sizeof hidden[0];
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (point > hidden[mid].last)
      low = mid + 1;
    else if (point < hidden[mid].first)
      high = mid;
    else
      return true;
  }
  return false;
}

static bool is_joiner(int32_t point) {
  return point == 0x200C || point == 0x200D || point == 0xFE0E ||
         point == 0xFE0F;
}

static bool is_control(int32_t point) {
  return point < ' ' || (point >= 0x7F && point <= 0x9F);
}

/* pos stands behind "CSI"; returns the end of its parameters and final byte,
 * which is pos when it is no sequence. */
static size_t skip_csi(const char *text, size_t len, size_t pos) {
  size_t end = pos;
  while (end < len && text[end] >= 0x20 && text[end] <= 0x3F)
    end++;
  if (end < len && text[end] >= 0x40 && text[end] <= 0x7E)
    end++;
  return end;
}

/* pos stands behind the introducer of a control string (OSC, DCS, ...).
 * Returns its end; pos when no terminator comes before the next control
 * character, so that an unfinished one cannot swallow the text (and the work
 * stays linear). */
static size_t skip_string(const char *text, size_t len, size_t pos) {
  size_t at = pos;
  while (at < len) {
    int32_t point = eh_utf8_next(text, len, &at);
    if (point == BEL || point == ST)
      return at;
    if (point == ESC)
      return at < len && text[at] == '\\' ? at + 1 : pos;
    if (point >= 0 && is_control(point))
      return pos;
  }
  return pos;
}

/* pos stands behind ESC. */
static size_t skip_escape(const char *text, size_t len, size_t pos) {
  size_t end = pos;
  if (pos == len)
    return pos;
  switch (text[pos]) {
  case '[':
    return skip_csi(text, len, pos + 1);
  case ']': /* OSC */
  case 'P': /* DCS */
  case 'X': /* SOS */
  case '^': /* PM */
  case '_': /* APC */
    return skip_string(text, len, pos + 1);
  default:
    while (end < len && text[end] >= 0x20 && text[end] <= 0x2F)
      end++;
    if (end < len && text[end] >= 0x30 && text[end] <= 0x7E)
      return end + 1;
    return end;
  }
}

/* pos stands behind a control character that is no line break; returns where
 * the text goes on. */
static size_t skip_control(const char *text, size_t len, size_t pos,
                           int32_t control) {
  switch (control) {
  case ESC:
    return skip_escape(text, len, pos);
  case 0x9B:
    return skip_csi(text, len, pos);
  case 0x90:
  case 0x98:
  case 0x9D:
  case 0x9E:
  case 0x9F:
    return skip_string(text, len, pos);
  default:
    return pos;
  }
}

static bool is_break(int32_t point) {
  return point == '\n' || point == '\r' || point == 0x85 || point == 0x2028 ||
         point == 0x2029;
}

/* The end of the run of printable ASCII that starts at pos. */
static size_t skip_plain(const char *text, size_t len, size_t pos) {
  while (pos < len && text[pos] >= ' ' && text[pos] < 0x7F)
    pos++;
  return pos;
}

/* Appends what is left of the one character at *pos. *joiners: how many may
 * follow; two after a character that is not ASCII (heart + variation selector
 * + joiner + fire), else none. */
static int clean_one(struct eh_buf *out, const char *text, size_t len,
                     size_t *pos, int *joiners, unsigned flags) {
  size_t first = *pos;
  int32_t point = eh_utf8_next(text, len, pos);
  bool keep = (flags & EH_CLEAN_NEWLINES) != 0;
  if (point < 0) {
    *joiners = 0;
    return eh_buf_adds(out, "\xEF\xBF\xBD");
  }
  if (is_break(point)) {
    if (point == '\r' && *pos < len && text[*pos] == '\n')
      (*pos)++;
    *joiners = 0;
    return eh_buf_addc(out, keep ? '\n' : ' ');
  }
  if (point == '\t' || point == '\v' || point == '\f') {
    *joiners = 0;
    return eh_buf_addc(out, keep && point == '\t' ? '\t' : ' ');
  }
  if (is_control(point)) {
    *pos = skip_control(text, len, *pos, point);
    return 0;
  }
  if (is_hidden(point) || (is_joiner(point) && *joiners == 0))
    return 0;
  *joiners = is_joiner(point) ? *joiners - 1 : 2;
  return eh_buf_add(out, text + first, *pos - first);
}

int eh_utf8_clean(struct eh_buf *out, const char *text, size_t len,
                  unsigned flags) {
  size_t before = out->len, pos = 0;
  int joiners = 0;
  int rc = 0;
  while (rc == 0 && pos < len) {
    size_t end = skip_plain(text, len, pos);
    if (end > pos) {
      rc = eh_buf_add(out, text + pos, end - pos);
      joiners = 0;
      pos = end;
    } else {
      rc = clean_one(out, text, len, &pos, &joiners, flags);
    }
  }
  if (rc != 0 && out->len > before) {
    out->len = before;
    out->data[before] = '\0';
  }
  return rc;
}
