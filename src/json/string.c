/* string.c: JSON strings and the UTF-8 in them. */
#include "json/private.h"

static int fail(struct eh_json_token *out, int code, const char *bad,
                const char *why) {
  out->bad = bad;
  out->why = why;
  return code;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

/* The four hex digits at p, or -1. */
static long hex4(const char *p, const char *end) {
  long value = 0;
  if (end - p < 4)
    return -1;
  for (int i = 0; i < 4; i++) {
    int digit = hex_digit(p[i]);
    if (digit < 0)
      return -1;
    value = value * 16 + digit;
  }
  return value;
}

static int add_point(struct eh_buf *buf, long point) {
  char out[4];
  return eh_buf_add(buf, out, eh_utf8_encode((int32_t)point, out));
}

/* Reads \uXXXX, with its second half where there is one; *p is at the
 * backslash. */
static int unicode(const char **p, const char *end, struct eh_buf *scratch,
                   struct eh_json_token *out) {
  const char *s = *p;
  long c = hex4(s + 2, end), low;
  if (c < 0)
    return fail(out, EH_EPARSE, s, "\\u needs four hex digits");
  *p = s + 6;
  if (c >= 0xdc00 && c <= 0xdfff)
    return fail(out, EH_EUTF8, s, "a low surrogate without a high one");
  if (c >= 0xd800 && c <= 0xdbff) {
    low = end - *p >= 2 && s[6] == '\\' && s[7] == 'u' ? hex4(s + 8, end) : -1;
    if (low < 0xdc00 || low > 0xdfff)
      return fail(out, EH_EUTF8, s, "a high surrogate without a low one");
    c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    *p = s + 12;
  }
  if (add_point(scratch, c) != 0)
    return fail(out, EH_ELIMIT, s, "the string is too long");
  return 0;
}

/* Reads one escape; *p is at its backslash. */
static int escape(const char **p, const char *end, struct eh_buf *scratch,
                  struct eh_json_token *out) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  const char *found, *s = *p;
  if (end - s < 2)
    return fail(out, EH_EPARSE, end, NULL);
  if (s[1] == 'u')
    return unicode(p, end, scratch, out);
  found = memchr(from, s[1], sizeof from - 1);
  if (found == NULL)
    return fail(out, EH_EPARSE, s, "no such escape in JSON");
  *p = s + 2;
  if (eh_buf_addc(scratch, to[found - from]) != 0)
    return fail(out, EH_ELIMIT, s, "the string is too long");
  return 0;
}

int eh_json_string_read(const char *p, const char *end, struct eh_buf *scratch,
                        struct eh_json_token *out) {
  const char *run = p; /* what is not in scratch yet */
  bool escaped = false;
  for (;;) {
    p = eh_json_plain(p, end);
    if (p == end)
      return fail(out, EH_EPARSE, end, NULL);
    if (*p == '"')
      break;
    if (*p == '\\') {
      int rc;
      if (!escaped)
        eh_buf_clear(scratch);
      escaped = true;
      if (eh_buf_add(scratch, run, (size_t)(p - run)) != 0)
        return fail(out, EH_ELIMIT, p, "the string is too long");
      if ((rc = escape(&p, end, scratch, out)) != 0)
        return rc;
      run = p;
    } else if ((unsigned char)*p < 0x20) {
      return fail(out, EH_EPARSE, p, "a raw control character in a string");
    } else {
      size_t step = eh_json_utf8(p, end);
      if (step == 0)
        return fail(out, EH_EUTF8, p, "not valid UTF-8");
      p += step;
    }
  }
  out->next = p + 1;
  out->ptr = run;
  out->len = (size_t)(p - run);
  if (!escaped)
    return 0;
  if (eh_buf_add(scratch, run, out->len) != 0)
    return fail(out, EH_ELIMIT, p, "the string is too long");
  out->ptr = scratch->data;
  out->len = scratch->len;
  return 0;
}
