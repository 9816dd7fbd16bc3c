/* signal.c: signals as callbacks on the loop. */
#include "base/alloc.h"
#include "base/err.h"
#include "net/loop_uv.h"

struct signal {
  uv_signal_t uv;
  struct eh_list link;
  int signum;
  eh_loop_signal_fn *fn;
  void *arg;
};

static void on_signal(uv_signal_t *uv, int signum) {
  struct signal *sig = uv->data;
  sig->fn(sig->arg, signum);
}

static void on_close(uv_handle_t *handle) {
  eh_free(handle->data);
}

static void drop(struct signal *sig) {
  eh_list_remove(&sig->link);
  uv_close((uv_handle_t *)&sig->uv, on_close);
}

static struct signal *find(struct eh_loop *loop, int signum) {
  struct eh_list *item;
  for (item = loop->signals.next; item != &loop->signals; item = item->next) {
    struct signal *sig = EH_CONTAINER(item, struct signal, link);
    if (sig->signum == signum)
      return sig;
  }
  return NULL;
}

int eh_loop_on_signal(struct eh_loop *loop, int signum, eh_loop_signal_fn *fn,
                      void *arg) {
  struct signal *sig = find(loop, signum);
  if (sig != NULL)
    drop(sig);
  if (fn == NULL)
    return 0;
  sig = eh_calloc(1, sizeof *sig);
  eh_list_init(&sig->link);
  uv_signal_init(&loop->uv, &sig->uv);
  sig->uv.data = sig;
  sig->signum = signum;
  sig->fn = fn;
  sig->arg = arg;
  if (uv_signal_start(&sig->uv, on_signal, signum) != 0) {
    drop(sig);
    return EH_EARG;
  }
  eh_list_add(&loop->signals, &sig->link);
  return 0;
}

void eh_loop_drop_signals(struct eh_loop *loop) {
  while (!eh_list_empty(&loop->signals))
    drop(EH_CONTAINER(loop->signals.next, struct signal, link));
}
