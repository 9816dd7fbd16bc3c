/* http_impl.h: the parts of the HTTP client; private to http*.c.
 *
 *   http.c           the calls: start, finish, cancel, pool
 *   http_easy.c      one call as a libcurl easy handle
 *   http_lane.c      multi handles ("lanes") and the choice between them
 *   http_socket.c    sockets: libcurl's wishes to uv_poll
 *   http_origin.c    scheme, host and port: who has connections, who resolves
 *   http_deadline.c  deadlines of all calls under one timer
 *   http_error.c     libcurl's results as our error codes
 *   http_header.c    reading header blocks */
#ifndef EH_NET_HTTP_IMPL_H
#define EH_NET_HTTP_IMPL_H

#include "base/timers.h"
#include "net/http.h"
#include "net/loop_uv.h"

#include <curl/curl.h>

#define LANE_MAX 64
/* Over TLS an origin gets at most so many transfers per lane: the streams that
 * servers allow on one HTTP/2 connection. libcurl would open a connection for
 * each transfer beyond them. */
#define STREAMS_PER_LANE 100

/* One multi handle. libcurl's cost per transfer grows with the transfers and
 * connections of its multi handle, hence several. */
struct lane {
  struct eh_http *http;
  CURLM *multi;
  struct eh_alarm *alarm;
  size_t load; /* transfers in flight */
  int index;
  bool kick; /* libcurl wants to run before the loop blocks */
};

/* A socket of libcurl. Freed by the close callback of its poll handle. */
struct sock {
  uv_poll_t poll;
  struct lane *lane;
  struct origin *origin; /* NULL = not opened by us (a resolver's pipe) */
  int fd;
  int wanted;   /* uv events that libcurl asks for */
  int applied;  /* uv events that are being polled */
  bool polled;  /* poll is initialised */
  bool counted; /* in origin->open */
  bool closed;
};

enum origin_state { ORIGIN_NEW, ORIGIN_RESOLVING, ORIGIN_KNOWN };

/* Who a request goes to. Lives while calls or sockets refer to it. While its
 * name is being resolved for the first call, the others wait. */
struct origin {
  struct eh_list link; /* http->origins */
  struct eh_http *http;
  size_t refs;
  size_t per_lane; /* transfers */
  enum origin_state state;
  struct eh_http_call *leader; /* the call that resolves */
  struct eh_list waiting;      /* calls */
  bool news;                   /* waiting calls can go on */
  uint32_t open[LANE_MAX];     /* connected sockets */
  uint32_t busy[LANE_MAX];     /* calls */
  size_t key_len;
  char key[]; /* "https://host:port" as written in the URL */
};

enum call_state { CALL_IDLE, CALL_WAITING, CALL_RUNNING };

/* A call and its easy handle; pooled. What the handle was last told is kept,
 * so that only differences are set. */
struct eh_http_call {
  struct eh_list link; /* http->calls, http->idle or origin->waiting */
  struct eh_http *http;
  CURL *easy;
  struct lane *lane;
  struct origin *origin;
  enum call_state state;
  eh_http_done_fn *done;
  void *arg;

  struct eh_buf url;        /* as set in easy */
  struct eh_buf fields;     /* "Name: value\n" of slist */
  struct curl_slist *slist; /* as set in easy */
  struct eh_buf body;       /* as sent */
  char method[16];          /* as set in easy, with bodied and https */
  bool bodied;
  bool https;
  uint64_t connect_timeout; /* as set in easy */

  struct eh_http_reply reply;
  uint64_t start;
  uint64_t deadline;
  uint64_t connect_deadline;
  struct eh_timer look; /* when to look at it next; in http->looks */
  uint64_t received;    /* bytes of reply so far */
  uint64_t looked_at;   /* received at the last look */
  bool too_large;
  int socket_errno; /* why a socket could not be opened */
  char message[CURL_ERROR_SIZE];
};

struct eh_http {
  struct eh_loop *loop;
  struct eh_loop_part part;
  CURLSH *share;
  char *user_agent;
  char *ca_file;
  uint64_t stall_ns;
  size_t stall_bytes;
  size_t lane_load;

  struct lane *lanes[LANE_MAX];
  size_t lane_count;
  struct sock **socks; /* by file descriptor */
  size_t sock_cap;
  struct eh_list origins;
  bool news; /* an origin has news */

  struct eh_list calls; /* running ones */
  struct eh_list idle;
  size_t idle_count;
  struct eh_timers looks; /* of the calls in flight */
  struct eh_alarm *alarm; /* for the first of them */
  struct eh_http_stats stats;
};

/* http.c: ends a call and calls back; err NULL = success. */
void eh_http_finish(struct eh_http_call *call, const struct eh_err *err);
/* Gives the call to a lane. */
void eh_http_launch(struct eh_http_call *call);

/* http_easy.c */
void eh_easy_open(struct eh_http_call *call);
void eh_easy_close(struct eh_http_call *call);
int eh_easy_prepare(struct eh_http_call *call,
                    const struct eh_http_request *request, struct eh_err *err);

/* http_lane.c */
struct lane *eh_lane_pick(struct eh_http *http, const struct origin *origin);
/* After its multi handle was cleaned up. */
void eh_lane_free(struct lane *lane);
void eh_lane_act(struct lane *lane, int fd, int events);
/* Runs what libcurl wants to run at once; true if a call has ended. */
bool eh_lane_flush(struct eh_http *http);

/* http_socket.c */
curl_socket_t eh_sock_open(void *arg, curlsocktype purpose,
                           struct curl_sockaddr *address);
int eh_sock_close(void *arg, curl_socket_t fd);
/* Lets go of what libcurl has forgotten. */
void eh_sock_drop_all(struct eh_http *http);
int eh_sock_want(CURL *easy, curl_socket_t fd, int what, void *arg, void *ptr);

/* http_origin.c */
struct origin *eh_origin_get(struct eh_http *http, const char *url);
void eh_origin_unref(struct origin *origin);
/* Inside libcurl: the name is resolved. */
void eh_origin_known(struct origin *origin);
/* The call has ended, with err unless it is NULL. */
void eh_origin_left(struct eh_http_call *call, const struct eh_err *err);
/* Lets waiting calls go on. */
void eh_origin_flush(struct eh_http *http);

/* http_deadline.c */
void eh_deadline_add(struct eh_http_call *call);
void eh_deadline_remove(struct eh_http_call *call);
void eh_deadline_check(void *arg);

/* http_error.c */
int eh_http_explain(struct eh_http_call *call, CURLcode result,
                    struct eh_err *err);
int eh_http_timeout(struct eh_http_call *call, const char *what,
                    struct eh_err *err);

#endif
