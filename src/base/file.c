/* file.c: reading, listing, folders, spooling, and writing to descriptors. */
#include "base/file.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PUT_PATIENCE_MS 30000
#define CHUNK           ((size_t)64 << 10)

/* Room for what stat says, and one byte more to see the end. */
static size_t first_room(int fd, size_t max) {
  struct stat info;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 &&
      (size_t)info.st_size < max)
    return (size_t)info.st_size + 1;
  return max < CHUNK ? max : CHUNK;
}

static int read_all(int fd, const char *path, struct eh_buf *out,
                    struct eh_err *err) {
  size_t room = first_room(fd, out->max);
  for (;;) {
    ssize_t got;
    char past; /* a byte over the limit */
    bool full = out->len == out->max;
    if (!full && room > out->max - out->len)
      room = out->max - out->len;
    if (!full && eh_buf_reserve(out, room) != 0)
      return eh_err_set(err, EH_ELIMIT, "%s is too large", path);
    got = full ? read(fd, &past, 1) : read(fd, out->data + out->len, room);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return eh_err_errno(err, errno, path);
    if (got == 0)
      return 0;
    if (full)
      return eh_err_set(err, EH_ELIMIT, "%s is larger than %zu bytes", path,
                        out->max);
    out->len += (size_t)got;
    out->data[out->len] = '\0';
    room = CHUNK;
  }
}

int eh_file_read(const char *path, struct eh_buf *out, struct eh_err *err) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  int rc;
  if (fd < 0)
    return eh_err_errno(err, errno, path);
  eh_buf_clear(out);
  rc = read_all(fd, path, out, err);
  close(fd);
  return rc;
}

static int make_folder(const char *path, struct eh_err *err) {
  struct stat info;
  int errnum;
  if (mkdir(path, 0777) == 0)
    return 0;
  errnum = errno;
  if (errnum == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
    return 0;
  /* Some file systems speak of permissions before they see that it exists. */
  if (errnum != EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
    return 0;
  return eh_err_errno(err, errnum, path);
}

int eh_file_mkdir(const char *path, struct eh_err *err) {
  char *part = eh_strdup(path);
  int rc = 0;
  for (char *at = part + 1; part[0] != '\0' && *at != '\0' && rc == 0; at++) {
    if (*at != '/' || at[-1] == '/')
      continue;
    *at = '\0';
    rc = make_folder(part, err);
    *at = '/';
  }
  if (rc == 0)
    rc = make_folder(part, err);
  eh_free(part);
  return rc;
}

static int by_bytes(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts the NUL-terminated names in out. */
static void sort_names(struct eh_buf *out, size_t count) {
  char **names = eh_calloc(count, sizeof *names);
  struct eh_buf sorted;
  const char *at = out->data;
  eh_buf_init(&sorted, out->max);
  for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
    names[i] = (char *)(uintptr_t)at;
  qsort(names, count, sizeof *names, by_bytes);
  for (size_t i = 0; i < count; i++)
    (void)eh_buf_add(&sorted, names[i], strlen(names[i]) + 1);
  eh_free(names);
  eh_buf_free(out);
  *out = sorted;
}

int eh_file_list(const char *path, struct eh_buf *out, struct eh_err *err) {
  DIR *dir = opendir(path);
  const struct dirent *entry;
  size_t count = 0;
  int rc = 0;
  eh_buf_clear(out);
  if (dir == NULL)
    return eh_err_errno(err, errno, path);
  while (rc == 0 && (errno = 0, entry = readdir(dir)) != NULL) {
    const char *name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
      continue;
    rc = eh_buf_add(out, name, strlen(name) + 1);
    count++;
  }
  if (rc != 0)
    eh_err_set(err, rc, "%s holds too many names", path);
  else if (errno != 0)
    rc = eh_err_errno(err, errno, path);
  else if (count > 0)
    sort_names(out, count);
  closedir(dir);
  return rc;
}

int eh_file_put(int fd, const void *bytes, size_t len, const char *name,
                struct eh_err *err) {
  const char *at = bytes;
  uint64_t until = 0;
  while (len > 0) {
    struct pollfd ready = {.fd = fd, .events = POLLOUT};
    ssize_t put = write(fd, at, len);
    if (put >= 0) {
      at += put;
      len -= (size_t)put;
      until = 0;
      continue;
    }
    if (errno == EINTR)
      continue;
    if (errno == EPIPE)
      return eh_err_set(err, EH_ERESET, "%s: the reader has gone", name);
    if (errno != EAGAIN)
      return eh_err_errno(err, errno, name);
    if (until == 0)
      until = eh_clock_mono() + PUT_PATIENCE_MS * EH_NS_PER_MS;
    if (eh_clock_mono() >= until)
      return eh_err_set(err, EH_ETIMEOUT, "%s: nobody reads", name);
    (void)poll(&ready, 1, 1000);
  }
  return 0;
}

static int copy_all(int from, int to, const char *source, const char *target,
                    struct eh_err *err) {
  char *chunk = eh_malloc(CHUNK);
  ssize_t got;
  int rc = 0;
  while (rc == 0 && (got = read(from, chunk, CHUNK)) != 0) {
    if (got > 0)
      rc = eh_file_put(to, chunk, (size_t)got, target, err);
    else if (errno != EINTR)
      rc = eh_err_errno(err, errno, source);
  }
  eh_free(chunk);
  return rc;
}

int eh_file_spool(const char *path, struct eh_buf *out, struct eh_err *err) {
  bool is_stdin = strcmp(path, "-") == 0;
  const char *folder = getenv("TMPDIR");
  int from, to, rc;
  eh_buf_clear(out);
  if (folder == NULL || folder[0] == '\0')
    folder = "/tmp";
  if (eh_buf_addf(out, "%s/evalhost-XXXXXX", folder) != 0)
    return eh_err_set(err, EH_ELIMIT, "TMPDIR is too long");
  from = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (from < 0)
    return eh_err_errno(err, errno, path);
  to = mkostemp(out->data, O_CLOEXEC);
  if (to < 0) {
    rc = eh_err_errno(err, errno, out->data);
  } else {
    rc = copy_all(from, to, is_stdin ? "stdin" : path, out->data, err);
    if (close(to) != 0 && rc == 0)
      rc = eh_err_errno(err, errno, out->data);
    if (rc != 0)
      unlink(out->data);
  }
  if (!is_stdin)
    close(from);
  return rc;
}
