/* alarm.c: a lazily re-armed uv_timer. */
#include "net/alarm.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "net/loop_uv.h"

struct eh_alarm {
  uv_timer_t uv;
  eh_alarm_fn *fn;
  void *arg;
  uint64_t due;   /* when fn is wanted */
  uint64_t armed; /* when libuv will wake us; never later than due */
};

static void on_alarm(uv_timer_t *uv);

static void arm(struct eh_alarm *alarm) {
  uint64_t now, ms = 0;
  if (alarm->due >= alarm->armed)
    return;
  now = eh_clock_mono();
  if (alarm->due > now)
    ms = (alarm->due - now + EH_NS_PER_MS - 1) / EH_NS_PER_MS;
  alarm->armed = alarm->due;
  uv_timer_start(&alarm->uv, on_alarm, ms, 0);
}

static void on_alarm(uv_timer_t *uv) {
  struct eh_alarm *alarm = uv->data;
  alarm->armed = EH_NEVER;
  if (alarm->due > eh_clock_mono()) {
    arm(alarm);
    return;
  }
  alarm->due = EH_NEVER;
  alarm->fn(alarm->arg);
}

struct eh_alarm *eh_alarm_new(struct eh_loop *loop, eh_alarm_fn *fn,
                              void *arg) {
  struct eh_alarm *alarm = eh_calloc(1, sizeof *alarm);
  uv_timer_init(&loop->uv, &alarm->uv);
  alarm->uv.data = alarm;
  alarm->fn = fn;
  alarm->arg = arg;
  alarm->due = alarm->armed = EH_NEVER;
  return alarm;
}

static void on_close(uv_handle_t *handle) {
  eh_free(handle->data);
}

void eh_alarm_free(struct eh_alarm *alarm) {
  if (alarm != NULL)
    uv_close((uv_handle_t *)&alarm->uv, on_close);
}

void eh_alarm_set(struct eh_alarm *alarm, uint64_t due_ns) {
  alarm->due = due_ns;
  arm(alarm);
}
