/* csv_file.h: reading a CSV file, in bounded memory.
 *
 * The caller owns the struct; a closed one has fd == -1 and csv == NULL. */
#ifndef EH_TEXT_CSV_FILE_H
#define EH_TEXT_CSV_FILE_H

#include "text/csv.h"

struct eh_csv_file {
  int fd;
  struct eh_csv *csv;
};

/* Opens a file (close-on-exec). options as in eh_csv_new. Returns 0,
 * EH_ENOENT, EH_EPERM or EH_EIO; after a failure the struct is closed. */
int eh_csv_file_open(struct eh_csv_file *file, const char *path,
                     const struct eh_csv_options *options, struct eh_err *err);

/* As eh_csv_next, but never EH_CSV_MORE: reads what it needs (blocking). A
 * read that fails is a fatal problem of kind EH_CSV_IO. */
enum eh_csv_event eh_csv_file_next(struct eh_csv_file *file,
                                   struct eh_csv_row *row,
                                   struct eh_csv_problem *problem);

/* Closing twice is harmless. */
void eh_csv_file_close(struct eh_csv_file *file);

#endif
