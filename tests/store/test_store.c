/* test_store.c: which files are opened, which are refused and in what words,
 * and that a refused file is left as it is. */
#include "store/store.h"

#include "base/alloc.h"
#include "check_main.h"
#include "scratch.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static char *contents(const char *file, size_t *len) {
  FILE *in = fopen(file, "rbe");
  char *bytes = eh_malloc(1 << 20);
  ck_assert_ptr_nonnull(in);
  *len = fread(bytes, 1, 1 << 20, in);
  fclose(in);
  return bytes;
}

/* Opening must fail with code, say the words, and change nothing. */
static void refused(const struct scratch *s, int code, const char *words) {
  struct eh_store *store = (struct eh_store *)(void *)"not touched";
  struct eh_err err = {0};
  size_t before_len, after_len;
  char *before = contents(s->file, &before_len);
  char *after;
  ck_assert_int_eq(eh_store_open(s->file, &store, &err), code);
  ck_assert_int_eq(err.code, code);
  ck_assert_ptr_null(store);
  ck_assert_msg(strstr(err.msg, words) != NULL, "%s", err.msg);
  after = contents(s->file, &after_len);
  ck_assert_uint_eq(before_len, after_len);
  ck_assert_mem_eq(before, after, before_len);
  eh_free(before);
  eh_free(after);
}

static void write_file(const char *file, const char *text) {
  FILE *out = fopen(file, "we");
  ck_assert_ptr_nonnull(out);
  fputs(text, out);
  fclose(out);
}

static void make_store(const struct scratch *s, int rows) {
  struct eh_store *store = scratch_open(s);
  int64_t run = scratch_run(store);
  for (int i = 1; i <= rows; i++) {
    struct eh_store_result row = scratch_result(i);
    ck_assert_int_eq(eh_store_add(store, run, &row, NULL), 0);
  }
  ck_assert_int_eq(eh_store_commit(store, NULL), 0);
  eh_store_close(store);
}

START_TEST(new_store_leaves_one_file) {
  struct scratch s;
  scratch_make(&s);
  eh_store_close(scratch_open(&s));
  ck_assert_int_eq(scratch_count(&s), 1);
  eh_store_close(scratch_open(&s)); /* and opens again */
  ck_assert_int_eq(scratch_count(&s), 1);
  scratch_remove(&s);
}
END_TEST

START_TEST(odd_names_are_plain_files) {
  static const char *const names[] = {":memory:", "file:x?mode=memory", "a b'"};
  struct scratch s;
  char *cwd = getcwd(NULL, 0);
  scratch_make(&s);
  ck_assert_int_eq(chdir(s.folder), 0);
  for (int i = 0; i < 3; i++) {
    struct eh_store *store;
    ck_assert_int_eq(eh_store_open(names[i], &store, NULL), 0);
    eh_store_close(store);
    ck_assert_int_eq(access(names[i], F_OK), 0);
  }
  ck_assert_int_eq(chdir(cwd), 0);
  free(cwd);
  scratch_remove(&s);
}
END_TEST

START_TEST(refuses_what_is_no_database) {
  struct scratch s;
  scratch_make(&s);
  write_file(s.file, "this is a text and no database at all\n");
  refused(&s, EH_ECORRUPT, "Move it aside");
  write_file(s.file, "");
  refused(&s, EH_ECORRUPT, "empty");
  unlink(s.file);
  scratch_remove(&s);
}
END_TEST

START_TEST(refuses_damage) {
  struct scratch s;
  scratch_make(&s);
  make_store(&s, 2000);
  ck_assert_int_eq(truncate(s.file, 8192 + 100), 0);
  refused(&s, EH_ECORRUPT, "Move it aside");
  unlink(s.file);
  make_store(&s, 1);
  scratch_damage(s.file, 100, 200); /* the first page: the schema */
  refused(&s, EH_ECORRUPT, "Move it aside");
  unlink(s.file);
  make_store(&s, 1);
  scratch_damage(s.file, 0, 16);
  refused(&s, EH_ECORRUPT, "not a database");
  scratch_remove(&s);
}
END_TEST

/* The file format keeps user_version at byte 60 and application_id at 68. */
static void set_header(const char *file, off_t at, unsigned char low) {
  unsigned char bytes[4] = {0, 0, 0, low};
  int fd = open(file, O_WRONLY | O_CLOEXEC);
  ck_assert_int_eq(pwrite(fd, bytes, 4, at), 4);
  close(fd);
}

START_TEST(refuses_other_versions_and_programs) {
  struct scratch s;
  scratch_make(&s);
  make_store(&s, 1);
  set_header(s.file, 60, 2);
  refused(&s, EH_EVERSION, "newer evalhost (schema 2");
  set_header(s.file, 60, 0);
  refused(&s, EH_ECORRUPT, "tables are missing");
  set_header(s.file, 60, 1);
  eh_store_close(scratch_open(&s));
  set_header(s.file, 68, 7);
  refused(&s, EH_ECORRUPT, "another program");
  scratch_remove(&s);
}
END_TEST

START_TEST(says_when_the_folder_is_missing) {
  struct eh_store *store;
  struct eh_err err;
  ck_assert_int_eq(eh_store_open("/tmp/no-such-folder/x/s.db", &store, &err),
                   EH_ENOENT);
  ck_assert_ptr_nonnull(strstr(err.msg, "/tmp/no-such-folder/x"));
  ck_assert_int_eq(eh_store_open("/dev/null/s.db", &store, &err), EH_ENOENT);
  ck_assert_int_eq(eh_store_open("/tmp", &store, &err), EH_ECORRUPT);
}
END_TEST

