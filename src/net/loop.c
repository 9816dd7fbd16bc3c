/* loop.c: the event loop on libuv. */
#include "net/loop.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "net/loop_uv.h"

#include <assert.h>
#include <signal.h>
#include <sys/resource.h>

static void on_idle(uv_idle_t *idle) {
  (void)idle;
}

static void on_turn_alarm(void *arg) {
  (void)arg; /* waking the loop is all it is for */
}

/* Runs the flush of every part; true if one of them called back. */
static bool flush_parts(struct eh_loop *loop) {
  struct eh_list *item, *next;
  bool news = false;
  for (item = loop->parts.next; item != &loop->parts; item = next) {
    struct eh_loop_part *part = EH_CONTAINER(item, struct eh_loop_part, link);
    next = item->next;
    if (part->flush != NULL && part->flush(part))
      news = true;
  }
  return news;
}

static void on_prepare(uv_prepare_t *prepare) {
  struct eh_loop *loop = prepare->data;
  uint64_t wait = EH_NEVER, now = 0;
  bool again;
  if (loop->turn != NULL) {
    now = eh_clock_mono();
    wait = loop->turn(loop->turn_arg, now);
  }
  again = flush_parts(loop) || wait == 0;
  if (again) {
    uv_idle_start(&loop->idle, on_idle);
    return;
  }
  uv_idle_stop(&loop->idle);
  eh_alarm_set(loop->turn_alarm, wait < EH_NEVER - now ? now + wait : EH_NEVER);
}

struct eh_loop *eh_loop_new(void) {
  struct eh_loop *loop = eh_calloc(1, sizeof *loop);
  if (uv_loop_init(&loop->uv) != 0)
    eh_oom(sizeof *loop);
  signal(SIGPIPE, SIG_IGN);
  eh_list_init(&loop->parts);
  eh_list_init(&loop->signals);
  uv_prepare_init(&loop->uv, &loop->prepare);
  uv_idle_init(&loop->uv, &loop->idle);
  loop->prepare.data = loop;
  loop->turn_alarm = eh_alarm_new(loop, on_turn_alarm, loop);
  uv_prepare_start(&loop->prepare, on_prepare);
  return loop;
}

void eh_loop_free(struct eh_loop *loop) {
  int rc;
  if (loop == NULL)
    return;
  loop->turn = NULL;
  while (!eh_list_empty(&loop->parts)) {
    struct eh_loop_part *part =
        EH_CONTAINER(loop->parts.next, struct eh_loop_part, link);
    eh_list_remove(&part->link);
    if (part->drop != NULL)
      part->drop(part);
  }
  eh_loop_drop_signals(loop);
  eh_alarm_free(loop->turn_alarm);
  uv_close((uv_handle_t *)&loop->prepare, NULL);
  uv_close((uv_handle_t *)&loop->idle, NULL);
  loop->uv.stop_flag = 0; /* an eh_loop_stop that no run has seen */
  uv_run(&loop->uv, UV_RUN_DEFAULT);
  rc = uv_loop_close(&loop->uv);
  assert(rc == 0 && "something still lives on the loop");
  (void)rc;
  eh_free(loop);
}

void eh_loop_run(struct eh_loop *loop) {
  uv_run(&loop->uv, UV_RUN_DEFAULT);
}

void eh_loop_stop(struct eh_loop *loop) {
  uv_stop(&loop->uv);
}

uint64_t eh_loop_now(const struct eh_loop *loop) {
  (void)loop;
  return eh_clock_mono();
}

void eh_loop_on_turn(struct eh_loop *loop, eh_loop_turn_fn *fn, void *arg) {
  loop->turn = fn;
  loop->turn_arg = arg;
}

void eh_loop_add_part(struct eh_loop *loop, struct eh_loop_part *part) {
  eh_list_add(&loop->parts, &part->link);
}

static void count_handle(uv_handle_t *handle, void *arg) {
  if (!uv_is_closing(handle))
    ++*(size_t *)arg;
}

size_t eh_loop_handles(struct eh_loop *loop) {
  size_t count = 0;
  uv_walk(&loop->uv, count_handle, &count);
  return count - 3; /* prepare, idle, the turn's alarm */
}

uint64_t eh_loop_raise_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return 0;
  if (limit.rlim_cur < limit.rlim_max) {
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
      limit.rlim_cur = before;
  }
  return limit.rlim_cur;
}
