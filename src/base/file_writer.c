/* file_writer.c: files that get their name when they are complete. */
#include "base/file.h"

#include "base/alloc.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAIT_SIZE ((size_t)64 << 10)
#define TRIES     8

/* The folder of path as an owned text; "." for the working folder. */
static char *folder_of(const char *path) {
  size_t len = eh_path_folder(path);
  return len > 0 ? eh_strndup(path, len) : eh_strdup(".");
}

/* A new file beside path, hidden, with the mode that umask gives. */
static int open_temp(struct eh_file_writer *writer, struct eh_err *err) {
  size_t name_len, size = strlen(writer->path) + 32;
  const char *name = eh_path_name(writer->path, &name_len);
  int errnum = EEXIST;
  writer->temp = eh_malloc(size);
  for (int i = 0; i < TRIES && errnum == EEXIST; i++) {
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) != sizeof random)
      random = (uint64_t)getpid() + (uint64_t)i;
    /* A long name is cut so that the temporary one still fits. */
    snprintf(writer->temp, size, "%.*s.%.*s.%016llx",
             (int)(name - writer->path), writer->path,
             (int)(name_len > 200 ? 200 : name_len), name,
             (unsigned long long)random);
    writer->fd =
        open(writer->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    errnum = writer->fd >= 0 ? 0 : errno;
  }
  if (errnum == 0)
    return 0;
  eh_free(writer->temp);
  writer->temp = NULL;
  return eh_err_errno(err, errnum, writer->path);
}

/* Something that is no plain file cannot be replaced; it is written to. */
static int open_direct(struct eh_file_writer *writer, mode_t mode,
                       struct eh_err *err) {
  if (S_ISDIR(mode))
    return eh_err_errno(err, EISDIR, writer->path);
  writer->fd = open(writer->path, O_WRONLY | O_CLOEXEC);
  return writer->fd >= 0 ? 0 : eh_err_errno(err, errno, writer->path);
}

static int open_beside(struct eh_file_writer *writer, struct eh_err *err) {
  char *folder = folder_of(writer->path);
  int rc = eh_file_mkdir(folder, err);
  eh_free(folder);
  return rc == 0 ? open_temp(writer, err) : rc;
}

int eh_file_writer_open(struct eh_file_writer *writer, const char *path,
                        struct eh_err *err) {
  struct stat info;
  size_t name_len;
  int rc;
  memset(writer, 0, sizeof *writer);
  writer->fd = -1;
  eh_buf_init(&writer->wait, WAIT_SIZE);
  eh_path_name(path, &name_len);
  if (name_len == 0 || path[strlen(path) - 1] == '/')
    return eh_err_set(err, EH_EARG, "\"%s\" names no file", path);
  if (stat(path, &info) == 0) {
    /* Through a link to the file itself; else the link would be replaced. */
    char *real = S_ISREG(info.st_mode) ? realpath(path, NULL) : NULL;
    writer->path = real != NULL ? real : eh_strdup(path);
    rc = S_ISREG(info.st_mode) ? open_temp(writer, err)
                               : open_direct(writer, info.st_mode, err);
    if (rc == 0 && writer->temp != NULL)
      (void)fchmod(writer->fd, info.st_mode & 07777);
  } else {
    writer->path = eh_strdup(path);
    rc = open_beside(writer, err);
  }
  if (rc != 0)
    eh_file_writer_abort(writer);
  return rc;
}

static int put_waiting(struct eh_file_writer *writer, struct eh_err *err) {
  int rc = eh_file_put(writer->fd, writer->wait.data, writer->wait.len,
                       writer->path, err);
  eh_buf_clear(&writer->wait);
  return rc;
}

int eh_file_writer_add(struct eh_file_writer *writer, const void *bytes,
                       size_t len, struct eh_err *err) {
  int rc;
  if (eh_buf_add(&writer->wait, bytes, len) == 0)
    return 0;
  rc = put_waiting(writer, err);
  if (rc != 0 || eh_buf_add(&writer->wait, bytes, len) == 0)
    return rc;
  return eh_file_put(writer->fd, bytes, len, writer->path, err);
}

/* The new name is durable when its folder is. */
static int sync_folder(const char *path, struct eh_err *err) {
  char *folder = folder_of(path);
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int rc = 0;
  /* Some file systems cannot sync folders and say EINVAL. */
  if (fd < 0 || (fsync(fd) != 0 && errno != EINVAL))
    rc = eh_err_errno(err, errno, folder);
  if (fd >= 0)
    close(fd);
  eh_free(folder);
  return rc;
}

int eh_file_writer_commit(struct eh_file_writer *writer, struct eh_err *err) {
  int rc = put_waiting(writer, err);
  int fd = writer->fd;
  if (rc == 0 && writer->temp != NULL && fsync(fd) != 0)
    rc = eh_err_errno(err, errno, writer->path);
  writer->fd = -1;
  if (close(fd) != 0 && rc == 0)
    rc = eh_err_errno(err, errno, writer->path);
  if (rc == 0 && writer->temp != NULL) {
    if (rename(writer->temp, writer->path) != 0)
      rc = eh_err_errno(err, errno, writer->path);
    else {
      eh_free(writer->temp);
      writer->temp = NULL;
      rc = sync_folder(writer->path, err);
    }
  }
  eh_file_writer_abort(writer);
  return rc;
}

void eh_file_writer_abort(struct eh_file_writer *writer) {
  if (writer->path == NULL)
    return;
  if (writer->fd >= 0)
    close(writer->fd);
  if (writer->temp != NULL)
    unlink(writer->temp);
  eh_free(writer->temp);
  eh_free(writer->path);
  eh_buf_free(&writer->wait);
  memset(writer, 0, sizeof *writer);
  writer->fd = -1;
}
