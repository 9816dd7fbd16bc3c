/* work.c: work that would block the loop, on libuv's threads. */
#include "net/loop.h"

#include "base/alloc.h"
#include "net/loop_uv.h"

struct eh_work {
  uv_work_t request;
  eh_loop_work_fn *work;
  eh_loop_work_fn *done; /* NULL once called */
  void *arg;
  uv_mutex_t lock; /* of ended */
  uv_cond_t changed;
  bool ended;
};

static void on_thread(uv_work_t *request) {
  struct eh_work *work = request->data;
  work->work(work->arg);
  uv_mutex_lock(&work->lock);
  work->ended = true;
  uv_cond_signal(&work->changed);
  uv_mutex_unlock(&work->lock);
}

static void call_done(struct eh_work *work) {
  eh_loop_work_fn *done = work->done;
  work->done = NULL;
  if (done != NULL)
    done(work->arg);
}

/* Only now has the thread let go of the request, joined or not. */
static void on_loop(uv_work_t *request, int status) {
  struct eh_work *work = request->data;
  (void)status; /* nothing cancels it */
  call_done(work);
  uv_cond_destroy(&work->changed);
  uv_mutex_destroy(&work->lock);
  eh_free(work);
}

struct eh_work *eh_loop_work(struct eh_loop *loop, eh_loop_work_fn *work,
                             eh_loop_work_fn *done, void *arg) {
  struct eh_work *out = eh_calloc(1, sizeof *out);
  out->request.data = out;
  out->work = work;
  out->done = done;
  out->arg = arg;
  if (uv_mutex_init(&out->lock) != 0 || uv_cond_init(&out->changed) != 0 ||
      uv_queue_work(&loop->uv, &out->request, on_thread, on_loop) != 0)
    eh_oom(sizeof *out);
  return out;
}

void eh_loop_join(struct eh_work *work) {
  uv_mutex_lock(&work->lock);
  while (!work->ended)
    uv_cond_wait(&work->changed, &work->lock);
  uv_mutex_unlock(&work->lock);
  call_done(work);
}
