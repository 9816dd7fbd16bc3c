/* test_http.c: the life of HTTP calls against a scripted server. */
#include "net/http.h"

#include "client.h"
#include "server.h"

#include "check_main.h"

static struct client client;
static char url[128];

static struct eh_http_request post(const struct server *server,
                                   const char *body) {
  struct eh_http_request request = {.method = "POST", .url = url};
  request.body = body;
  request.body_len = strlen(body);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/v1?q=1", server->port);
  return request;
}

static void echo(struct server *server, int fd, int number) {
  (void)number;
  while (server_request(server, fd))
    server_reply(fd, strncmp(server->last, "HEAD", 4) == 0 ? "" : "hello");
}

START_TEST(test_post_and_keep_alive) {
  struct server *server = server_start(echo);
  struct eh_http_request request = post(server, "{\"a\":1}");
  struct eh_http_header headers[] = {{"Content-Type", "application/json"},
                                     {"X-Empty", ""}};
  struct result result;
  int i;
  request.headers = headers;
  request.header_count = 2;
  client_open(&client, NULL);
  for (i = 0; i < 20; i++) {
    client_call(&client, &request, &result);
    ck_assert_int_eq(result.code, 0);
    ck_assert_int_eq(result.status, 200);
    ck_assert_str_eq(result.body, "hello");
    ck_assert_int_eq(result.reused, i > 0);
    ck_assert_int_eq(result.phase, EH_HTTP_BODY);
    ck_assert_uint_gt(result.first_byte_ns, 0);
    ck_assert_uint_ge(result.elapsed_ns, result.first_byte_ns);
    result_free(&result);
  }
  ck_assert_int_eq(server->connections, 1);
  ck_assert_uint_eq(client_connections(&client), 1);
  ck_assert_ptr_nonnull(strstr(server->last, "POST /v1?q=1 HTTP/1.1\r\n"));
  ck_assert_ptr_nonnull(strstr(server->last, "\r\n\r\n{\"a\":1}"));
  ck_assert_ptr_nonnull(
      strstr(server->last, "Content-Type: application/json\r\n"));
  ck_assert_ptr_nonnull(strstr(server->last, "X-Empty:"));
  ck_assert_ptr_nonnull(strstr(server->last, "Accept-Encoding: "));
  ck_assert_ptr_null(strstr(server->last, "Expect"));
  client_close(&client);
  server_stop(server);
}
END_TEST

/* The handle of a call is used again: nothing of the last may remain. */
START_TEST(test_methods_do_not_mix) {
  static const struct {
    const char *method, *body, *line;
  } steps[] = {
      {"POST", "abc", "POST / HTTP/1.1\r\n"},
      {"GET", NULL, "GET / HTTP/1.1\r\n"},
      {"PUT", "xyz", "PUT / HTTP/1.1\r\n"},
      {"DELETE", NULL, "DELETE / HTTP/1.1\r\n"},
      {"POST", NULL, "POST / HTTP/1.1\r\n"},
      {"HEAD", NULL, "HEAD / HTTP/1.1\r\n"},
      {"GET", "body", "GET / HTTP/1.1\r\n"},
      {"POST", "", "POST / HTTP/1.1\r\n"},
      {"GET", NULL, "GET / HTTP/1.1\r\n"},
  };
  struct server *server = server_start(echo);
  struct result result;
  size_t i;
  client_open(&client, NULL);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", server->port);
  for (i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    struct eh_http_request request = {.method = steps[i].method, .url = url};
    const char *end;
    request.body = steps[i].body;
    request.body_len = request.body != NULL ? strlen(request.body) : 0;
    client_call(&client, &request, &result);
    ck_assert_int_eq(result.code, 0);
    ck_assert_msg(strncmp(server->last, steps[i].line, strlen(steps[i].line)) ==
                      0,
                  "%s", server->last);
    end = strstr(server->last, "\r\n\r\n") + 4;
    ck_assert_str_eq(end, request.body != NULL ? request.body : "");
    if (strcmp(steps[i].method, "HEAD") == 0)
      ck_assert_uint_eq(result.len, 0);
    result_free(&result);
  }
  client_close(&client);
  server_stop(server);
}
END_TEST

