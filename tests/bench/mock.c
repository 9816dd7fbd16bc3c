/* mock.c: a fixed OpenAI-style endpoint on loopback, fast enough to measure
 * its clients.
 *
 *   mock [PORT [SECONDS]]     PORT 0: any free one; it is printed
 *
 * POST [/d0|/d5|/d50|/d500][/text|/json|/judge|/tool].../chat/completions is
 * answered after that many milliseconds with one fixed completion; GET /stats
 * tells what was served. One thread, keep-alive, no pipelining. It ends after
 * SECONDS (600), with its parent, or on a signal.
 */
#include "mock_replies.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
  MAX_FDS = 20000,
  MAX_HEAD = 8192,
  MAX_REPLY = 2048,
  READ_SIZE = 65536,
  MAX_EVENTS = 512,
  LIFE_S = 600
};

/* A delay class. All its waits are equally long, so first in is first out and
 * no heap is needed. */
struct delay {
  const char *prefix;
  uint64_t ns;
  struct conn *first, *last;
};

static struct delay delays[] = {{"/d0", 0, NULL, NULL},
                                {"/d5", 5000000, NULL, NULL},
                                {"/d50", 50000000, NULL, NULL},
                                {"/d500", 500000000, NULL, NULL}};
enum { DELAYS = sizeof delays / sizeof delays[0] };

struct reply {
  char bytes[MAX_REPLY];
  size_t length;
};

struct conn {
  int fd;
  bool waiting;        /* an answer is due; further bytes are an error */
  char *head;          /* a header that came in pieces, else NULL */
  size_t head_length;  /* bytes in it */
  size_t body_left;    /* bytes of the body still to be skipped */
  struct reply *reply; /* what to send once the body is in */
  struct delay *delay; /* and how late */
  uint64_t due;        /* monotonic ns */
  struct conn *next, *previous;
};

static struct conn *conns[MAX_FDS]; /* by fd */
static struct reply replies[KINDS], missing, stats;
static uint64_t served, accepted;
static int epoll_fd = -1, listener = -1;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void die(const char *what) {
  perror(what);
  exit(1);
}

static void render(struct reply *reply, const char *status, const char *body) {
  int length = snprintf(reply->bytes, sizeof reply->bytes,
                        "HTTP/1.1 %s\r\nContent-Type: application/json\r\n"
                        "Content-Length: %zu\r\n\r\n%s",
                        status, strlen(body), body);
  if (length < 0 || (size_t)length >= sizeof reply->bytes)
    die("a reply is too long");
  reply->length = (size_t)length;
}

static void drop(struct conn *conn) {
  if (conn->waiting) {
    struct delay *delay = conn->delay;
    *(conn->previous ? &conn->previous->next : &delay->first) = conn->next;
    *(conn->next ? &conn->next->previous : &delay->last) = conn->previous;
  }
  conns[conn->fd] = NULL;
  close(conn->fd);
  free(conn->head);
  free(conn);
}

/* Sends the whole answer: it fits in a socket's buffer, or the peer is gone. */
static void answer(struct conn *conn) {
  const struct reply *reply = conn->reply;
  served += reply != &missing && reply != &stats;
  if (send(conn->fd, reply->bytes, reply->length, MSG_NOSIGNAL) !=
      (ssize_t)reply->length)
    drop(conn);
}

static void finish(struct conn *conn) {
  struct delay *delay = conn->delay;
  if (delay->ns == 0) {
    answer(conn);
    return;
  }
  conn->waiting = true;
  conn->due = now() + delay->ns;
  conn->next = NULL;
  conn->previous = delay->last;
  *(delay->last ? &delay->last->next : &delay->first) = conn;
  delay->last = conn;
}

/* Milliseconds until the next answer is due, after sending those that are. */
static int send_due(void) {
  uint64_t soonest = UINT64_MAX, at = now();
  for (size_t i = 0; i < DELAYS; i++) {
    struct delay *delay = &delays[i];
    while (delay->first != NULL && delay->first->due <= at) {
      struct conn *conn = delay->first;
      delay->first = conn->next;
      *(conn->next ? &conn->next->previous : &delay->last) = NULL;
      conn->waiting = false;
      answer(conn);
    }
    if (delay->first != NULL && delay->first->due < soonest)
      soonest = delay->first->due;
  }
  return soonest == UINT64_MAX ? -1 : (int)((soonest - at + 999999) / 1000000);
}

static bool eat(const char **path, const char *prefix) {
  size_t length = strlen(prefix);
  if (strncmp(*path, prefix, length) != 0 || (*path)[length] != '/')
    return false;
  *path += length;
  return true;
}

static struct reply *tell_stats(void) {
  char body[128];
  snprintf(body, sizeof body, "{\"requests\": %llu, \"connections\": %llu}",
           (unsigned long long)served, (unsigned long long)accepted);
  render(&stats, "200 OK", body);
  return &stats;
}

