/* http.h: the one HTTP client of the program.
 *
 * Many calls at once on one loop, over pooled connections. The client opens
 * only what it is asked for: no redirects, http and https alone, peers
 * verified, proxies by the usual environment variables, gzip and deflate
 * undone, HTTP/2 where TLS offers it. Every call has a deadline and a cap on
 * its decoded body. It does not limit how many calls run: admission is the
 * caller's. It does not retry.
 *
 * A request is copied by eh_http_start. A call belongs to the client and is
 * valid until its callback has been entered or eh_http_cancel was called. */
#ifndef EH_NET_HTTP_H
#define EH_NET_HTTP_H

#include "base/buf.h"
#include "base/err.h"
#include "net/loop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eh_http;
struct eh_http_call;

/* Zero or NULL means the default. The texts are copied. */
struct eh_http_options {
  const char *user_agent; /* "evalhost" */
  const char *ca_file;    /* trusted certificates, instead of the system's */
  uint64_t stall_ns;      /* 30 s: a body that has begun and brings fewer */
  size_t stall_bytes;     /*   bytes (1) than these in so long is given up */
  size_t lane_load;       /* 200: transfers per libcurl multi handle */
};

struct eh_http_header {
  const char *name;
  const char *value;
};

/* url and method are required; the rest may be zero. */
struct eh_http_request {
  const char *method; /* "GET", "POST", ... */
  const char *url;
  const struct eh_http_header *headers;
  size_t header_count;
  const char *body; /* NULL = none */
  size_t body_len;
  uint64_t timeout_ns;         /* for the whole call; default 60 s */
  uint64_t connect_timeout_ns; /* until the request can be sent; 10 s */
  size_t max_bytes;            /* decoded body; default EH_MAX_HTTP_BODY */
};

/* How far a call has come. */
enum eh_http_phase {
  EH_HTTP_CONNECT,    /* no connection yet */
  EH_HTTP_FIRST_BYTE, /* sending, or waiting for the reply to begin */
  EH_HTTP_BODY        /* the reply has begun */
};

/* "connect", "first_byte" or "body". */
const char *eh_http_phase_name(enum eh_http_phase phase);

/* What has come back. After a failure it holds what there was until then: a
 * truncated body goes with status 200, so look at the error first. */
struct eh_http_reply {
  int status; /* 0 = no status line was seen */
  enum eh_http_phase phase;
  bool reused;            /* went over a connection that was open before */
  uint64_t elapsed_ns;    /* from eh_http_start to the end */
  uint64_t first_byte_ns; /* from eh_http_start; 0 = nothing came */
  struct eh_buf headers;  /* the last header block, with its status line */
  struct eh_buf body;     /* decoded */
};

/* err is NULL if a whole reply came, whatever its status. Its codes: connect,
 * dns, tls, timeout (in reply->phase), too_large, truncated, reset, protocol,
 * busy (no file descriptors left), argument (a URL that cannot be used),
 * internal. reply is lent: eh_buf_take what is to be kept. */
typedef void eh_http_done_fn(void *arg, struct eh_http_reply *reply,
                             const struct eh_err *err);

struct eh_http *eh_http_new(struct eh_loop *loop,
                            const struct eh_http_options *options,
                            struct eh_err *err);

/* Drops calls in flight without calling back, and closes all connections. */
void eh_http_free(struct eh_http *http);

/* Starts a call; done is called later, never from inside this. Returns NULL
 * and fills err (EH_EARG) if the request makes no sense. */
struct eh_http_call *eh_http_start(struct eh_http *http,
                                   const struct eh_http_request *request,
                                   eh_http_done_fn *done, void *arg,
                                   struct eh_err *err);

/* After this returns the callback never comes. */
void eh_http_cancel(struct eh_http_call *call);

/* How far a call in flight has come. */
enum eh_http_phase eh_http_phase_of(const struct eh_http_call *call);

/* Finds the next header of this name (any case) in a header block. *pos is 0
 * to begin with and moves on. Returns the value without its padding, not
 * terminated, and its length; or NULL. */
const char *eh_http_header(const struct eh_buf *headers, const char *name,
                           size_t *pos, size_t *len);

/* The same for any header: also gives the name. */
const char *eh_http_header_next(const struct eh_buf *headers, size_t *pos,
                                const char **name, size_t *name_len,
                                size_t *len);

/* Counters since eh_http_new, for tests and benchmarks. */
struct eh_http_stats {
  uint64_t calls;
  uint64_t connections; /* sockets opened */
  size_t open;          /* sockets open now */
  size_t lanes;         /* multi handles in use */
};
void eh_http_stats(const struct eh_http *http, struct eh_http_stats *out);

#endif
