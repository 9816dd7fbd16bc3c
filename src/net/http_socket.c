/* http_socket.c: what libcurl wants to know of its sockets, asked of libuv.
 *
 * Each change of a poll costs two system calls. So a socket stays polled for
 * reading while its connection is idle: in the common case a request on a
 * kept connection changes nothing. If an idle connection becomes readable
 * (the peer closed it), polling ends until libcurl wants it again.
 *
 * libcurl 7.88 closes a socket that is still connecting without telling the
 * close callback. So such a socket is dropped as soon as it is not wanted, and
 * a number that comes back while we still know it is a new socket. */
#include "base/alloc.h"
#include "net/http_impl.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static struct sock *find(const struct eh_http *http, int fd) {
  return (size_t)fd < http->sock_cap ? http->socks[fd] : NULL;
}

static struct sock *add(struct lane *lane, int fd) {
  struct eh_http *http = lane->http;
  struct sock *sock = eh_calloc(1, sizeof *sock);
  if ((size_t)fd >= http->sock_cap) {
    size_t cap = ((size_t)fd + 64) * 3 / 2;
    http->socks = eh_realloc(http->socks, cap * sizeof *http->socks);
    memset(http->socks + http->sock_cap, 0,
           (cap - http->sock_cap) * sizeof *http->socks);
    http->sock_cap = cap;
  }
  sock->lane = lane;
  sock->fd = fd;
  http->socks[fd] = sock;
  return sock;
}

static void on_closed(uv_handle_t *handle) {
  eh_free(handle->data);
}

/* Lets go of a socket before its descriptor is closed. */
static void drop(struct sock *sock) {
  struct eh_http *http = sock->lane->http;
  http->socks[sock->fd] = NULL;
  sock->closed = true;
  if (sock->origin != NULL) {
    if (sock->counted) {
      http->stats.open--;
      sock->origin->open[sock->lane->index]--;
    }
    eh_origin_unref(sock->origin);
    sock->origin = NULL;
  }
  if (sock->polled)
    uv_close((uv_handle_t *)&sock->poll, on_closed);
  else
    eh_free(sock);
}

static void on_poll(uv_poll_t *poll, int status, int events);

/* Polls for exactly these events. */
static void apply(struct sock *sock, int events) {
  if (events == sock->applied)
    return;
  if (events == 0)
    uv_poll_stop(&sock->poll);
  else
    uv_poll_start(&sock->poll, events, on_poll);
  sock->applied = events;
}

static void on_poll(uv_poll_t *poll, int status, int events) {
  struct sock *sock = poll->data;
  int action = 0;
  if (status < 0) { /* libuv has stopped the poll */
    sock->applied = 0;
    action = CURL_CSELECT_ERR;
  }
  if (sock->wanted == 0) {
    apply(sock, 0);
    return;
  }
  if (events & sock->wanted & UV_READABLE)
    action |= CURL_CSELECT_IN;
  if (events & sock->wanted & UV_WRITABLE)
    action |= CURL_CSELECT_OUT;
  if (action != 0)
    eh_lane_act(sock->lane, sock->fd, action);
  if (!sock->closed && sock->wanted != 0)
    apply(sock, sock->wanted);
}

static bool poll_init(struct sock *sock) {
  if (sock->polled)
    return true;
  if (uv_poll_init_socket(&sock->lane->http->loop->uv, &sock->poll, sock->fd) !=
      0)
    return false;
  sock->poll.data = sock;
  return sock->polled = true;
}

/* libcurl does not repeat its wish for a number that it has closed and got
 * again, so that wish stays. */
static struct sock *renew(struct lane *lane, int fd) {
  struct sock *old = find(lane->http, fd), *sock;
  int wanted = old != NULL ? old->wanted : 0;
  if (old != NULL)
    drop(old);
  sock = add(lane, fd);
  sock->wanted = wanted;
  if (wanted != 0 && poll_init(sock))
    apply(sock, wanted);
  return sock;
}

curl_socket_t eh_sock_open(void *arg, curlsocktype purpose,
                           struct curl_sockaddr *address) {
  struct eh_http_call *call = arg;
  struct sock *sock;
  int fd =
      socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
             address->protocol);
  (void)purpose;
  eh_origin_known(call->origin);
  if (fd < 0) {
    call->socket_errno = errno;
    return CURL_SOCKET_BAD;
  }
  sock = renew(call->lane, fd);
  sock->origin = call->origin;
  sock->origin->refs++;
  call->http->stats.connections++;
  return fd;
}

int eh_sock_close(void *arg, curl_socket_t fd) {
  struct sock *sock = find(arg, fd);
  if (sock != NULL)
    drop(sock);
  return close(fd);
}

void eh_sock_drop_all(struct eh_http *http) {
  size_t fd;
  for (fd = 0; fd < http->sock_cap; fd++)
    if (http->socks[fd] != NULL)
      drop(http->socks[fd]);
}

/* A socket that libcurl lets go of, for now or for good. */
static void unwant(struct sock *sock) {
  bool connecting = sock->wanted == UV_WRITABLE;
  sock->wanted = 0;
  if (sock->origin == NULL || connecting)
    drop(sock);
  else if (sock->applied & UV_WRITABLE)
    apply(sock, 0);
}

/* A socket that is read from is connected. */
static void count(struct sock *sock) {
  if (sock->counted || sock->origin == NULL || !(sock->wanted & UV_READABLE))
    return;
  sock->counted = true;
  sock->origin->open[sock->lane->index]++;
  sock->lane->http->stats.open++;
}

int eh_sock_want(CURL *easy, curl_socket_t fd, int what, void *arg, void *ptr) {
  struct lane *lane = arg;
  struct sock *sock = find(lane->http, fd);
  (void)easy;
  (void)ptr;
  if (what == CURL_POLL_REMOVE) {
    if (sock != NULL)
      unwant(sock);
    return 0;
  }
  if (sock == NULL)
    sock = add(lane, fd);
  if (!poll_init(sock))
    return -1;
  sock->wanted = ((what & CURL_POLL_IN) ? UV_READABLE : 0) |
                 ((what & CURL_POLL_OUT) ? UV_WRITABLE : 0);
  count(sock);
  apply(sock, sock->wanted);
  return 0;
}
