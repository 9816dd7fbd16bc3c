/* test_http_error.c: each way a call can fail has its code. */
#include "net/http.h"

#include "client.h"
#include "server.h"

#include "check_main.h"

#include <sys/resource.h>

static struct client client;

/* One call to a server of this script. */
static void try_out(server_fn *script, struct result *result) {
  struct server *server = server_start(script);
  client_open(&client, NULL);
  client_get(&client, server->port, result);
  client_close(&client);
  server_stop(server);
}

START_TEST(test_refused) {
  struct server *server = server_start(NULL);
  int port = server->port;
  char where[32];
  struct result result;
  server_stop(server);
  client_open(&client, NULL);
  client_get(&client, port, &result);
  ck_assert_int_eq(result.code, EH_ECONNECT);
  ck_assert_int_eq(result.phase, EH_HTTP_CONNECT);
  ck_assert_int_eq(result.status, 0);
  snprintf(where, sizeof where, "127.0.0.1:%d", port);
  ck_assert_ptr_nonnull(strstr(result.msg, where));
  result_free(&result);
  client_close(&client);
}
END_TEST

static void short_length(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart");
}

static void cut_chunk(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_say(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "20\r\npart");
}

static void no_last_chunk(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_say(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "4\r\npart\r\n");
}

START_TEST(test_truncated_has_status_200) {
  server_fn *scripts[] = {short_length, cut_chunk, no_last_chunk};
  struct result result;
  size_t i;
  for (i = 0; i < 3; i++) {
    try_out(scripts[i], &result);
    ck_assert_msg(result.code == EH_ETRUNCATED, "%zu: %d %s", i, result.code,
                  result.msg);
    ck_assert_int_eq(result.status, 200);
    ck_assert_int_eq(result.phase, EH_HTTP_BODY);
    ck_assert_str_eq(result.body, "part");
    result_free(&result);
  }
}
END_TEST

static void reset_body(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart");
  server_sleep(50);
  server_reset(fd);
}

static void reset_first(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_reset(fd);
}

static void hang_up(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
}

START_TEST(test_reset) {
  server_fn *scripts[] = {reset_body, reset_first, hang_up};
  struct result result;
  size_t i;
  for (i = 0; i < 3; i++) {
    try_out(scripts[i], &result);
    ck_assert_msg(result.code == EH_ERESET, "%zu: %d %s", i, result.code,
                  result.msg);
    result_free(&result);
  }
}
END_TEST

static void bad_chunk(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_say(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "xyz\r\npart\r\n0\r\n\r\n");
  server_request(server, fd);
}

static void not_http(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_say(fd, "220 mail.example ESMTP\r\n");
  server_request(server, fd);
}

static void bad_gzip(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_say(fd, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                 "Content-Length: 12\r\n\r\nnot gzipped!");
  server_request(server, fd);
}

START_TEST(test_protocol) {
  server_fn *scripts[] = {bad_chunk, not_http, bad_gzip};
  struct result result;
  size_t i;
  for (i = 0; i < 3; i++) {
    try_out(scripts[i], &result);
    ck_assert_msg(result.code == EH_EPROTOCOL, "%zu: %d %s", i, result.code,
                  result.msg);
    result_free(&result);
  }
}
END_TEST

/* gzip of n * 64 KiB zeros: a stored header, fixed-Huffman runs. Made by hand,
 * so that the test needs no zlib: each deflate block is "one literal 0, then
 * runs of 258". */
