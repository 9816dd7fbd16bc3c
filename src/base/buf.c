/* buf.c: the growing byte buffer. */
#include "base/buf.h"

#include "base/alloc.h"
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char empty[1];

void eh_buf_init(struct eh_buf *buf, size_t max) {
  buf->data = empty;
  buf->len = 0;
  buf->cap = 0;
  buf->max = max;
}

void eh_buf_free(struct eh_buf *buf) {
  if (buf->cap > 0)
    eh_free(buf->data);
  eh_buf_init(buf, buf->max);
}

void eh_buf_clear(struct eh_buf *buf) {
  buf->len = 0;
  if (buf->cap > 0)
    buf->data[0] = '\0';
}

int eh_buf_reserve(struct eh_buf *buf, size_t more) {
  size_t need, cap;
  if (more > buf->max - buf->len)
    return EH_ELIMIT;
  need = buf->len + more + 1;
  if (need <= buf->cap)
    return 0;
  cap = buf->cap < 32 ? 64 : buf->cap * 2;
  if (cap < need)
    cap = need;
  if (cap > buf->max + 1)
    cap = buf->max + 1;
  buf->data = eh_realloc(buf->cap > 0 ? buf->data : NULL, cap);
  buf->cap = cap;
  buf->data[buf->len] = '\0';
  return 0;
}

int eh_buf_adds(struct eh_buf *buf, const char *text) {
  return eh_buf_add(buf, text, strlen(text));
}

int eh_buf_addf(struct eh_buf *buf, const char *fmt, ...) {
  va_list args;
  int len, rc;
  va_start(args, fmt);
  len = vsnprintf(NULL, 0, fmt, args);
  va_end(args);
  if (len < 0)
    return EH_ELIMIT;
  rc = eh_buf_reserve(buf, (size_t)len);
  if (rc != 0)
    return rc;
  va_start(args, fmt);
  vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, args);
  va_end(args);
  buf->len += (size_t)len;
  return 0;
}

char *eh_buf_take(struct eh_buf *buf, size_t *len) {
  char *data = buf->cap > 0 ? buf->data : eh_strndup("", 0);
  if (len != NULL)
    *len = buf->len;
  eh_buf_init(buf, buf->max);
  return data;
}