START_TEST(test_bad_requests_are_refused) {
  static const struct {
    const char *method, *url, *name, *value;
  } bad[] = {
      {"GET", "ftp://127.0.0.1/", NULL, NULL},
      {"GET", "file:///etc/passwd", NULL, NULL},
      {"GET", "127.0.0.1", NULL, NULL},
      {"GET", "http://127.0.0.1/a b", NULL, NULL},
      {"GET", "http://127.0.0.1/\r\nX: 1", NULL, NULL},
      {"G T", "http://127.0.0.1/", NULL, NULL},
      {"", "http://127.0.0.1/", NULL, NULL},
      {"GET", "http://127.0.0.1/", "X", "1\r\nY: 2"},
      {"GET", "http://127.0.0.1/", "X\nY", "1"},
      {"GET", "http://127.0.0.1/", "", "1"},
      {"GET", "http://127.0.0.1/", "X:", "1"},
  };
  size_t i;
  client_open(&client, NULL);
  for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    struct eh_http_header header = {bad[i].name, bad[i].value};
    struct eh_http_request request = {.method = bad[i].method,
                                      .url = bad[i].url};
    struct eh_err err;
    request.headers = &header;
    request.header_count = bad[i].name != NULL;
    ck_assert_ptr_null(
        eh_http_start(client.http, &request, client_done, NULL, &err));
    ck_assert_int_eq(err.code, EH_EARG);
  }
  client_close(&client);
}
END_TEST

static void chunked(struct server *server, int fd, int number) {
  (void)number;
  while (server_request(server, fd)) {
    server_say(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
                   "Set-Cookie: a=1\r\nset-cookie: b=2\r\n"
                   "X-Padded: \t x \r\n\r\n");
    server_say(fd, "3\r\nabc\r\n");
    server_sleep(20);
    server_say(fd, "4\r\ndefg\r\n0\r\n\r\n");
  }
}

START_TEST(test_chunked_and_headers) {
  struct server *server = server_start(chunked);
  struct result result;
  size_t pos = 0, len;
  const char *value;
  client_open(&client, NULL);
  client_get(&client, server->port, &result);
  ck_assert_int_eq(result.code, 0);
  ck_assert_str_eq(result.body, "abcdefg");
  value = eh_http_header(&result.headers, "SET-COOKIE", &pos, &len);
  ck_assert_mem_eq(value, "a=1", 3);
  value = eh_http_header(&result.headers, "SET-COOKIE", &pos, &len);
  ck_assert_mem_eq(value, "b=2", 3);
  ck_assert_ptr_null(eh_http_header(&result.headers, "Set-Cookie", &pos, &len));
  result_free(&result);
  client_get(&client, server->port, &result);
  ck_assert(result.reused);
  result_free(&result);
  client_close(&client);
  server_stop(server);
}
END_TEST

static void redirect(struct server *server, int fd, int number) {
  (void)number;
  while (server_request(server, fd))
    server_say(fd, "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/x\r\n"
                   "Content-Length: 0\r\n\r\n");
}

START_TEST(test_redirect_is_not_followed) {
  struct server *server = server_start(redirect);
  struct result result;
  size_t pos = 0, len;
  client_open(&client, NULL);
  client_get(&client, server->port, &result);
  ck_assert_int_eq(result.code, 0);
  ck_assert_int_eq(result.status, 302);
  ck_assert_ptr_nonnull(
      eh_http_header(&result.headers, "location", &pos, &len));
  ck_assert_int_eq(server->requests, 1);
  result_free(&result);
  client_close(&client);
  server_stop(server);
}
END_TEST

static void hundred(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_say(fd, "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n");
  server_reply(fd, "ok");
}

START_TEST(test_only_the_last_header_block_is_kept) {
  struct server *server = server_start(hundred);
  struct result result;
  size_t pos = 0, len;
  client_open(&client, NULL);
  client_get(&client, server->port, &result);
  ck_assert_int_eq(result.status, 200);
  ck_assert_ptr_null(eh_http_header(&result.headers, "x-early", &pos, &len));
  result_free(&result);
  client_close(&client);
  server_stop(server);
}
END_TEST

static void stall(struct server *server, int fd, int number) {
  char byte;
  (void)number;
  server_request(server, fd);
  if (recv(fd, &byte, 1, 0) > 0) /* until the client gives up */
    abort();
}

