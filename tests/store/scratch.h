/* scratch.h: a folder for one test, and short ways to fill a store. */
#ifndef EH_TESTS_STORE_SCRATCH_H
#define EH_TESTS_STORE_SCRATCH_H

#include "store/store.h"

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct scratch {
  char folder[64];
  char file[96]; /* folder/store.db */
};

static inline void scratch_make(struct scratch *s) {
  strcpy(s->folder, "/tmp/evalhost-test-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(s->folder));
  snprintf(s->file, sizeof s->file, "%s/store.db", s->folder);
}

/* How many entries the folder has. */
static inline int scratch_count(const struct scratch *s) {
  DIR *dir = opendir(s->folder);
  int count = -2; /* . and .. */
  ck_assert_ptr_nonnull(dir);
  while (readdir(dir) != NULL)
    count++;
  closedir(dir);
  return count;
}

static inline void scratch_remove(const struct scratch *s) {
  DIR *dir = opendir(s->folder);
  const struct dirent *entry;
  ck_assert_ptr_nonnull(dir);
  while ((entry = readdir(dir)) != NULL)
    unlinkat(dirfd(dir), entry->d_name, 0);
  closedir(dir);
  ck_assert_int_eq(rmdir(s->folder), 0);
}

static inline struct eh_store *scratch_open(const struct scratch *s) {
  struct eh_store *store;
  struct eh_err err = {0};
  int rc = eh_store_open(s->file, &store, &err);
  ck_assert_msg(rc == 0, "%s", err.msg);
  return store;
}

static inline struct eh_store_text text_of(const char *text) {
  return (struct eh_store_text){text, strlen(text)};
}

#define ck_assert_text(text, expected)                                         \
  do {                                                                         \
    ck_assert_uint_eq((text).len, strlen(expected));                           \
    ck_assert_mem_eq((text).ptr, expected, (text).len);                        \
  } while (0)

static inline int64_t scratch_run(struct eh_store *store) {
  struct eh_store_run run = {.suite = text_of("suite"),
                             .target = text_of("target"),
                             .started_at = 1000000,
                             .header = text_of("{}")};
  char id[EH_STORE_RUN_ID_SIZE];
  struct eh_err err = {0};
  int rc = eh_store_run_begin(store, &run, id, &err);
  ck_assert_msg(rc == 0, "%s", err.msg);
  return run.run;
}

static inline struct eh_store_result scratch_result(int64_t idx) {
  return (struct eh_store_result){.idx = idx,
                                  .repeat = 1,
                                  .case_id = text_of("a"),
                                  .verdict = text_of("pass"),
                                  .figures = text_of("[1]"),
                                  .record = text_of("{\"id\":\"a\"}")};
}

static inline int64_t scratch_rows(struct eh_store *store, int64_t run) {
  struct eh_store_cursor *cursor;
  struct eh_store_result row;
  int64_t rows = 0;
  bool more;
  ck_assert_int_eq(eh_store_cursor_open(store, run, false, &cursor, NULL), 0);
  while (eh_store_cursor_next(cursor, &row, &more, NULL) == 0 && more)
    rows++;
  eh_store_cursor_close(cursor);
  return rows;
}

/* Overwrites len bytes of a file with '#'. */
static inline void scratch_damage(const char *file, off_t at, size_t len) {
  int fd = open(file, O_WRONLY | O_CLOEXEC);
  ck_assert_int_ge(fd, 0);
  for (size_t i = 0; i < len; i++)
    ck_assert_int_eq(pwrite(fd, "#", 1, at + (off_t)i), 1);
  close(fd);
}

#endif
