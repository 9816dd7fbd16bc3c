/* store_commit.c: a commit of many rows, beside the loop.
 *
 * Rows were copied and are written by the attempt that commits them. So the
 * file is locked for the commit only, and when that fails for want of space
 * they are still here to be tried again. */
#include "bind/store_commit.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <assert.h>

#define COMMIT_EVERY_NS (20 * EH_NS_PER_MS)
#define RETRY_NS        (250 * EH_NS_PER_MS)
#define RETRY_FOR_NS    (60 * EH_NS_PER_S)
/* How long a commit may wait for another writer: one beside the loop, which a
 * script may come to wait for, and one that a script asked for. */
#define LOOP_PATIENCE_MS 20
#define CALL_PATIENCE_MS 5000

void eh_commit_end(struct eh_list *rows, const struct eh_err *err) {
  while (!eh_list_empty(rows)) {
    struct eh_batch_row *row =
        EH_CONTAINER(rows->next, struct eh_batch_row, link);
    struct eh_batch_wait *wait = row->wait;
    if (wait != NULL) {
      eh_batch_leave(wait);
      wait->err = row->err;
      if (err != NULL && row->err.code == 0)
        wait->err = *err;
      eh_op_done(&wait->op);
    }
    eh_list_remove(&row->link);
    eh_free(row);
  }
}

/* Writes and commits the rows. A row that cannot be stored for a reason of
 * its own (there already, too long) does not stop the others. */
static int write_rows(struct eh_batch *batch, struct eh_err *err) {
  for (struct eh_list *at = batch->writing.next; at != &batch->writing;
       at = at->next) {
    struct eh_batch_row *row = EH_CONTAINER(at, struct eh_batch_row, link);
    int rc = eh_store_add(batch->store, row->run, &row->result, err);
    row->err.code = 0;
    if (rc == EH_EEXIST || rc == EH_ELIMIT)
      row->err = *err;
    else if (rc != 0)
      return rc;
  }
  return eh_store_commit(batch->store, err);
}

/* Beside the loop, as a rule: what is touched here is in the head of
 * store_commit.h. */
static void attempt(void *arg) {
  struct eh_batch *batch = arg;
  uint64_t start = eh_clock_mono();
  if (write_rows(batch, &batch->attempt.err) == 0)
    batch->attempt.err.code = 0;
  batch->attempt.took = eh_clock_mono() - start;
}

/* Is the failure one that may pass, and still young enough? */
static bool may_pass(struct eh_batch *batch, int code, uint64_t now) {
  if (code != EH_EFULL && code != EH_EBUSY)
    return false;
  if (batch->trouble.code == 0)
    batch->since = now;
  return now - batch->since < RETRY_FOR_NS;
}

/* The attempt has ended: draws the consequences, on the loop's thread. */
static void settle(void *arg) {
  struct eh_batch *batch = arg;
  const struct eh_err *err = &batch->attempt.err;
  uint64_t end = batch->attempt.start + batch->attempt.took;
  batch->work = NULL;
  eh_store_patience(batch->store, CALL_PATIENCE_MS);
  if (err->code == 0) {
    eh_commit_end(&batch->writing, NULL);
    batch->trouble.code = 0;
    batch->due = end + COMMIT_EVERY_NS;
  } else if (may_pass(batch, err->code, batch->attempt.start)) {
    batch->trouble = *err;
    batch->due = end + RETRY_NS;
  } else if (err->code == EH_EBUSY) {
    /* A busy file is forgiven: it holds nothing that could be wrong. */
    eh_commit_end(&batch->writing, err);
    batch->trouble.code = 0;
  } else {
    /* No later success is taken for these rows, or for any. */
    batch->lost = true;
    batch->trouble = *err;
    eh_commit_end(&batch->writing, err);
    eh_commit_end(&batch->rows, err);
    batch->pending = 0;
  }
}

static void prepare(struct eh_batch *batch, uint64_t now) {
  assert(batch->work == NULL);
  while (!eh_list_empty(&batch->rows)) {
    struct eh_list *row = batch->rows.next;
    eh_list_remove(row);
    eh_list_add(&batch->writing, row);
  }
  batch->pending = 0;
  batch->attempt.start = now;
}

bool eh_commit_wanted(const struct eh_batch *batch) {
  return batch->work == NULL &&
         (batch->pending > 0 || !eh_list_empty(&batch->writing));
}

void eh_commit_start(struct eh_batch *batch, uint64_t now) {
  prepare(batch, now);
  eh_store_patience(batch->store, LOOP_PATIENCE_MS);
  batch->work = eh_loop_work(batch->loop, attempt, settle, batch);
}

void eh_commit_join(struct eh_batch *batch) {
  if (batch->work != NULL)
    eh_loop_join(batch->work);
}

int eh_commit_lost(const struct eh_batch *batch, struct eh_err *err) {
  if (err != NULL)
    *err = batch->trouble;
  return batch->trouble.code;
}

int eh_commit_now(struct eh_batch *batch, struct eh_err *err) {
  eh_commit_join(batch);
  if (batch->lost)
    return eh_commit_lost(batch, err);
  if (!eh_commit_wanted(batch))
    return 0;
  prepare(batch, eh_clock_mono());
  attempt(batch);
  settle(batch);
  if (batch->attempt.err.code != 0 && err != NULL)
    *err = batch->attempt.err;
  return batch->attempt.err.code;
}
