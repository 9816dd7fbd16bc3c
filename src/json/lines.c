/* lines.c: a file line by line, through one buffer. */
#include "json/lines.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define CHUNK 65536

struct eh_lines {
  int fd;
  size_t max;
  char *data; /* data[start..end) was read and not given out yet */
  size_t cap, start, end;
  size_t scanned; /* data[start..scanned) holds no newline */
  uint64_t offset;
  size_t number;
  bool eof;
  struct eh_err failed;
};

struct eh_lines *eh_lines_fd(int fd, size_t max) {
  struct eh_lines *lines = eh_calloc(1, sizeof *lines);
  lines->fd = fd;
  lines->max = max > 0 ? max : EH_MAX_LINE;
  return lines;
}

int eh_lines_open(struct eh_lines **out, const char *path, size_t max,
                  struct eh_err *err) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return eh_err_errno(err, errno, path);
  *out = eh_lines_fd(fd, max);
  return 0;
}

void eh_lines_close(struct eh_lines *lines) {
  if (lines == NULL)
    return;
  close(lines->fd);
  eh_free(lines->data);
  eh_free(lines);
}

/* Makes room for at least one more byte behind end. */
static void make_room(struct eh_lines *lines) {
  if (lines->start > 0) {
    memmove(lines->data, lines->data + lines->start, lines->end - lines->start);
    lines->end -= lines->start;
    lines->scanned -= lines->start;
    lines->start = 0;
  }
  if (lines->cap - lines->end < CHUNK / 2) {
    lines->cap = lines->cap > 0 ? lines->cap * 2 : CHUNK;
    lines->data = eh_realloc(lines->data, lines->cap);
  }
}

static int fill(struct eh_lines *lines) {
  ssize_t got;
  make_room(lines);
  do
    got = read(lines->fd, lines->data + lines->end, lines->cap - lines->end);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return eh_err_errno(&lines->failed, errno, "reading");
  lines->eof = got == 0;
  lines->end += (size_t)got;
  return 0;
}

static int too_long(struct eh_lines *lines) {
  return eh_err_at(&lines->failed, EH_ELIMIT, lines->number + 1, 1,
                   (size_t)lines->offset, "line %zu is longer than %zu bytes",
                   lines->number + 1, lines->max);
}

/* Finds the end of the line at start: *stop is its newline or the end of the
 * file. */
static int find_end(struct eh_lines *lines, size_t *stop) {
  for (;;) {
    const char *found = NULL;
    int rc;
    if (lines->scanned < lines->end)
      found = memchr(lines->data + lines->scanned, '\n',
                     lines->end - lines->scanned);
    lines->scanned = lines->end;
    *stop = found != NULL ? (size_t)(found - lines->data) : lines->end;
    if (*stop - lines->start > lines->max + 1) /* a CR may be one of them */
      return too_long(lines);
    if (found != NULL || lines->eof)
      return 0;
    if ((rc = fill(lines)) != 0)
      return rc;
  }
}

static bool blank(const char *text, size_t len) {
  for (size_t i = 0; i < len; i++)
    if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
      return false;
  return true;
}

/* Gives out data[start..stop) and moves past its newline. */
static int take(struct eh_lines *lines, size_t stop, struct eh_line *out) {
  const char *text = lines->data + lines->start;
  size_t len = stop - lines->start;
  size_t past = stop < lines->end ? stop + 1 : stop;
  if (len > 0 && text[len - 1] == '\r')
    len--;
  if (len > lines->max)
    return too_long(lines);
  *out = (struct eh_line){text, len, ++lines->number, lines->offset};
  if (lines->number == 1 && len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
    out->text += 3;
    out->len -= 3;
    out->offset += 3;
  }
  lines->offset += past - lines->start;
  lines->start = lines->scanned = past;
  return 0;
}

int eh_lines_next(struct eh_lines *lines, struct eh_line *out,
                  struct eh_err *err) {
  int rc = lines->failed.code;
  while (rc == 0) {
    size_t stop;
    rc = find_end(lines, &stop);
    if (rc == 0 && lines->eof && lines->start == lines->end) {
      *out = (struct eh_line){.number = lines->number};
      return 0;
    }
    if (rc == 0)
      rc = take(lines, stop, out);
    if (rc == 0 && !blank(out->text, out->len))
      return 0;
  }
  if (err != NULL)
    *err = lines->failed;
  return rc;
}
