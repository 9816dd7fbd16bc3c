/* timers.h: a heap of deadlines, soonest first.
 *
 * A timer is embedded in the struct that waits; the heap holds pointers, and
 * the owner removes a timer before its memory goes. Times are nanoseconds on
 * whatever clock the caller keeps. */
#ifndef EH_BASE_TIMERS_H
#define EH_BASE_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eh_timer {
  uint64_t at;
  size_t slot; /* 1-based place in the heap; 0 when not in it */
};

struct eh_timers {
  struct eh_timer **items;
  size_t count;
  size_t cap;
};

void eh_timers_init(struct eh_timers *timers);
void eh_timers_free(struct eh_timers *timers);

/* Puts the timer in, or moves it if it is in already. */
void eh_timers_set(struct eh_timers *timers, struct eh_timer *timer,
                   uint64_t at);

/* Takes the timer out; harmless when it is not in. */
void eh_timers_remove(struct eh_timers *timers, struct eh_timer *timer);

/* The soonest timer, or NULL. */
struct eh_timer *eh_timers_first(const struct eh_timers *timers);

static inline bool eh_timer_active(const struct eh_timer *timer) {
  return timer->slot != 0;
}

#endif
