/* store_batch.c: the open stores, and rows of many fibers that share their
 * commits. */
#include "bind/store_batch.h"

#include "base/alloc.h"
#include "bind/store_commit.h"

#include <assert.h>
#include <string.h>
#include <sys/stat.h>

#define COMMIT_ROWS 1000

struct eh_store_bind {
  struct eh_loop *loop;
  struct eh_list batches;
};

struct eh_store_bind *eh_store_bind_new(struct eh_loop *loop) {
  struct eh_store_bind *bind = eh_malloc(sizeof *bind);
  bind->loop = loop;
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

static struct eh_batch *add_batch(struct eh_store_bind *bind,
                                  struct eh_store *store, const char *path) {
  struct eh_batch *batch = eh_calloc(1, sizeof *batch);
  struct stat file;
  batch->loop = bind->loop;
  batch->store = store;
  if (stat(path, &file) == 0) {
    batch->device = file.st_dev;
    batch->inode = file.st_ino;
  }
  eh_list_init(&batch->rows);
  eh_list_init(&batch->writing);
  eh_list_add(&bind->batches, &batch->link);
  return batch;
}

int eh_batch_open(struct eh_store_bind *bind, const char *path,
                  struct eh_batch **out, struct eh_err *err) {
  struct stat file;
  struct eh_batch *batch = NULL;
  struct eh_store *store;
  if (stat(path, &file) == 0)
    batch = find_open(bind, &file);
  if (batch == NULL) {
    int rc = eh_store_open(path, &store, err);
    if (rc != 0)
      return rc;
    batch = add_batch(bind, store, path);
  }
  batch->handles++;
  *out = batch;
  return 0;
}

struct eh_store *eh_batch_store(struct eh_batch *batch) {
  eh_commit_join(batch);
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
  if (batch->lost)
    return eh_commit_lost(batch, err);
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

int eh_batch_flush(struct eh_batch *batch, struct eh_err *err) {
  return eh_commit_now(batch, err);
}

int eh_batch_close(struct eh_batch *batch, struct eh_err *err) {
  int rc = 0;
  assert(batch->handles > 0);
  if (--batch->handles > 0)
    return 0;
  eh_commit_join(batch);
  if (eh_commit_wanted(batch))
    rc = eh_commit_now(batch, err);
  eh_commit_end(&batch->writing, &batch->attempt.err);
  eh_list_remove(&batch->link);
  eh_store_close(batch->store);
  eh_free(batch);
  return rc;
}

static uint64_t turn(struct eh_batch *batch, uint64_t now, bool alone) {
  bool failing = batch->trouble.code != 0;
  if (!eh_commit_wanted(batch))
    return UINT64_MAX;
  if (now < batch->due && (failing || (!alone && batch->pending < COMMIT_ROWS)))
    return batch->due - now;
  eh_commit_start(batch, now);
  return UINT64_MAX;
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
