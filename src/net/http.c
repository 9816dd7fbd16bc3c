/* http.c: the calls of the HTTP client, from start to end. */
#include "net/http.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "net/http_impl.h"

#include <string.h>

#define IDLE_MAX    256 /* easy handles kept for later calls */
#define KEPT_BODY   ((size_t)64 << 10)
#define TIMEOUT_NS  (60 * EH_NS_PER_S)
#define CONNECT_NS  (10 * EH_NS_PER_S)
#define STALL_NS    (30 * EH_NS_PER_S)
#define STALL_BYTES 1
#define LANE_LOAD   200

static bool flush(struct eh_loop_part *part) {
  struct eh_http *http = EH_CONTAINER(part, struct eh_http, part);
  bool news;
  eh_origin_flush(http);
  news = eh_lane_flush(http);
  return news || http->news;
}

struct eh_http *eh_http_new(struct eh_loop *loop,
                            const struct eh_http_options *options,
                            struct eh_err *err) {
  static const struct eh_http_options none;
  const struct eh_http_options *o = options != NULL ? options : &none;
  struct eh_http *http;
  if (curl_global_init_mem(CURL_GLOBAL_DEFAULT, eh_malloc, eh_free, eh_realloc,
                           eh_strdup, eh_calloc) != CURLE_OK) {
    eh_err_set(err, EH_EINTERNAL, "libcurl cannot start");
    return NULL;
  }
  http = eh_calloc(1, sizeof *http);
  http->loop = loop;
  http->user_agent = eh_strdup(o->user_agent ? o->user_agent : "evalhost");
  http->ca_file = o->ca_file != NULL ? eh_strdup(o->ca_file) : NULL;
  http->stall_ns = o->stall_ns > 0 ? o->stall_ns : STALL_NS;
  http->stall_bytes = o->stall_bytes > 0 ? o->stall_bytes : STALL_BYTES;
  http->lane_load = o->lane_load > 0 ? o->lane_load : LANE_LOAD;
  http->share = curl_share_init();
  curl_share_setopt(http->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
  curl_share_setopt(http->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
  eh_list_init(&http->origins);
  eh_list_init(&http->calls);
  eh_list_init(&http->idle);
  eh_timers_init(&http->looks);
  http->alarm = eh_alarm_new(loop, eh_deadline_check, http);
  http->part.flush = flush;
  eh_loop_add_part(loop, &http->part);
  return http;
}

static void call_free(struct eh_http_call *call) {
  eh_list_remove(&call->link);
  eh_easy_close(call);
  eh_free(call);
}

/* Takes the call out of everything but the pool; err says how it ended. */
static void detach(struct eh_http_call *call, const struct eh_err *err) {
  eh_deadline_remove(call);
  eh_list_remove(&call->link);
  if (call->state == CALL_RUNNING) {
    curl_multi_remove_handle(call->lane->multi, call->easy);
    call->lane->load--;
    call->origin->busy[call->lane->index]--;
  }
  call->state = CALL_IDLE;
  eh_origin_left(call, err);
}

/* Puts a call that has ended back into the pool. */
static void pool(struct eh_http_call *call) {
  struct eh_http *http = call->http;
  eh_buf_free(&call->reply.headers);
  eh_buf_free(&call->reply.body);
  if (call->body.cap > KEPT_BODY)
    eh_buf_free(&call->body);
  if (http->idle_count >= IDLE_MAX) {
    call_free(call);
    return;
  }
  eh_list_add(&http->idle, &call->link);
  http->idle_count++;
}

static struct eh_http_call *unpool(struct eh_http *http) {
  struct eh_http_call *call;
  if (!eh_list_empty(&http->idle)) {
    call = EH_CONTAINER(http->idle.prev, struct eh_http_call, link);
    eh_list_remove(&call->link);
    http->idle_count--;
    return call;
  }
  call = eh_calloc(1, sizeof *call);
  eh_list_init(&call->link);
  call->http = http;
  eh_easy_open(call);
  return call;
}

void eh_http_free(struct eh_http *http) {
  struct eh_timer *first;
  size_t i;
  if (http == NULL)
    return;
  eh_list_remove(&http->part.link);
  while ((first = eh_timers_first(&http->looks)) != NULL)
    eh_http_cancel(EH_CONTAINER(first, struct eh_http_call, look));
  for (i = 0; i < http->lane_count; i++)
    curl_multi_cleanup(http->lanes[i]->multi);
  eh_sock_drop_all(http);
  for (i = 0; i < http->lane_count; i++)
    eh_lane_free(http->lanes[i]);
  while (!eh_list_empty(&http->idle))
    call_free(EH_CONTAINER(http->idle.next, struct eh_http_call, link));
  curl_share_cleanup(http->share);
  eh_alarm_free(http->alarm);
  eh_timers_free(&http->looks);
  eh_free(http->socks);
  eh_free(http->user_agent);
  eh_free(http->ca_file);
  eh_free(http);
  curl_global_cleanup();
}

void eh_http_launch(struct eh_http_call *call) {
  struct eh_http *http = call->http;
  struct origin *origin = call->origin;
  eh_list_remove(&call->link);
  if (origin->state == ORIGIN_RESOLVING) {
    call->state = CALL_WAITING;
    eh_list_add(&origin->waiting, &call->link);
    return;
  }
  if (origin->state == ORIGIN_NEW) {
    origin->state = ORIGIN_RESOLVING;
    origin->leader = call;
  }
  call->lane = eh_lane_pick(http, origin);
  call->lane->load++;
  call->lane->kick = true;
  origin->busy[call->lane->index]++;
  call->state = CALL_RUNNING;
  eh_list_add(&http->calls, &call->link);
  curl_multi_add_handle(call->lane->multi, call->easy);
}

/* Fills what a new call begins with. */
static void begin(struct eh_http_call *call,
                  const struct eh_http_request *request) {
  uint64_t whole = request->timeout_ns > 0 ? request->timeout_ns : TIMEOUT_NS;
  call->start = eh_clock_mono();
  call->deadline = call->start + whole;
  call->connect_deadline = call->start + request->connect_timeout_ns;
  call->received = call->looked_at = 0;
  call->too_large = false;
  call->socket_errno = 0;
  call->message[0] = '\0';
  call->reply.status = 0;
  call->reply.reused = false;
  call->reply.elapsed_ns = call->reply.first_byte_ns = 0;
  eh_buf_clear(&call->reply.headers);
  call->reply.body.max =
      request->max_bytes > 0 ? request->max_bytes : EH_MAX_HTTP_BODY;
}

struct eh_http_call *eh_http_start(struct eh_http *http,
                                   const struct eh_http_request *request,
                                   eh_http_done_fn *done, void *arg,
                                   struct eh_err *err) {
  struct eh_http_request filled = *request;
  struct eh_http_call *call = unpool(http);
  if (filled.connect_timeout_ns == 0)
    filled.connect_timeout_ns = CONNECT_NS;
  if (eh_easy_prepare(call, &filled, err) != 0) {
    pool(call);
    return NULL;
  }
  begin(call, &filled);
  call->done = done;
  call->arg = arg;
  call->origin = eh_origin_get(http, call->url.data);
  eh_deadline_add(call);
  eh_http_launch(call);
  return call;
}

void eh_http_finish(struct eh_http_call *call, const struct eh_err *err) {
  struct eh_http_reply *reply = &call->reply;
  long status = 0, connects = 0;
  reply->phase = eh_http_phase_of(call);
  reply->elapsed_ns = eh_clock_mono() - call->start;
  if (call->state == CALL_RUNNING) {
    curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(call->easy, CURLINFO_NUM_CONNECTS, &connects);
    reply->status = (int)status;
    reply->reused = connects == 0 && reply->phase != EH_HTTP_CONNECT;
  }
  call->http->stats.calls++;
  detach(call, err);
  call->done(call->arg, reply, err);
  pool(call);
}

void eh_http_cancel(struct eh_http_call *call) {
  detach(call, NULL);
  pool(call);
}

void eh_http_stats(const struct eh_http *http, struct eh_http_stats *out) {
  *out = http->stats;
  out->lanes = http->lane_count;
}