static void send_bomb(int fd, int blocks) {
  static const unsigned char head[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
  unsigned char block[8192];
  unsigned long long bits = 0;
  size_t len = 0, i;
  int have = 0, b;
#define PUT(value, count)                                                      \
  do {                                                                         \
    bits |= (unsigned long long)(value) << have;                               \
    for (have += (count); have >= 8; have -= 8, bits >>= 8)                    \
      block[len++] = (unsigned char)bits;                                      \
  } while (0)
  server_write(fd, head, sizeof head);
  for (b = 0; b < blocks; b++) {
    len = 0;
    PUT(2, 3);    /* not last, fixed codes */
    PUT(0x0c, 8); /* literal 0: code 00110000, bit-reversed */
    for (i = 0; i < 4000; i++) {
      PUT(0xa3, 8); /* length 258: code 285 = 11000101, bit-reversed */
      PUT(0, 5);    /* distance 1 */
    }
    PUT(0, 7); /* end of block */
    if (!server_write(fd, block, len))
      return;
  }
#undef PUT
}

static void bomb(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_say(fd, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                 "Transfer-Encoding: identity\r\nConnection: close\r\n\r\n");
  send_bomb(fd, 200); /* 200 MB */
}

START_TEST(test_gzip_bomb) {
  struct result result;
  try_out(bomb, &result);
  ck_assert_msg(result.code == EH_ELIMIT, "%d %s", result.code, result.msg);
  ck_assert_uint_le(result.len, EH_MAX_HTTP_BODY);
  ck_assert_uint_gt(result.len, EH_MAX_HTTP_BODY / 2);
  result_free(&result);
}
END_TEST

static void endless(struct server *server, int fd, int number) {
  (void)number;
  server_request(server, fd);
  server_say(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  while (server_say(fd, "10\r\n0123456789abcdef\r\n"))
    ;
}

static void ten(struct server *server, int fd, int number) {
  (void)number;
  while (server_request(server, fd) && server_reply(fd, "0123456789"))
    ;
}

START_TEST(test_cap_of_a_request) {
  struct server *server = server_start(ten), *other = server_start(endless);
  char url[64];
  struct eh_http_request request = {.method = "GET", .url = url};
  struct result result;
  client_open(&client, NULL);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", server->port);
  request.max_bytes = 10;
  client_call(&client, &request, &result);
  ck_assert_int_eq(result.code, 0);
  result_free(&result);
  request.max_bytes = 9;
  client_call(&client, &request, &result);
  ck_assert_int_eq(result.code, EH_ELIMIT);
  ck_assert_int_eq(result.status, 200);
  result_free(&result);
  request.max_bytes = 0;
  client_call(&client, &request, &result); /* the cap was that call's own */
  ck_assert_int_eq(result.code, 0);
  result_free(&result);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", other->port);
  request.max_bytes = 1000;
  client_call(&client, &request, &result);
  ck_assert_int_eq(result.code, EH_ELIMIT);
  result_free(&result);
  client_close(&client);
  server_stop(server);
  server_stop(other);
}
END_TEST

static void many_headers(struct server *server, int fd, int number) {
  char line[2048];
  (void)number;
  server_request(server, fd);
  memset(line, 'x', sizeof line - 1);
  memcpy(line, "A: ", 3);
  strcpy(line + sizeof line - 3, "\r\n");
  server_say(fd, "HTTP/1.1 200 OK\r\n");
  while (server_say(fd, line))
    ;
}

START_TEST(test_endless_headers) {
  struct result result;
  try_out(many_headers, &result);
  ck_assert_msg(result.code == EH_ELIMIT, "%d %s", result.code, result.msg);
  result_free(&result);
}
END_TEST

/* Serves one request a connection, then closes without saying so. */
static void one_each(struct server *server, int fd, int number) {
  (void)number;
  if (server_request(server, fd))
    server_reply(fd, "hello");
}

START_TEST(test_dead_kept_connection) {
  struct server *server = server_start(one_each);
  struct result result;
  int i;
  client_open(&client, NULL);
  for (i = 0; i < 5; i++) {
    client_get(&client, server->port, &result);
    ck_assert_msg(result.code == 0, "%s", result.msg);
    ck_assert_str_eq(result.body, "hello");
    result_free(&result);
    server_sleep(20);
  }
  ck_assert_int_eq(server->requests, 5);
  client_close(&client);
  server_stop(server);
}
END_TEST

static void plain(struct server *server, int fd, int number) {
  char bytes[512];
  (void)server;
  (void)number;
  if (recv(fd, bytes, sizeof bytes, 0) > 0)
    server_say(fd, "HTTP/1.1 400 Bad Request\r\n\r\n");
}

/* No fall-back to a connection without TLS. */
START_TEST(test_tls) {
  struct server *server = server_start(plain);
  char url[64];
  struct eh_http_request request = {.method = "GET", .url = url};
  struct result result;
  snprintf(url, sizeof url, "https://127.0.0.1:%d/", server->port);
  client_open(&client, NULL);
  client_call(&client, &request, &result);
  ck_assert_msg(result.code == EH_ETLS, "%d %s", result.code, result.msg);
  ck_assert_int_eq(result.status, 0);
  result_free(&result);
  client_close(&client);
  server_stop(server);
}
END_TEST

/* With no descriptor left a call fails, by a name that says so. */
START_TEST(test_no_descriptors) {
  struct eh_http_request request = {.method = "GET",
                                    .url = "http://127.0.0.1:1/"};
  struct rlimit before, limit;
  struct result result;
  int lowest = dup(STDIN_FILENO); /* all below are in use */
  close(lowest);
  client_open(&client, NULL);
  getrlimit(RLIMIT_NOFILE, &before);
  limit = before;
  limit.rlim_cur = (rlim_t)lowest;
  setrlimit(RLIMIT_NOFILE, &limit);
  client_call(&client, &request, &result);
  setrlimit(RLIMIT_NOFILE, &before);
  ck_assert_msg(result.code == EH_EBUSY, "%d %s", result.code, result.msg);
  result_free(&result);
  client_close(&client);
}
END_TEST

/* User and password of a URL are not said. */
START_TEST(test_messages_hide_credentials) {
  struct server *server = server_start(NULL);
  char url[64];
  struct eh_http_request request = {.method = "GET", .url = url};
  struct result result;
  snprintf(url, sizeof url, "http://me:hunter2@127.0.0.1:%d/", server->port);
  server_stop(server);
  client_open(&client, NULL);
  client_call(&client, &request, &result);
  ck_assert_int_eq(result.code, EH_ECONNECT);
  ck_assert_ptr_null(strstr(result.msg, "hunter2"));
  result_free(&result);
  client_close(&client);
}
END_TEST

CHECK_MAIN(http_error, test_refused, test_truncated_has_status_200, test_reset,
           test_protocol, test_gzip_bomb, test_cap_of_a_request,
           test_endless_headers, test_dead_kept_connection, test_tls,
           test_no_descriptors, test_messages_hide_credentials)