/* In a child without root's rights: open must give the code. */
static void refused_to_others(const struct scratch *s, int code) {
  int status;
  pid_t child;
  fflush(NULL);
  child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    struct eh_store *store;
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0)
      _exit(99);
    _exit(eh_store_open(s->file, &store, NULL));
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status));
  ck_assert_int_eq(WEXITSTATUS(status), code);
}

START_TEST(refuses_what_cannot_be_written) {
  struct scratch s;
  scratch_make(&s);
  chmod(s.folder, 0555);
  refused_to_others(&s, EH_EREADONLY); /* no file yet */
  chmod(s.folder, 0755);
  make_store(&s, 1);
  chmod(s.file, 0666);
  chmod(s.folder, 0555);
  refused_to_others(&s, EH_EREADONLY); /* no room for the log */
  chmod(s.folder, 0777);
  refused_to_others(&s, 0);
  chmod(s.file, 0444);
  refused_to_others(&s, EH_EREADONLY);
  chmod(s.folder, 0755);
  scratch_remove(&s);
}
END_TEST

START_TEST(says_who_holds_it) {
  struct scratch s;
  struct eh_store *store;
  struct eh_err err;
  int ready[2], status;
  char words[32];
  pid_t child;
  scratch_make(&s);
  make_store(&s, 1);
  ck_assert_int_eq(pipe(ready), 0);
  fflush(NULL);
  child = fork();
  if (child == 0) { /* holds the writer's place until it is killed */
    struct eh_store_result row = scratch_result(2);
    if (eh_store_open(s.file, &store, NULL) != 0 ||
        eh_store_add(store, 1, &row, NULL) != 0 || write(ready[1], "x", 1) != 1)
      _exit(1);
    pause();
  }
  ck_assert_int_eq(read(ready[0], words, 1), 1);
  ck_assert_int_eq(eh_store_open(s.file, &store, &err), EH_EBUSY);
  snprintf(words, sizeof words, "process %d (", (int)child);
  ck_assert_msg(strstr(err.msg, words) != NULL, "%s", err.msg);
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  store = scratch_open(&s);
  ck_assert_int_eq(scratch_rows(store, 1), 1);
  eh_store_close(store);
  close(ready[0]);
  close(ready[1]);
  scratch_remove(&s);
}
END_TEST

START_TEST(makes_one_store_when_many_start_at_once) {
  struct scratch s;
  struct eh_store *store;
  pid_t children[8];
  scratch_make(&s);
  fflush(NULL);
  for (int i = 0; i < 8; i++) {
    children[i] = fork();
    if (children[i] == 0) {
      if (eh_store_open(s.file, &store, NULL) != 0)
        _exit(1);
      scratch_run(store);
      eh_store_close(store);
      _exit(0);
    }
  }
  for (int i = 0; i < 8; i++) {
    int status;
    ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  store = scratch_open(&s);
  struct eh_store_run run;
  ck_assert_int_eq(eh_store_run_find(store, "last", &run, NULL), 0);
  ck_assert_int_eq(run.run, 8);
  eh_store_run_free(&run);
  eh_store_close(store);
  ck_assert_int_eq(scratch_count(&s), 1);
  scratch_remove(&s);
}
END_TEST

/* A file size limit stands for a full disk. */
START_TEST(full_disk_loses_the_batch_and_nothing_else) {
  struct scratch s;
  struct eh_store *store;
  struct eh_err err;
  struct rlimit was, small;
  int64_t run;
  int rc = 0;
  scratch_make(&s);
  store = scratch_open(&s);
  run = scratch_run(store);
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &was);
  small = was;
  small.rlim_cur = 200000;
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
  int64_t committed = 0, added = 0;
  while (rc == 0 && added < 100000) {
    struct eh_store_result row = scratch_result(added + 1);
    rc = eh_store_add(store, run, &row, &err);
    if (rc == 0 && ++added % 50 == 0) {
      rc = eh_store_commit(store, &err);
      committed = rc == 0 ? added : committed;
    }
  }
  setrlimit(RLIMIT_FSIZE, &was);
  ck_assert_msg(rc == EH_EFULL, "%d: %s", rc, err.msg);
  ck_assert_msg(strstr(err.msg, "no space left") != NULL, "%s", err.msg);
  ck_assert_int_gt(committed, 0);
  ck_assert_int_eq(scratch_rows(store, run), committed);
  /* With space again, the same rows go in. */
  for (int64_t i = committed + 1; i <= committed + 50; i++) {
    struct eh_store_result row = scratch_result(i);
    ck_assert_int_eq(eh_store_add(store, run, &row, NULL), 0);
  }
  ck_assert_int_eq(eh_store_commit(store, NULL), 0);
  eh_store_close(store);
  store = scratch_open(&s);
  ck_assert_int_eq(scratch_rows(store, run), committed + 50);
  eh_store_close(store);
  scratch_remove(&s);
}
END_TEST

CHECK_MAIN(store, new_store_leaves_one_file, odd_names_are_plain_files,
           refuses_what_is_no_database, refuses_damage,
           refuses_other_versions_and_programs, says_when_the_folder_is_missing,
           refuses_what_cannot_be_written, says_who_holds_it,
           makes_one_store_when_many_start_at_once,
           full_disk_loses_the_batch_and_nothing_else)
