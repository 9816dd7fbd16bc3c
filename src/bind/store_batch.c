/* store_batch.c: rows of many fibers in one commit.
 *
 * Rows are copied and written in the turn that commits them. So the file is
 * locked for the commit only, and when the commit fails for want of space
 * they are still here to be tried again. */
#include "bind/store_batch.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/list.h"

#include <assert.h>
#include <string.h>
#include <sys/stat.h>

#define COMMIT_EVERY_NS (20 * EH_NS_PER_MS)
#define COMMIT_ROWS     1000
#define RETRY_NS        (250 * EH_NS_PER_MS)
#define RETRY_FOR_NS    (60 * EH_NS_PER_S)
/* How long a commit of the loop's may block for another writer, and one that
 * a script asked for. */
#define TURN_PATIENCE_MS 20
#define CALL_PATIENCE_MS 5000

struct eh_store_bind {
  struct eh_list batches;
};

struct eh_batch {
  struct eh_list link;
  struct eh_store *store;
  dev_t device; /* which file it is */
  ino_t inode;
  size_t handles;
  struct eh_list rows;
  size_t pending; /* rows */
  size_t waiting; /* rows that a fiber waits for */
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

struct eh_store_bind *eh_store_bind_new(void) {
  struct eh_store_bind *bind = eh_malloc(sizeof *bind);
  eh_list_init(&bind->batches);
  return bind;
}

void eh_store_bind_free(struct eh_store_bind *bind) {
  if (bind == NULL)
    return;
  assert(eh_list_empty(&bind->batches)); /* the states were closed before */
  eh_free(bind);
}

static struct eh_batch *find_open(struct eh_store_bind *bind,
                                  const struct stat *file) {
  for (struct eh_list *at = bind->batches.next; at != &bind->batches;
       at = at->next) {
    struct eh_batch *batch = EH_CONTAINER(at, struct eh_batch, link);
    if (batch->device == file->st_dev && batch->inode == file->st_ino)
      return batch;
  }
  return NULL;
}

int eh_batch_open(struct eh_store_bind *bind, const char *path,
                  struct eh_batch **out, struct eh_err *err) {
  struct stat file;
  struct eh_batch *batch = NULL;
  struct eh_store *store;
  int rc;
  if (stat(path, &file) == 0)
    batch = find_open(bind, &file);
  if (batch == NULL) {
    rc = eh_store_open(path, &store, err);
    if (rc != 0)
      return rc;
    batch = eh_calloc(1, sizeof *batch);
    batch->store = store;
    if (stat(path, &file) == 0) {
      batch->device = file.st_dev;
      batch->inode = file.st_ino;
    }
    eh_list_init(&batch->rows);
    eh_list_add(&bind->batches, &batch->link);
  }
  batch->handles++;
  *out = batch;
  return 0;
}

struct eh_store *eh_batch_store(struct eh_batch *batch) {
  return batch->store;
}

const struct eh_err *eh_batch_trouble(const struct eh_batch *batch) {
  return batch->trouble.code != 0 ? &batch->trouble : NULL;
}

static void copy_text(struct eh_store_text *text, char **to) {
  if (text->len > 0)
    memcpy(*to, text->ptr, text->len);
  text->ptr = *to;
  *to += text->len;
}

int eh_batch_put(struct eh_batch *batch, int64_t run,
                 const struct eh_store_result *result,
                 struct eh_batch_wait *wait, struct eh_err *err) {
  size_t size = result->case_id.len + result->verdict.len +
                result->figures.len + result->record.len;
  struct eh_batch_row *row;
  char *to;
  if (batch->lost) {
    *err = batch->trouble;
    return err->code;
  }
  row = eh_malloc(sizeof *row + size);
  memset(row, 0, sizeof *row);
  row->batch = batch;
  row->wait = wait;
  row->run = run;
  row->result = *result;
  to = row->text;
  copy_text(&row->result.case_id, &to);
  copy_text(&row->result.verdict, &to);
  copy_text(&row->result.figures, &to);
  copy_text(&row->result.record, &to);
  eh_list_add(&batch->rows, &row->link);
  batch->pending++;
  batch->waiting++;
  wait->row = row;
  return 0;
}

void eh_batch_leave(struct eh_batch_wait *wait) {
  if (wait->row == NULL)
    return;
  wait->row->batch->waiting--;
  wait->row->wait = NULL;
  wait->row = NULL;
}

/* Ends all waits: with the row's own error, else with err (NULL: durable). */
static void complete(struct eh_batch *batch, const struct eh_err *err) {
  while (!eh_list_empty(&batch->rows)) {
    struct eh_batch_row *row =
        EH_CONTAINER(batch->rows.next, struct eh_batch_row, link);
    struct eh_batch_wait *wait = row->wait;
    if (wait != NULL) {
      eh_batch_leave(wait);
      wait->err = row->err;
      if (err != NULL && row->err.code == 0)
        wait->err = *err;
      eh_op_done(&wait->op);
    }
    eh_list_remove(&row->link);
    batch->pending--;
    eh_free(row);
  }
}

/* Writes and commits all pending rows. A row that cannot be stored for a
 * reason of its own (there already, too long) does not stop the others. */
static int write_rows(struct eh_batch *batch, struct eh_err *err) {
  for (struct eh_list *at = batch->rows.next; at != &batch->rows;
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

/* Is the failure one that may pass, and still young enough? */
static bool may_pass(struct eh_batch *batch, int code, uint64_t now) {
  if (code != EH_EFULL && code != EH_EBUSY)
    return false;
  if (batch->trouble.code == 0)
    batch->since = now;
  return now - batch->since < RETRY_FOR_NS;
}

static int commit(struct eh_batch *batch, uint64_t now, struct eh_err *err) {
  uint64_t start = eh_clock_mono();
  int rc = write_rows(batch, err);
  uint64_t took = eh_clock_mono() - start;
  if (rc == 0) {
    complete(batch, NULL);
    batch->trouble.code = 0;
    batch->due = now + took + COMMIT_EVERY_NS;
    return 0;
  }
  if (may_pass(batch, rc, now)) {
    batch->trouble = *err;
    batch->due = now + took + RETRY_NS;
    return rc;
  }
  /* No later success is taken for these rows. Only a busy file is forgiven:
   * it holds nothing that could be wrong. */
  complete(batch, err);
  batch->lost = rc != EH_EBUSY;
  batch->trouble = *err;
  if (!batch->lost)
    batch->trouble.code = 0;
  return rc;
}

int eh_batch_flush(struct eh_batch *batch, struct eh_err *err) {
  if (batch->lost) {
    *err = batch->trouble;
    return err->code;
  }
  if (batch->pending == 0)
    return 0;
  return commit(batch, eh_clock_mono(), err);
}

int eh_batch_close(struct eh_batch *batch, struct eh_err *err) {
  int rc = 0;
  assert(batch->handles > 0);
  if (--batch->handles > 0)
    return 0;
  if (batch->pending > 0)
    rc = eh_batch_flush(batch, err);
  complete(batch, err);
  eh_list_remove(&batch->link);
  eh_store_close(batch->store);
  eh_free(batch);
  return rc;
}

static uint64_t turn(struct eh_batch *batch, uint64_t now, bool alone) {
  struct eh_err err;
  bool failing = batch->trouble.code != 0;
  if (batch->pending == 0)
    return UINT64_MAX;
  if (now < batch->due && (failing || (!alone && batch->pending < COMMIT_ROWS)))
    return batch->due - now;
  eh_store_patience(batch->store, TURN_PATIENCE_MS);
  (void)commit(batch, now, &err); /* the waits carry the error */
  eh_store_patience(batch->store, CALL_PATIENCE_MS);
  return batch->pending > 0 ? batch->due - now : UINT64_MAX;
}

uint64_t eh_store_bind_turn(struct eh_store_bind *bind, uint64_t now_ns,
                            size_t in_flight) {
  uint64_t next = UINT64_MAX;
  size_t waiting = 0;
  struct eh_list *at;
  for (at = bind->batches.next; at != &bind->batches; at = at->next)
    waiting += EH_CONTAINER(at, struct eh_batch, link)->waiting;
  for (at = bind->batches.next; at != &bind->batches; at = at->next) {
    uint64_t wants = turn(EH_CONTAINER(at, struct eh_batch, link), now_ns,
                          waiting >= in_flight);
    next = wants < next ? wants : next;
  }
  return next;
}
