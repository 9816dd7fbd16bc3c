/* buf.h: a growing byte buffer with a stated cap.
 *
 * The caller owns the struct; eh_buf_free releases the bytes. Every buffer
 * names its largest size when it is made. data is always terminated by a NUL
 * that len does not count (and is "" before the first append). After an
 * append has failed with EH_ELIMIT the buffer still holds what it held. */
#ifndef EH_BASE_BUF_H
#define EH_BASE_BUF_H

#include <stddef.h>
#include <string.h>

struct eh_buf {
  char *data;
  size_t len;
  size_t cap;
  size_t max;
};

/* All caps of the program's own buffers, in bytes. */
#define EH_MAX_HTTP_BODY   ((size_t)8 << 20)   /* one decoded HTTP body */
#define EH_MAX_HTTP_HEADER ((size_t)256 << 10) /* one header block */
#define EH_MAX_JSON_TEXT   ((size_t)1 << 30)   /* one document written */
#define EH_MAX_CSV_RECORD  ((size_t)64 << 20)  /* one CSV record */
#define EH_MAX_LINE        ((size_t)64 << 20)  /* one JSONL line */
#define EH_MAX_MESSAGE     ((size_t)64 << 10)  /* one message to a person */

void eh_buf_init(struct eh_buf *buf, size_t max);
void eh_buf_free(struct eh_buf *buf);

/* Forgets the contents, keeps the memory. */
void eh_buf_clear(struct eh_buf *buf);

/* Each returns 0 or EH_ELIMIT. */
int eh_buf_reserve(struct eh_buf *buf, size_t more);
int eh_buf_adds(struct eh_buf *buf, const char *text);
int eh_buf_addf(struct eh_buf *buf, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Inline: writers of JSON and CSV append a few bytes at a time. */
static inline int eh_buf_add(struct eh_buf *buf, const void *bytes,
                             size_t len) {
  if (len >= buf->cap - buf->len) {
    int rc = eh_buf_reserve(buf, len);
    if (rc != 0)
      return rc;
  }
  if (len > 0)
    memcpy(buf->data + buf->len, bytes, len);
  buf->len += len;
  buf->data[buf->len] = '\0';
  return 0;
}

static inline int eh_buf_addc(struct eh_buf *buf, char c) {
  return eh_buf_add(buf, &c, 1);
}

/* Returns the bytes, owned by the caller (eh_free); buf is empty again. */
char *eh_buf_take(struct eh_buf *buf, size_t *len);

#endif
