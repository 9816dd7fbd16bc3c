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

/* Is what was skipped as plain UTF-8? */
static int check_run(const char *run, const char *p,
                     struct eh_json_token *out) {
  size_t len = (size_t)(p - run), good = eh_utf8_check(run, len);
  if (good == len)
    return 0;
  return fail(out, EH_EUTF8, run + good, "not valid UTF-8");
}

/* Goes on after the first backslash, which is at p; run is where the string
 * began. */
static int read_escaped(const char *run, const char *p, const char *end,
                        struct eh_buf *scratch, struct eh_json_token *out) {
  int rc;
  eh_buf_clear(scratch);
  for (;;) {
    bool high = false;
    if (eh_buf_add(scratch, run, (size_t)(p - run)) != 0)
      return fail(out, EH_ELIMIT, p, "the string is too long");
    if (p < end && *p == '"')
      break;
    if (p == end)
      return fail(out, EH_EPARSE, end, NULL);
    if (*p != '\\')
      return fail(out, EH_EPARSE, p, "a raw control character in a string");
    if ((rc = escape(&p, end, scratch, out)) != 0)
      return rc;
    run = p;
    p = eh_json_plain(p, end, &high);
    if (high && (rc = check_run(run, p, out)) != 0)
      return rc;
  }
  out->ptr = scratch->data;
  out->len = scratch->len;
  out->next = p + 1;
  return 0;
}

int eh_json_string_read(const char *p, const char *end, struct eh_buf *scratch,
                        struct eh_json_token *out) {
  const char *run = p;
  bool high = false;
  int rc;
  p = eh_json_plain(p, end, &high);
  if (high && (rc = check_run(run, p, out)) != 0)
    return rc;
  if (p == end || *p != '"')
    return read_escaped(run, p, end, scratch, out);
  out->ptr = run;
  out->len = (size_t)(p - run);
  out->next = p + 1;
  return 0;
}
