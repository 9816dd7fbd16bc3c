/* csv_file.c: the CSV reader on a file. */
#include "text/csv_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_SIZE ((size_t)128 << 10)

int eh_csv_file_open(struct eh_csv_file *file, const char *path,
                     const struct eh_csv_options *options, struct eh_err *err) {
  struct stat info;
  file->csv = NULL;
  do
    file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  while (file->fd < 0 && errno == EINTR);
  if (file->fd < 0)
    return eh_err_errno(err, errno, path);
  if (fstat(file->fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    eh_csv_file_close(file);
    return eh_err_errno(err, EISDIR, path);
  }
  file->csv = eh_csv_new(options);
  return 0;
}

static void io_problem(struct eh_csv_problem *problem, int errnum) {
  memset(problem, 0, sizeof *problem);
  eh_err_errno(&problem->err, errnum, "reading the file");
  problem->kind = EH_CSV_IO;
  problem->hint = "";
  problem->fatal = true;
}

enum eh_csv_event eh_csv_file_next(struct eh_csv_file *file,
                                   struct eh_csv_row *row,
                                   struct eh_csv_problem *problem) {
  enum eh_csv_event event;
  while ((event = eh_csv_next(file->csv, row, problem)) == EH_CSV_MORE) {
    char *space = eh_csv_space(file->csv, READ_SIZE);
    ssize_t got = read(file->fd, space, READ_SIZE);
    if (got > 0) {
      eh_csv_filled(file->csv, (size_t)got);
    } else if (got == 0) {
      eh_csv_finish(file->csv);
    } else if (errno != EINTR) {
      io_problem(problem, errno);
      eh_csv_stop(file->csv);
      return EH_CSV_PROBLEM;
    }
  }
  return event;
}

void eh_csv_file_close(struct eh_csv_file *file) {
  if (file->fd >= 0)
    close(file->fd);
  eh_csv_free(file->csv);
  file->fd = -1;
  file->csv = NULL;
}
