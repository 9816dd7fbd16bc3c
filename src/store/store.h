/* store.h: runs and their results, durable in one SQLite file.
 *
 * Ownership: a store, and a cursor, belong to the caller who opened them and
 * closes them; a struct eh_store_run that a function filled owns its texts
 * until eh_store_run_free. Texts given to a function are only borrowed for
 * the call; texts in a result that a cursor gives are borrowed until its next
 * step.
 *
 * Durable means: once eh_store_commit (or a call that commits) has returned
 * 0, the rows survive a kill and a power loss. A function that fails leaves
 * nothing behind that could later pass for a success. Errors:
 *   EH_ECORRUPT not a store, damaged     EH_EVERSION  a newer schema
 *   EH_EREADONLY, EH_EPERM, EH_ENOENT    the place cannot be written
 *   EH_EBUSY    another holds the store longer than the patience
 *   EH_EFULL    no space (may be retried) EH_EIO      anything else
 * A store is used from one thread. Several stores, in one process or many,
 * may have the same file open. */
#ifndef EH_STORE_STORE_H
#define EH_STORE_STORE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eh_store;
struct eh_store_cursor;

/* len bytes at ptr, not necessarily terminated. */
struct eh_store_text {
  const char *ptr;
  size_t len;
};

/* A run. Times are microseconds since 1970 UTC; header and summary are JSON
 * text. */
struct eh_store_run {
  int64_t run; /* its number in this file, > 0; later runs have larger ones */
  struct eh_store_text id, suite, target, status, header, summary;
  int64_t started_at;
  bool finished; /* else exit_code and finished_at mean nothing */
  int exit_code;
  int64_t finished_at;
  char *memory; /* what the texts point into; NULL when borrowed */
};

/* One attempt at one case. */
struct eh_store_result {
  int64_t seq;    /* order of arrival in the file; set by the store */
  int64_t idx;    /* the place of the case in the run */
  int64_t repeat; /* which attempt at it */
  struct eh_store_text case_id, verdict;
  bool scored; /* else score means nothing */
  double score;
  struct eh_store_text figures; /* the numbers for statistics, as JSON */
  struct eh_store_text record;  /* the whole canonical case, as JSON */
};

/* Opens the store at path, made if there is no file; its folder must exist.
 * Checks that it can be written, so that a caller knows before paying for
 * anything. Never replaces a file, whatever is in it. */
int eh_store_open(const char *path, struct eh_store **out, struct eh_err *err);

/* Closes; rows that were not committed are gone. NULL is allowed. */
void eh_store_close(struct eh_store *store);

/* How long to wait for another writer; 5,000 ms from the start. */
void eh_store_patience(struct eh_store *store, int ms);

/* Makes all rows added so far durable; with none, does nothing. When it
 * fails, none of them is in the store. */
int eh_store_commit(struct eh_store *store, struct eh_err *err);

/* Drops all rows added since the last commit. */
void eh_store_abort(struct eh_store *store);

/* "20261121T230102-3f9a1c": sorts by time to the second. */
#define EH_STORE_RUN_ID_SIZE 23
void eh_store_run_id(char out[EH_STORE_RUN_ID_SIZE], int64_t wall_us,
                     uint32_t random);

/* Enters a run with the status "running" and commits, together with what was
 * added before. Reads id (empty: one is made that is not taken), suite,
 * target, started_at and header of *run; sets run->run, and fills id_out.
 * EH_EEXIST if the given id is taken. */
int eh_store_run_begin(struct eh_store *store, struct eh_store_run *run,
                       char id_out[EH_STORE_RUN_ID_SIZE], struct eh_err *err);

/* Writes status, exit_code, finished_at and summary of the run run->run, and
 * commits, together with what was added before. */
int eh_store_run_finish(struct eh_store *store, const struct eh_store_run *run,
                        struct eh_err *err);

/* Finds a run by id, by the beginning of one, or as "last". EH_ENOENT if
 * there is none, EH_EARG if several begin like this. */
int eh_store_run_find(struct eh_store *store, const char *key,
                      struct eh_store_run *out, struct eh_err *err);

/* The youngest run older than number `before` (INT64_MAX: the youngest);
 * out->run is 0 if there is none. */
int eh_store_run_older(struct eh_store *store, int64_t before,
                       struct eh_store_run *out, struct eh_err *err);

/* Releases the texts; harmless on a zeroed or freed one. */
void eh_store_run_free(struct eh_store_run *run);

/* Adds a result to run, not yet durable. EH_EEXIST (the attempt is in the
 * store already) and EH_ELIMIT (a text is too long) touch this row only;
 * after any other error everything since the last commit is gone. */
int eh_store_add(struct eh_store *store, int64_t run,
                 const struct eh_store_result *result, struct eh_err *err);

/* How many results of the run have which verdict: calls visit for each. */
int eh_store_count(struct eh_store *store, int64_t run,
                   void (*visit)(void *context, const char *verdict,
                                 int64_t count),
                   void *context, struct eh_err *err);

/* The one way to read results: those of a run that were committed when the
 * first step was made, in case order (idx, then repeat), streamed. A cursor
 * is independent of the store that opened it: writing goes on beside it, and
 * it may outlive the store. While it is open the file cannot be tidied, so
 * it should not stay open for long. Without records, `record` is empty and
 * its pages are not read. */
int eh_store_cursor_open(struct eh_store *store, int64_t run, bool records,
                         struct eh_store_cursor **out, struct eh_err *err);

/* Gives the next result; *more is false after the last one. */
int eh_store_cursor_next(struct eh_store_cursor *cursor,
                         struct eh_store_result *out, bool *more,
                         struct eh_err *err);

void eh_store_cursor_close(struct eh_store_cursor *cursor);

#endif
