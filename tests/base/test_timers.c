/* test_timers.c: the heap gives the soonest timer after any changes. */
#include "check_main.h"

#include "base/timers.h"

#define COUNT 500

START_TEST(orders_after_changes) {
  static struct eh_timer timers[COUNT];
  struct eh_timers heap;
  uint64_t seed = 1, last = 0;
  size_t left = 0;
  eh_timers_init(&heap);
  for (int round = 0; round < 3; round++)
    for (size_t i = 0; i < COUNT; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      eh_timers_set(&heap, &timers[i], seed >> 40);
    }
  for (size_t i = 0; i < COUNT; i += 3)
    eh_timers_remove(&heap, &timers[i]);
  eh_timers_remove(&heap, &timers[0]); /* harmless */
  for (struct eh_timer *at; (at = eh_timers_first(&heap)) != NULL; left++) {
    ck_assert_uint_ge(at->at, last);
    last = at->at;
    eh_timers_remove(&heap, at);
    ck_assert(!eh_timer_active(at));
  }
  ck_assert_uint_eq(left, COUNT - (COUNT + 2) / 3);
  eh_timers_free(&heap);
}
END_TEST

CHECK_MAIN(timers, orders_after_changes)