/* Chooses the answer by the request line. */
static void route(struct conn *conn, const char *line) {
  static const char suffix[] = "/chat/completions ";
  const char *path = line + 5, *end;
  conn->delay = &delays[0];
  conn->reply = &missing;
  if (strncmp(line, "GET /stats ", 11) == 0)
    conn->reply = tell_stats();
  if (strncmp(line, "POST /", 6) != 0)
    return;
  for (size_t i = 0; i < DELAYS; i++)
    if (eat(&path, delays[i].prefix)) {
      conn->delay = &delays[i];
      break;
    }
  end = strstr(path, suffix);
  if (end == NULL || end > strchr(path, '\r'))
    return;
  conn->reply = &replies[KIND_TEXT];
  for (int kind = 0; kind < KINDS; kind++)
    if (eat(&path, kinds[kind].prefix))
      conn->reply = &replies[kind];
}

/* Reads a whole header (ends with an empty line, is NUL-terminated); false
 * where its body has no plain length. */
static bool read_head(struct conn *conn, const char *head) {
  const char *length = strcasestr(head, "\r\nContent-Length:");
  route(conn, head);
  conn->body_left = length == NULL ? 0 : strtoull(length + 17, NULL, 10);
  return strcasestr(head, "\r\nTransfer-Encoding:") == NULL;
}

/* Keeps the beginning of a header for the next read; false over the cap. */
static bool keep(struct conn *conn, const char *bytes, size_t length) {
  if (conn->head == NULL)
    conn->head = malloc(MAX_HEAD);
  if (conn->head == NULL || conn->head_length + length > MAX_HEAD)
    return false;
  memcpy(conn->head + conn->head_length, bytes, length);
  conn->head_length += length;
  return true;
}

/* Takes bytes (NUL-terminated, in a buffer with room for a kept head before
 * them); false ends the connection. */
static bool take(struct conn *conn, char *bytes, size_t length) {
  if (conn->waiting)
    return false;
  if (conn->body_left == 0) {
    char *end;
    if (conn->head_length > 0) {
      bytes -= conn->head_length;
      length += conn->head_length;
      memcpy(bytes, conn->head, conn->head_length);
      conn->head_length = 0;
    }
    end = memmem(bytes, length, "\r\n\r\n", 4);
    if (end == NULL)
      return keep(conn, bytes, length);
    end[2] = '\0';
    if (!read_head(conn, bytes))
      return false;
    length -= (size_t)(end + 4 - bytes);
  }
  if (length > conn->body_left)
    return false;
  conn->body_left -= length;
  if (conn->body_left == 0)
    finish(conn);
  return true;
}

static void on_readable(struct conn *conn) {
  static char buffer[MAX_HEAD + READ_SIZE + 1];
  char *bytes = buffer + MAX_HEAD;
  ssize_t length = recv(conn->fd, bytes, READ_SIZE, 0);
  if (length < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (length > 0)
    bytes[length] = '\0';
  if (length <= 0 || !take(conn, bytes, (size_t)length))
    drop(conn);
}

static void on_connect(void) {
  for (;;) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    if (fd < 0)
      return;
    if (fd >= MAX_FDS || (conns[fd] = calloc(1, sizeof **conns)) == NULL) {
      close(fd);
      continue;
    }
    accepted++;
    conns[fd]->fd = event.data.fd = fd;
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0)
      drop(conns[fd]);
  }
}

static unsigned bind_loopback(unsigned port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  struct epoll_event event = {.events = EPOLLIN};
  int on = 1;
  listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0)
    die("socket");
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (bind(listener, (struct sockaddr *)&address, size) != 0 ||
      listen(listener, SOMAXCONN) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &size) != 0)
    die("bind");
  event.data.fd = listener;
  epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, listener, &event))
    die("epoll");
  return ntohs(address.sin_port);
}

/* Ends with the parent or after so many seconds, whatever happens. */
static void bound_life(unsigned seconds) {
  struct rlimit files;
  pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    exit(1);
  alarm(seconds);
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max < MAX_FDS ? files.rlim_max : MAX_FDS;
  setrlimit(RLIMIT_NOFILE, &files);
}

int main(int argc, char **argv) {
  unsigned port = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
  unsigned life = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : LIFE_S;
  static struct epoll_event events[MAX_EVENTS];
  if (port > 65535 || life == 0) {
    fprintf(stderr, "usage: mock [PORT [SECONDS]]\n");
    return 2;
  }
  bound_life(life);
  for (int kind = 0; kind < KINDS; kind++)
    render(&replies[kind], "200 OK", kinds[kind].body);
  render(&missing, "404 Not Found",
         "{\"error\":{\"message\":\"no such path\"}}");
  printf("%u\n", bind_loopback(port));
  fflush(stdout);
  for (;;) {
    int count = epoll_wait(epoll_fd, events, MAX_EVENTS, send_due());
    for (int i = 0; i < count; i++) {
      if (events[i].data.fd == listener)
        on_connect();
      else if (conns[events[i].data.fd] != NULL)
        on_readable(conns[events[i].data.fd]);
    }
  }
}
