/* server.h: a server on 127.0.0.1 for the tests of the client, scripted by a
 * function that speaks raw bytes on one connection. One thread a connection. */
#ifndef EH_TESTS_NET_SERVER_H
#define EH_TESTS_NET_SERVER_H

#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SERVER_MAX 1024 /* connections in its life */

struct server;

/* Talks on one connection; it is closed when this returns. number counts the
 * connections from 1. */
typedef void server_fn(struct server *server, int fd, int number);

struct server_conn {
  struct server *server;
  pthread_t thread;
  int fd;
  int number;
};

struct server {
  server_fn *fn;
  int listener;
  int port;
  pthread_t thread;
  pthread_mutex_t lock;
  atomic_int connections;
  atomic_int requests;
  atomic_int together; /* for scripts that wait for each other */
  char last[65536];    /* the last request's text */
  struct server_conn conns[SERVER_MAX];
};

/* How to end a connection with a reset instead of a close. */
static inline void server_reset(int fd) {
  struct linger linger = {1, 0};
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

static inline void server_sleep(int ms) {
  struct timespec wait = {ms / 1000, (ms % 1000) * 1000000L};
  nanosleep(&wait, NULL);
}

static inline bool server_write(int fd, const void *bytes, size_t len) {
  const char *at = bytes;
  while (len > 0) {
    ssize_t sent = send(fd, at, len, MSG_NOSIGNAL);
    if (sent <= 0)
      return false;
    at += sent;
    len -= (size_t)sent;
  }
  return true;
}

static inline bool server_say(int fd, const char *text) {
  return server_write(fd, text, strlen(text));
}

/* A whole reply that keeps the connection. */
static inline bool server_reply(int fd, const char *body) {
  char head[128];
  snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n",
           strlen(body));
  return server_say(fd, head) && server_say(fd, body);
}

/* Reads one request with its body into server->last; false at the end. */
static inline bool server_request(struct server *server, int fd) {
  static const char length[] = "\ncontent-length:";
  size_t len = 0, need = 0, cap = sizeof server->last;
  char *text = malloc(cap), *end = NULL;
  while (end == NULL || len < need) {
    ssize_t got = recv(fd, text + len, cap - 1 - len, 0);
    if (got <= 0) {
      free(text);
      return false;
    }
    len += (size_t)got;
    text[len] = '\0';
    if (end == NULL && (end = strstr(text, "\r\n\r\n")) != NULL) {
      const char *field = strcasestr(text, length);
      need = (size_t)(end + 4 - text);
      if (field != NULL && field < end)
        need += strtoul(field + sizeof length - 1, NULL, 10);
      assert(need < cap);
    }
  }
  pthread_mutex_lock(&server->lock);
  memcpy(server->last, text, len + 1);
  pthread_mutex_unlock(&server->lock);
  free(text);
  atomic_fetch_add(&server->requests, 1);
  return true;
}

static inline void *server_talk(void *arg) {
  struct server_conn *conn = arg;
  conn->server->fn(conn->server, conn->fd, conn->number);
  pthread_mutex_lock(&conn->server->lock);
  close(conn->fd);
  conn->fd = -1;
  pthread_mutex_unlock(&conn->server->lock);
  return NULL;
}

static inline void *server_accept(void *arg) {
  struct server *server = arg;
  struct timeval patience = {20, 0};
  int fd;
  while ((fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
    int at = atomic_fetch_add(&server->connections, 1);
    struct server_conn *conn = &server->conns[at];
    assert(at < SERVER_MAX);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    conn->server = server;
    conn->fd = fd;
    conn->number = at + 1;
    pthread_create(&conn->thread, NULL, server_talk, conn);
  }
  return NULL;
}

static inline struct server *server_start(server_fn *fn) {
  struct server *server = calloc(1, sizeof *server);
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t len = sizeof address;
  int on = 1;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  server->fn = fn;
  pthread_mutex_init(&server->lock, NULL);
  server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  assert(bind(server->listener, (struct sockaddr *)&address, len) == 0);
  assert(listen(server->listener, 1024) == 0);
  getsockname(server->listener, (struct sockaddr *)&address, &len);
  server->port = ntohs(address.sin_port);
  pthread_create(&server->thread, NULL, server_accept, server);
  return server;
}

/* Ends all connections and threads. */
static inline void server_stop(struct server *server) {
  int i, count;
  shutdown(server->listener, SHUT_RDWR);
  pthread_join(server->thread, NULL);
  close(server->listener);
  count = atomic_load(&server->connections);
  pthread_mutex_lock(&server->lock);
  for (i = 0; i < count; i++)
    if (server->conns[i].fd >= 0)
      shutdown(server->conns[i].fd, SHUT_RDWR);
  pthread_mutex_unlock(&server->lock);
  for (i = 0; i < count; i++)
    pthread_join(server->conns[i].thread, NULL);
  pthread_mutex_destroy(&server->lock);
  free(server);
}

#endif
