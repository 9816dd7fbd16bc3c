/* store_commit.h: one open store and its rows on their way into it. Private
 * to store_batch.c, which collects rows and says when it is time to commit,
 * and store_commit.c, which does that.
 *
 * While a commit is under way the store, the rows in writing and the attempt
 * belong to another thread; all else, and of those rows the wait, is only
 * ever touched on the loop's thread. */
#ifndef EH_BIND_STORE_COMMIT_H
#define EH_BIND_STORE_COMMIT_H

#include "base/list.h"
#include "bind/store_batch.h"
#include "net/loop.h"

#include <sys/types.h>

struct eh_batch {
  struct eh_list link;
  struct eh_loop *loop;
  struct eh_store *store;
  dev_t device; /* which file it is */
  ino_t inode;
  size_t handles;
  struct eh_list rows;    /* for the next commit */
  size_t pending;         /* how many these are */
  struct eh_list writing; /* in a commit that is under way, or has failed and
                             is tried again */
  size_t waiting;         /* rows that a fiber waits for */
  struct eh_work *work;   /* the commit under way, or NULL */
  struct {
    uint64_t start; /* eh_clock_mono's time, or what a test says it is */
    uint64_t took;
    struct eh_err err; /* code 0: committed */
  } attempt;
  uint64_t due;   /* no commit before, unless nobody can join */
  uint64_t since; /* when the trouble began */
  bool lost;      /* the trouble is for good */
  struct eh_err trouble;
};

struct eh_batch_row {
  struct eh_list link;
  struct eh_batch *batch;
  struct eh_batch_wait *wait; /* NULL when nobody waits any more */
  int64_t run;
  struct eh_store_result result; /* its texts are in text */
  struct eh_err err;             /* of this row alone */
  char text[];
};

/* Is there anything to commit, with none under way? */
bool eh_commit_wanted(const struct eh_batch *batch);

/* Starts the commit of all rows: one at a time. When it has ended, the waits
 * have, or trouble and due are set. */
void eh_commit_start(struct eh_batch *batch, uint64_t now);

/* Waits for the commit under way, if there is one. */
void eh_commit_join(struct eh_batch *batch);

/* Commits all rows before it returns. Fails if the store is lost. */
int eh_commit_now(struct eh_batch *batch, struct eh_err *err);

/* Says why the store is lost; returns the code. */
int eh_commit_lost(const struct eh_batch *batch, struct eh_err *err);

/* Ends all waits, with the row's own error or else with err (NULL: the row is
 * durable), and drops the rows. */
void eh_commit_end(struct eh_list *rows, const struct eh_err *err);

#endif
