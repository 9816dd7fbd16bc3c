/* file.h: whole files: reading, listing, and writing so that a reader sees
 * the old text or the new one and never a part.
 *
 * The caller owns the buffers and the writer. */
#ifndef EH_BASE_FILE_H
#define EH_BASE_FILE_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* The most that is read when the caller names no limit. */
#define EH_MAX_FILE_TEXT ((size_t)1 << 30)

/* Replaces *out by the bytes of the file; EH_ELIMIT beyond out->max. */
int eh_file_read(const char *path, struct eh_buf *out, struct eh_err *err);

/* Makes the folder and its parents; fine if it is there. */
int eh_file_mkdir(const char *path, struct eh_err *err);

/* Replaces *out by the names in a folder, sorted by bytes, each with its NUL;
 * without "." and "..". */
int eh_file_list(const char *path, struct eh_buf *out, struct eh_err *err);

/* Copies path ("-" for stdin) into a new temporary file, which the caller
 * removes, and replaces *out by its name. */
int eh_file_spool(const char *path, struct eh_buf *out, struct eh_err *err);

/* Writes all bytes to fd, also where it would block (waits up to 30 s for a
 * reader). EH_ERESET if the reader has gone; SIGPIPE must be ignored. */
int eh_file_put(int fd, const void *bytes, size_t len, const char *name,
                struct eh_err *err);

/* A file that gets its name when it is complete. A path that is there and no
 * plain file (a pipe, /dev/stdout) is written directly. */
struct eh_file_writer {
  char *path; /* the final name; NULL when closed */
  char *temp; /* the name until then; NULL when written directly */
  int fd;
  struct eh_buf wait; /* bytes not yet written */
};

/* Begins; missing parent folders are made. The mode of a file that is
 * replaced is kept; links are followed. On failure *writer is closed. */
int eh_file_writer_open(struct eh_file_writer *writer, const char *path,
                        struct eh_err *err);

/* After a failure only abort is of use. */
int eh_file_writer_add(struct eh_file_writer *writer, const void *bytes,
                       size_t len, struct eh_err *err);

/* Makes the text durable under its name, and closes; on failure the name
 * still has the old text, if any. */
int eh_file_writer_commit(struct eh_file_writer *writer, struct eh_err *err);

/* Closes and leaves no trace; harmless on a closed or zeroed one. */
void eh_file_writer_abort(struct eh_file_writer *writer);

#endif