START_TEST(test_cancel) {
  struct server *server = server_start(stall);
  struct eh_http_request request = post(server, "x");
  struct result first, second;
  struct eh_http_stats stats;
  struct eh_http_call *call;
  client_open(&client, NULL);
  call = client_start(&client, &request, &first);
  eh_http_cancel(call); /* before anything was sent */
  call = client_start(&client, &request, &first);
  request.timeout_ns = 150 * EH_NS_PER_MS;
  client_start(&client, &request, &second);
  client.pending = 1;
  eh_loop_run(client.loop); /* until the second's deadline */
  eh_http_cancel(call);     /* waiting for its reply */
  ck_assert_int_eq(first.times, 0);
  ck_assert_int_eq(second.code, EH_ETIMEOUT);
  ck_assert_int_eq(second.phase, EH_HTTP_FIRST_BYTE);
  eh_http_stats(client.http, &stats);
  ck_assert_uint_eq(stats.open, 0);
  result_free(&second);
  client_start(&client, &request, &first); /* freed in flight */
  client_close(&client);
  ck_assert_int_eq(first.times, 0);
  server_stop(server);
}
END_TEST

struct chain {
  struct result result;
  struct eh_http_call *other;
};

static void cancel_other(void *arg, struct eh_http_reply *reply,
                         const struct eh_err *err) {
  struct chain *chain = arg;
  (void)reply;
  (void)err;
  chain->result.times++;
  eh_http_cancel(chain->other);
  eh_loop_stop(client.loop);
}

/* A callback may cancel calls, also such that have ended at the same time. */
START_TEST(test_cancel_in_callback) {
  struct server *server = server_start(echo);
  struct eh_http_request request = post(server, "x");
  struct chain a = {0}, b = {0};
  struct eh_err err;
  client_open(&client, NULL);
  b.other = eh_http_start(client.http, &request, cancel_other, &a, &err);
  a.other = eh_http_start(client.http, &request, cancel_other, &b, &err);
  eh_loop_run(client.loop);
  ck_assert_int_eq(a.result.times + b.result.times, 1);
  client_close(&client);
  server_stop(server);
}
END_TEST

/* Each connection's first reply waits until all have asked. */
static void together(struct server *server, int fd, int number) {
  int patience = 20000;
  (void)number;
  if (!server_request(server, fd))
    return;
  atomic_fetch_add(&server->together, 1);
  while (atomic_load(&server->together) < 500 && patience-- > 0)
    server_sleep(1);
  server_reply(fd, "first");
  while (server_request(server, fd) && server_reply(fd, "again"))
    ;
}

START_TEST(test_500_at_once) {
  struct server *server = server_start(together);
  struct eh_http_request request = post(server, "x");
  static struct result results[500];
  struct eh_http_stats stats;
  int round, i;
  client_open(&client, NULL);
  for (round = 0; round < 3; round++) {
    for (i = 0; i < 500; i++)
      client_start(&client, &request, &results[i]);
    eh_loop_run(client.loop);
    for (i = 0; i < 500; i++) {
      ck_assert_int_eq(results[i].times, 1);
      ck_assert_msg(results[i].code == 0, "%s", results[i].msg);
      ck_assert_str_eq(results[i].body, round == 0 ? "first" : "again");
      result_free(&results[i]);
    }
  }
  eh_http_stats(client.http, &stats);
  ck_assert_uint_eq(stats.connections, 500);
  ck_assert_uint_eq(stats.lanes, 3);
  ck_assert_uint_eq(stats.calls, 1500);
  client_close(&client);
  server_stop(server);
}
END_TEST

static void host_is_asked_for(struct eh_http_request *request,
                              struct result *results, int count) {
  int i;
  for (i = 0; i < count; i++)
    client_start(&client, request, &results[i]);
  eh_loop_run(client.loop);
}

/* One look-up serves all that wait for it. (.invalid never resolves.) */
START_TEST(test_dns_failure) {
  struct eh_http_request request = {.method = "GET",
                                    .url = "http://nowhere.invalid/"};
  struct result results[20];
  int i;
  request.connect_timeout_ns = 30 * EH_NS_PER_S;
  client_open(&client, NULL);
  host_is_asked_for(&request, results, 20);
  for (i = 0; i < 20; i++) {
    ck_assert_int_eq(results[i].code, EH_EDNS);
    ck_assert_int_eq(results[i].phase, EH_HTTP_CONNECT);
    result_free(&results[i]);
  }
  ck_assert_uint_eq(client_connections(&client), 0);
  client_close(&client);
}
END_TEST

CHECK_MAIN(http, test_post_and_keep_alive, test_methods_do_not_mix,
           test_bad_requests_are_refused, test_chunked_and_headers,
           test_redirect_is_not_followed,
           test_only_the_last_header_block_is_kept, test_cancel,
           test_cancel_in_callback, test_500_at_once, test_dns_failure)
