/* timers.c: the binary heap of deadlines. */
#include "base/timers.h"

#include "base/alloc.h"

#include <string.h>

void eh_timers_init(struct eh_timers *timers) {
  memset(timers, 0, sizeof *timers);
}

void eh_timers_free(struct eh_timers *timers) {
  eh_free(timers->items);
  eh_timers_init(timers);
}

static void put(struct eh_timers *timers, size_t slot, struct eh_timer *timer) {
  timers->items[slot - 1] = timer;
  timer->slot = slot;
}

static void rise(struct eh_timers *timers, struct eh_timer *timer) {
  size_t slot = timer->slot;
  while (slot > 1 && timers->items[slot / 2 - 1]->at > timer->at) {
    put(timers, slot, timers->items[slot / 2 - 1]);
    slot /= 2;
  }
  put(timers, slot, timer);
}

static void sink(struct eh_timers *timers, struct eh_timer *timer) {
  size_t slot = timer->slot;
  for (;;) {
    size_t child = slot * 2;
    if (child > timers->count)
      break;
    if (child < timers->count &&
        timers->items[child]->at < timers->items[child - 1]->at)
      child++;
    if (timers->items[child - 1]->at >= timer->at)
      break;
    put(timers, slot, timers->items[child - 1]);
    slot = child;
  }
  put(timers, slot, timer);
}

void eh_timers_set(struct eh_timers *timers, struct eh_timer *timer,
                   uint64_t at) {
  if (timer->slot == 0) {
    if (timers->count == timers->cap) {
      timers->cap = timers->cap == 0 ? 16 : timers->cap * 2;
      timers->items =
          eh_realloc(timers->items, timers->cap * sizeof(struct eh_timer *));
    }
    timer->at = at;
    put(timers, ++timers->count, timer);
    rise(timers, timer);
    return;
  }
  timer->at = at;
  rise(timers, timer);
  sink(timers, timer);
}

void eh_timers_remove(struct eh_timers *timers, struct eh_timer *timer) {
  size_t slot = timer->slot;
  struct eh_timer *last;
  if (slot == 0)
    return;
  last = timers->items[--timers->count];
  timer->slot = 0;
  if (last == timer)
    return;
  put(timers, slot, last);
  rise(timers, last);
  sink(timers, last);
}

struct eh_timer *eh_timers_first(const struct eh_timers *timers) {
  return timers->count > 0 ? timers->items[0] : NULL;
}
