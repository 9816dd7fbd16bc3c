/* test_alarm.c: alarms that move. */
#include "net/alarm.h"

#include "base/clock.h"

#include "check_main.h"

struct fired {
  struct eh_loop *loop;
  int times;
  uint64_t at;
};

static void fire(void *arg) {
  struct fired *fired = arg;
  fired->times++;
  fired->at = eh_clock_mono();
  eh_loop_stop(fired->loop);
}

START_TEST(test_never_early) {
  struct fired fired = {0};
  struct eh_alarm *alarm;
  int i;
  fired.loop = eh_loop_new();
  alarm = eh_alarm_new(fired.loop, fire, &fired);
  for (i = 0; i < 20; i++) {
    uint64_t due = eh_clock_mono() + (uint64_t)i * 300000;
    eh_alarm_set(alarm, due);
    eh_loop_run(fired.loop);
    ck_assert_uint_ge(fired.at, due);
  }
  ck_assert_int_eq(fired.times, 20);
  eh_alarm_free(alarm);
  eh_loop_free(fired.loop);
}
END_TEST

START_TEST(test_moves) {
  struct fired fired = {0}, end = {0};
  struct eh_alarm *alarm, *last;
  uint64_t now = eh_clock_mono(), later = now + 80 * EH_NS_PER_MS;
  fired.loop = end.loop = eh_loop_new();
  alarm = eh_alarm_new(fired.loop, fire, &fired);
  last = eh_alarm_new(fired.loop, fire, &end);
  eh_alarm_set(alarm, now + 10 * EH_NS_PER_MS);
  eh_alarm_set(alarm, later); /* later */
  eh_loop_run(fired.loop);
  ck_assert_int_eq(fired.times, 1);
  ck_assert_uint_ge(fired.at, later);
  eh_alarm_set(alarm, eh_clock_mono() + 3600 * EH_NS_PER_S);
  eh_alarm_set(alarm, eh_clock_mono() + EH_NS_PER_MS); /* earlier */
  eh_loop_run(fired.loop);
  ck_assert_int_eq(fired.times, 2);
  eh_alarm_set(alarm, eh_clock_mono() + EH_NS_PER_MS);
  eh_alarm_set(alarm, EH_NEVER); /* not at all */
  eh_alarm_set(last, eh_clock_mono() + 20 * EH_NS_PER_MS);
  eh_loop_run(fired.loop);
  ck_assert_int_eq(fired.times, 2);
  ck_assert_int_eq(end.times, 1);
  eh_alarm_free(alarm);
  eh_alarm_free(last);
  eh_loop_free(fired.loop);
}
END_TEST

CHECK_MAIN(alarm, test_never_early, test_moves)
