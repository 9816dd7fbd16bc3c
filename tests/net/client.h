/* client.h: a loop and a client for the tests, and one call at a time. */
#ifndef EH_TESTS_NET_CLIENT_H
#define EH_TESTS_NET_CLIENT_H

#include "base/alloc.h"
#include "base/clock.h"
#include "net/alarm.h"
#include "net/http.h"
#include "net/loop.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct client {
  struct eh_loop *loop;
  struct eh_http *http;
  struct eh_alarm *guard;
  int pending; /* the loop stops at 0 */
};

/* How a call ended. */
struct result {
  struct client *client;
  int times; /* the callback came */
  int code;
  int status;
  enum eh_http_phase phase;
  bool reused;
  uint64_t elapsed_ns, first_byte_ns;
  char msg[320];
  char *body;
  size_t len;
  struct eh_buf headers;
};

static inline void client_hangs(void *arg) {
  (void)arg;
  fprintf(stderr, "the test hangs\n");
  abort();
}

static inline void client_open(struct client *client,
                               const struct eh_http_options *options) {
  struct eh_err err;
  unsetenv("http_proxy");
  unsetenv("all_proxy");
  unsetenv("ALL_PROXY");
  client->pending = 0;
  client->loop = eh_loop_new();
  ck_assert_ptr_nonnull(client->loop);
  client->http = eh_http_new(client->loop, options, &err);
  ck_assert_ptr_nonnull(client->http);
  client->guard = eh_alarm_new(client->loop, client_hangs, NULL);
  eh_alarm_set(client->guard, eh_clock_mono() + 40 * EH_NS_PER_S);
}

static inline void client_close(struct client *client) {
  eh_http_free(client->http);
  eh_alarm_free(client->guard);
  ck_assert_uint_eq(eh_loop_handles(client->loop), 0);
  eh_loop_free(client->loop);
}

static inline void client_done(void *arg, struct eh_http_reply *reply,
                               const struct eh_err *err) {
  struct result *result = arg;
  result->times++;
  result->code = err != NULL ? err->code : 0;
  snprintf(result->msg, sizeof result->msg, "%s", err != NULL ? err->msg : "");
  result->status = reply->status;
  result->phase = reply->phase;
  result->reused = reply->reused;
  result->elapsed_ns = reply->elapsed_ns;
  result->first_byte_ns = reply->first_byte_ns;
  result->body = eh_buf_take(&reply->body, &result->len);
  result->headers = reply->headers;
  eh_buf_init(&reply->headers, reply->headers.max);
  if (--result->client->pending == 0)
    eh_loop_stop(result->client->loop);
}

static inline void result_free(struct result *result) {
  if (result->times == 0)
    return;
  eh_free(result->body);
  eh_buf_free(&result->headers);
}

static inline struct eh_http_call *client_start(struct client *client,
                                                struct eh_http_request *request,
                                                struct result *result) {
  struct eh_err err;
  struct eh_http_call *call;
  memset(result, 0, sizeof *result);
  result->client = client;
  call = eh_http_start(client->http, request, client_done, result, &err);
  ck_assert_msg(call != NULL, "%s", err.msg);
  client->pending++;
  return call;
}

/* One call from start to end. */
static inline void client_call(struct client *client,
                               struct eh_http_request *request,
                               struct result *result) {
  client_start(client, request, result);
  eh_loop_run(client->loop);
  ck_assert_int_eq(result->times, 1);
}

/* The same for a plain GET of http://127.0.0.1:PORT/. */
static inline void client_get(struct client *client, int port,
                              struct result *result) {
  char url[64];
  struct eh_http_request request = {.method = "GET", .url = url};
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", port);
  client_call(client, &request, result);
}

static inline size_t client_connections(const struct client *client) {
  struct eh_http_stats stats;
  eh_http_stats(client->http, &stats);
  return stats.connections;
}

#endif
