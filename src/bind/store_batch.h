/* store_batch.h: open stores, and the rows that wait for a commit: what is
 * behind store.c and store_run.c. No Lua here. All of it is called on the
 * loop's thread. */
#ifndef EH_BIND_STORE_BATCH_H
#define EH_BIND_STORE_BATCH_H

#include "bind/store.h"
#include "store/store.h"
#include "vm/fiber.h"

struct eh_batch;
struct eh_batch_row;

/* A wait for one row. It may end before the row is committed (eh_batch_leave);
 * the row is committed all the same. */
struct eh_batch_wait {
  struct eh_op op;
  struct eh_batch_row *row; /* NULL when there is nothing to wait for */
  struct eh_err err;        /* code 0: the row is durable */
};

/* The store at path; whoever opens the same file shares one handle. */
int eh_batch_open(struct eh_store_bind *bind, const char *path,
                  struct eh_batch **out, struct eh_err *err);

/* Gives a handle back. The last one commits what is pending first; fails if
 * that fails, but is closed in any case. */
int eh_batch_close(struct eh_batch *batch, struct eh_err *err);

/* The store, for calls before the next turn of the loop: waits for a commit
 * that is under way, whose thread has the store until it ends. */
struct eh_store *eh_batch_store(struct eh_batch *batch);

/* Copies the result into the rows that wait. Fails at once if a failure for
 * good was seen before. */
int eh_batch_put(struct eh_batch *batch, int64_t run,
                 const struct eh_store_result *result,
                 struct eh_batch_wait *wait, struct eh_err *err);

/* The wait has ended before its row; harmless at any time. */
void eh_batch_leave(struct eh_batch_wait *wait);

/* Commits what is pending, now. */
int eh_batch_flush(struct eh_batch *batch, struct eh_err *err);

/* Why commits fail at present, or have failed for good; NULL if they do not. */
const struct eh_err *eh_batch_trouble(const struct eh_batch *batch);

#endif
