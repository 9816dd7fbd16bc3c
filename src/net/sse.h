/* sse.h: reads a stream of server-sent events, in chunks of any size, by the
 * rules of the WHATWG (HTML, "Server-sent events", parsing).
 *
 * The caller owns the struct. Bytes are passed on as they come: invalid UTF-8
 * is the caller's to judge. */
#ifndef EH_NET_SSE_H
#define EH_NET_SSE_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One event; lent for the time of the callback. The texts are terminated and
 * may hold NUL inside (id never does). */
struct eh_sse_event {
  const char *event; /* "message" where the stream names none */
  size_t event_len;
  const char *data;
  size_t data_len;
  const char *id; /* the last id seen, "" before the first */
  size_t id_len;
};

typedef void eh_sse_fn(void *arg, const struct eh_sse_event *event);

struct eh_sse {
  eh_sse_fn *fn;
  void *arg;
  struct eh_buf line;
  struct eh_buf data;
  struct eh_buf event;
  struct eh_buf id;
  uint64_t retry_ms; /* the last reconnection time seen; 0 = none */
  unsigned char bom; /* bytes of a byte order mark seen; past it: 4 */
  bool after_cr;     /* the last byte was CR: an LF now belongs to it */
  bool has_data;     /* the event that is being read has a data field */
};

/* max caps one line, and the data of one event, in bytes. */
void eh_sse_init(struct eh_sse *sse, size_t max, eh_sse_fn *fn, void *arg);
void eh_sse_free(struct eh_sse *sse);

/* Calls fn for each event that is now whole. Returns 0 or EH_ELIMIT, after
 * which nothing more may be fed. */
int eh_sse_feed(struct eh_sse *sse, const void *bytes, size_t len,
                struct eh_err *err);

/* The stream has ended. True if it ended between two events; what was read of
 * an unfinished one is dropped, as the rules say. */
bool eh_sse_end(struct eh_sse *sse);

#endif
