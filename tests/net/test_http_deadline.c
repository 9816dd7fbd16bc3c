/* test_http_deadline.c: deadlines, and the phase they are missed in. */
#include "net/http.h"

#include "client.h"
#include "server.h"

#include "check_main.h"

static struct client client;

static void get(server_fn *script, const struct eh_http_options *options,
                uint64_t timeout_ms, struct result *result) {
  struct server *server = server_start(script);
  char url[64];
  struct eh_http_request request = {.method = "GET", .url = url};
  request.timeout_ns = timeout_ms * EH_NS_PER_MS;
  client_open(&client, options);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", server->port);
  client_call(&client, &request, result);
  client_close(&client);
  server_stop(server);
}

static void wait_for_end(int fd) {
  char byte;
  while (recv(fd, &byte, 1, 0) > 0)
    ;
}

static void silent(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  wait_for_end(fd);
}

START_TEST(test_stalled_first_byte) {
  struct result result;
  get(silent, NULL, 120, &result);
  ck_assert_int_eq(result.code, EH_ETIMEOUT);
  ck_assert_int_eq(result.phase, EH_HTTP_FIRST_BYTE);
  ck_assert_uint_ge(result.elapsed_ns, 120 * EH_NS_PER_MS);
  ck_assert_uint_eq(result.first_byte_ns, 0);
  result_free(&result);
}
END_TEST

/* Never silent for long, never done. */
static void drip(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
  while (server_say(fd, "x"))
    server_sleep(10);
}

START_TEST(test_slow_drip) {
  struct result result;
  get(drip, NULL, 200, &result);
  ck_assert_int_eq(result.code, EH_ETIMEOUT);
  ck_assert_int_eq(result.phase, EH_HTTP_BODY);
  ck_assert_int_eq(result.status, 200);
  ck_assert_uint_ge(result.elapsed_ns, 200 * EH_NS_PER_MS);
  result_free(&result);
}
END_TEST

static void half(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
  wait_for_end(fd);
}

/* The body stands still: given up long before the deadline. */
START_TEST(test_stalled_body) {
  struct eh_http_options options = {.stall_ns = 50 * EH_NS_PER_MS};
  struct result result;
  get(half, &options, 30000, &result);
  ck_assert_int_eq(result.code, EH_ETIMEOUT);
  ck_assert_int_eq(result.phase, EH_HTTP_BODY);
  ck_assert_ptr_nonnull(strstr(result.msg, "stalled"));
  result_free(&result);
}
END_TEST

static void late(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_sleep(300);
  server_reply(fd, "late");
}

/* A model may think for longer than a body may stall. */
START_TEST(test_silence_before_the_reply_is_no_stall) {
  struct eh_http_options options = {.stall_ns = 50 * EH_NS_PER_MS};
  struct result result;
  get(late, &options, 30000, &result);
  ck_assert_int_eq(result.code, 0);
  ck_assert_str_eq(result.body, "late");
  result_free(&result);
}
END_TEST

/* A listener whose queue is full drops what comes: a connection that hangs. */
START_TEST(test_connect_timeout) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t len = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), fillers[4];
  char url[64];
  struct eh_http_request request = {.method = "GET", .url = url};
  struct result result;
  int i;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, len), 0);
  ck_assert_int_eq(listen(listener, 0), 0);
  getsockname(listener, (struct sockaddr *)&address, &len);
  for (i = 0; i < 4; i++) {
    fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    connect(fillers[i], (struct sockaddr *)&address, len);
  }
  server_sleep(50);
  client_open(&client, NULL);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", ntohs(address.sin_port));
  request.connect_timeout_ns = 100 * EH_NS_PER_MS;
  client_call(&client, &request, &result);
  ck_assert_int_eq(result.code, EH_ETIMEOUT);
  ck_assert_int_eq(result.phase, EH_HTTP_CONNECT);
  result_free(&result);
  client_close(&client);
  for (i = 0; i < 4; i++)
    close(fillers[i]);
  close(listener);
}
END_TEST

/* The shortest deadline is served first, whatever the order of starting. */
START_TEST(test_many_deadlines) {
  struct server *server = server_start(silent);
  char url[64];
  struct eh_http_request request = {.method = "GET", .url = url};
  struct result results[30];
  int i;
  client_open(&client, NULL);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", server->port);
  for (i = 0; i < 30; i++) {
    request.timeout_ns = (uint64_t)(50 + (i * 7) % 30 * 10) * EH_NS_PER_MS;
    client_start(&client, &request, &results[i]);
  }
  eh_loop_run(client.loop);
  for (i = 0; i < 30; i++) {
    ck_assert_int_eq(results[i].code, EH_ETIMEOUT);
    ck_assert_uint_ge(results[i].elapsed_ns,
                      (uint64_t)(50 + (i * 7) % 30 * 10) * EH_NS_PER_MS);
    result_free(&results[i]);
  }
  client_close(&client);
  server_stop(server);
}
END_TEST

CHECK_MAIN(http_deadline, test_stalled_first_byte, test_slow_drip,
           test_stalled_body, test_silence_before_the_reply_is_no_stall,
           test_connect_timeout, test_many_deadlines)
