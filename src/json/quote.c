/* quote.c: strings as JSON text. What is ASCII and needs no escape is scanned
 * and copied in one go, eight bytes at a time. */
#include "json/private.h"
#include "json/writer.h"

#include <endian.h>

#define ONES UINT64_C(0x0101010101010101)
#define TOPS (ONES * 0x80)

/* The highest bit of each byte that cannot be copied as it is: controls,
 * quote, backslash and what is not ASCII. The lowest bit set is right; those
 * above it may be the borrow of another. */
static uint64_t special(uint64_t word) {
  uint64_t hit = (word - ONES * 0x20) | ((word ^ (ONES * '"')) - ONES) |
                 ((word ^ (ONES * '\\')) - ONES);
  return ((hit & ~word) | word) & TOPS;
}

/* The bytes at p, fewer than eight, the first one lowest; the rest are 0. */
static uint64_t load_few(const char *p, size_t len) {
  const unsigned char *u = (const unsigned char *)p;
  if (len >= 4) {
    uint32_t first, last;
    memcpy(&first, p, 4);
    memcpy(&last, p + len - 4, 4);
    return le32toh(first) | (uint64_t)le32toh(last) << (8 * (len - 4));
  }
  if (len == 0)
    return 0;
  return u[0] | (uint64_t)u[len / 2] << (8 * (len / 2)) |
         (uint64_t)u[len - 1] << (8 * (len - 1));
}

/* Copies plain ASCII until something else or the end; *out has room for what
 * is left and eight bytes more, and moves past what was copied. */
static const char *copy_plain(const char *p, const char *end, char **out) {
  char *to = *out;
  uint64_t word, stored, stop;
  for (; end - p >= 8; p += 8, to += 8) {
    memcpy(&stored, p, 8);
    memcpy(to, &stored, 8);
    stop = special(le64toh(stored));
    if (stop != 0) {
      *out = to + __builtin_ctzll(stop) / 8;
      return p + __builtin_ctzll(stop) / 8;
    }
  }
  word = load_few(p, (size_t)(end - p)); /* its zeros are controls */
  stored = htole64(word);
  memcpy(to, &stored, 8);
  stop = special(word);
  *out = to + __builtin_ctzll(stop) / 8;
  return p + __builtin_ctzll(stop) / 8;
}

/* The letters of the short escapes. */
static const char letters[128] = {
    ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
    ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\'};

/* Copies what is plain ASCII or has a short escape, while there is room. */
static const char *copy_ascii(struct eh_buf *buf, const char *p,
                              const char *end) {
  char *out = buf->data + buf->len, *limit = buf->data + buf->cap;
  for (;;) {
    unsigned char c;
    p = copy_plain(p, end, &out);
    c = p < end ? (unsigned char)*p : 0;
    if (c >= 0x80 || letters[c] == 0 || limit - out < end - p + 12)
      break;
    *out++ = '\\';
    *out++ = letters[c];
    p++;
  }
  buf->len = (size_t)(out - buf->data);
  *out = '\0';
  return p;
}

/* Appends the escape of c: a control, a quote or a backslash. */
static int add_escape(struct eh_buf *buf, char c) {
  static const char digits[] = "0123456789abcdef";
  char text[6] = {'\\', letters[(unsigned char)c]};
  if (text[1] != 0)
    return eh_buf_add(buf, text, 2);
  memcpy(text, "\\u00", 4);
  text[4] = digits[c >> 4];
  text[5] = digits[c & 15];
  return eh_buf_add(buf, text, 6);
}

/* Appends text with "</" as "<\\/". */
static int add_guarded(struct eh_buf *buf, const char *p, const char *end) {
  int rc = 0;
  while (rc == 0 && p < end) {
    const char *slash = memchr(p, '/', (size_t)(end - p));
    const char *stop = slash != NULL ? slash : end;
    rc = eh_buf_add(buf, p, (size_t)(stop - p));
    if (rc == 0 && slash != NULL)
      rc = eh_buf_adds(buf, buf->data[buf->len - 1] == '<' ? "\\/" : "/");
    p = stop + (slash != NULL);
  }
  return rc;
}

/* Appends what needs no escape but, with flags, "</" and, if high is set,
 * U+2028 and U+2029 (E2 80 A8 and A9). */
static int add_run(struct eh_buf *buf, const char *p, const char *end,
                   unsigned flags, bool high) {
  int rc = 0;
  for (const char *at = p; high && rc == 0 && end - at >= 3;) {
    at = memchr(at, 0xe2, (size_t)(end - at));
    if (at == NULL)
      break;
    if (end - at >= 3 && (memcmp(at, "\xe2\x80\xa8", 3) == 0 ||
                          memcmp(at, "\xe2\x80\xa9", 3) == 0)) {
      rc = add_run(buf, p, at, flags, false);
      if (rc == 0)
        rc = eh_buf_adds(buf, at[2] == '\xa8' ? "\\u2028" : "\\u2029");
      p = at + 3;
    }
    at++;
  }
  if (rc == 0 && (flags & EH_JSON_HTML) != 0)
    return add_guarded(buf, p, end);
  return rc == 0 ? eh_buf_add(buf, p, (size_t)(end - p)) : rc;
}

/* Appends all of *p that needs no escape; returns 0, EH_EUTF8, EH_ELIMIT. */
static int write_run(struct eh_buf *buf, const char **p, const char *end,
                     unsigned flags) {
  const char *run = *p;
  bool high = false;
  *p = eh_json_plain(run, end, &high);
  if (high && !eh_utf8_valid(run, (size_t)(*p - run)))
    return EH_EUTF8;
  return add_run(buf, run, *p, flags, high);
}

static bool has_room(struct eh_buf *buf, size_t size) {
  return buf->cap - buf->len > size || eh_buf_reserve(buf, size) == 0;
}

/* Goes on at p, which is no plain ASCII, or not known to be. */
static int write_rest(struct eh_buf *buf, const char *p, const char *end,
                      unsigned flags) {
  bool guarded = (flags & EH_JSON_HTML) != 0;
  int rc = 0;
  while (rc == 0 && p < end) {
    if ((unsigned char)*p < 0x20 || *p == '"' || *p == '\\')
      rc = add_escape(buf, *p++);
    else
      rc = write_run(buf, &p, end, flags);
    if (rc == 0 && !guarded && has_room(buf, (size_t)(end - p) + 32))
      p = copy_ascii(buf, p, end);
  }
  return rc == 0 ? eh_buf_addc(buf, '"') : rc;
}

int eh_json_write_string(struct eh_buf *buf, const char *text, size_t len,
                         unsigned flags, struct eh_err *err) {
  const char *p = text, *end = text + len;
  int rc;
  if ((flags & EH_JSON_HTML) == 0 && has_room(buf, len + 10)) {
    char *out = buf->data + buf->len;
    *out++ = '"';
    p = copy_plain(p, end, &out);
    if (p == end)
      *out++ = '"';
    *out = '\0';
    buf->len = (size_t)(out - buf->data);
    if (p == end)
      return 0;
  } else if ((rc = eh_buf_addc(buf, '"')) != 0) {
    return eh_err_set(err, rc, "the JSON text is too long");
  }
  rc = write_rest(buf, p, end, flags);
  if (rc == EH_EUTF8)
    return eh_err_set(err, EH_EUTF8, "a string is not valid UTF-8");
  if (rc != 0)
    return eh_err_set(err, EH_ELIMIT, "the JSON text is too long");
  return 0;
}
