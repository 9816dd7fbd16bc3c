/* utf8.c: checking, walking, cutting, repairing and measuring UTF-8. */
#include "text/utf8.h"

#include <string.h>
#include <utf8proc.h>

#define HIGH_BITS UINT64_C(0x8080808080808080)

static const char replacement[] = "\xEF\xBF\xBD";

static bool is_tail(unsigned char c) {
  return (c & 0xC0) == 0x80;
}

/* The number of bytes of the well-formed sequence at p (left > 0 bytes), or
 * minus the number of bytes of the ill-formed one (Unicode 15, table 3-7). */
static int sequence(const unsigned char *p, size_t left) {
  unsigned char lead = p[0], low = 0x80, high = 0xBF;
  int need;
  if (lead < 0x80)
    return 1;
  if (lead < 0xC2 || lead > 0xF4)
    return -1;
  need = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead == 0xE0)
    low = 0xA0;
  else if (lead == 0xED)
    high = 0x9F;
  else if (lead == 0xF0)
    low = 0x90;
  else if (lead == 0xF4)
    high = 0x8F;
  if (left < 2 || p[1] < low || p[1] > high)
    return -1;
  for (int i = 2; i < need; i++)
    if (left <= (size_t)i || !is_tail(p[i]))
      return -i;
  return need;
}

/* The end of the ASCII run that starts at pos. */
static size_t skip_ascii(const unsigned char *p, size_t len, size_t pos) {
  uint64_t word;
  while (len - pos >= sizeof word) {
    memcpy(&word, p + pos, sizeof word);
    if ((word & HIGH_BITS) != 0)
      break;
    pos += sizeof word;
  }
  while (pos < len && p[pos] < 0x80)
    pos++;
  return pos;
}

size_t eh_utf8_check(const char *text, size_t len) {
  const unsigned char *p = (const unsigned char *)text;
  size_t pos = 0;
  while ((pos = skip_ascii(p, len, pos)) < len)
    while (pos < len && p[pos] >= 0x80) {
      int size = sequence(p + pos, len - pos);
      if (size < 0)
        return pos;
      pos += (size_t)size;
    }
  return len;
}

bool eh_utf8_valid(const char *text, size_t len) {
  return eh_utf8_check(text, len) == len;
}

int32_t eh_utf8_next(const char *text, size_t len, size_t *pos) {
  const unsigned char *p = (const unsigned char *)text + *pos;
  int size = sequence(p, len - *pos);
  if (size < 0) {
    *pos += (size_t)-size;
    return -1;
  }
  *pos += (size_t)size;
  switch (size) {
  case 1:
    return p[0];
  case 2:
    return (p[0] & 0x1F) << 6 | (p[1] & 0x3F);
  case 3:
    return (p[0] & 0x0F) << 12 | (p[1] & 0x3F) << 6 | (p[2] & 0x3F);
  default:
    return (p[0] & 0x07) << 18 | (p[1] & 0x3F) << 12 | (p[2] & 0x3F) << 6 |
           (p[3] & 0x3F);
  }
}

size_t eh_utf8_encode(int32_t point, char out[4]) {
  if (point < 0 || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
    point = 0xFFFD;
  return (size_t)utf8proc_encode_char(point, (utf8proc_uint8_t *)out);
}

size_t eh_utf8_count(const char *text, size_t len) {
  const unsigned char *p = (const unsigned char *)text;
  size_t pos = 0, count = 0;
  while (pos < len) {
    size_t end = skip_ascii(p, len, pos);
    count += end - pos;
    pos = end;
    if (pos < len) {
      int size = sequence(p + pos, len - pos);
      pos += (size_t)(size < 0 ? -size : size);
      count++;
    }
  }
  return count;
}

size_t eh_utf8_cut(const char *text, size_t len, size_t max) {
  const unsigned char *p = (const unsigned char *)text;
  size_t back = 0;
  if (len <= max)
    return len;
  while (back < 3 && back < max && is_tail(p[max - back]))
    back++;
  if (back > 0) {
    int size = sequence(p + max - back, len - (max - back));
    if (size > (int)back)
      return max - back;
  }
  return max;
}

bool eh_utf8_is_space(int32_t point) {
  if (point < 0x80)
    return point == ' ' || (point >= '\t' && point <= '\r');
  return point == 0x85 || point == 0xA0 || point == 0x1680 ||
         (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
         point == 0x2029 || point == 0x202F || point == 0x205F ||
         point == 0x3000;
}

bool eh_utf8_is_lower(int32_t point) {
  if (point < 0x80)
    return point >= 'a' && point <= 'z';
  return utf8proc_category(point) == UTF8PROC_CATEGORY_LL;
}

bool eh_utf8_is_word(int32_t point) {
  utf8proc_category_t category;
  if (point < 0x80)
    return (point >= '0' && point <= '9') || (point >= 'A' && point <= 'Z') ||
           (point >= 'a' && point <= 'z');
  category = utf8proc_category(point);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

int eh_utf8_repair(struct eh_buf *out, const char *text, size_t len) {
  size_t before = out->len, pos = 0;
  int rc = 0;
  while (rc == 0 && pos < len) {
    size_t good = eh_utf8_check(text + pos, len - pos);
    rc = eh_buf_add(out, text + pos, good);
    pos += good;
    if (rc == 0 && pos < len) {
      eh_utf8_next(text, len, &pos);
      rc = eh_buf_adds(out, replacement);
    }
  }
  if (rc != 0 && out->len > before) {
    out->len = before;
    out->data[before] = '\0';
  }
  return rc;
}

static size_t columns_of(int32_t point) {
  int width;
  if (point < 0)
    return 1;
  if (point >= ' ' && point < 0x7F)
    return 1;
  width = utf8proc_charwidth(point);
  return width > 0 ? (size_t)width : 0;
}

size_t eh_utf8_width(const char *text, size_t len) {
  size_t pos = 0, columns = 0;
  while (pos < len)
    columns += columns_of(eh_utf8_next(text, len, &pos));
  return columns;
}

size_t eh_utf8_fit(const char *text, size_t len, size_t columns) {
  size_t pos = 0, used = 0;
  while (pos < len) {
    size_t next = pos;
    used += columns_of(eh_utf8_next(text, len, &next));
    if (used > columns)
      break;
    pos = next;
  }
  return pos;
}
