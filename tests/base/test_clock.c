/* test_clock.c: monotonic time does not go back; wall time is written as
 * ISO 8601. */
#include "base/clock.h"

#include "check_main.h"

#include <time.h>

START_TEST(monotonic_goes_on) {
  struct timespec pause = {0, 5000000};
  uint64_t start = eh_clock_mono(), last = start;
  for (int i = 0; i < 1000; i++) {
    uint64_t now = eh_clock_mono();
    ck_assert_uint_ge(now, last);
    last = now;
  }
  nanosleep(&pause, NULL);
  ck_assert_uint_ge(eh_clock_mono() - start, 5 * EH_NS_PER_MS);
}
END_TEST

START_TEST(wall_is_in_microseconds) {
  int64_t before = (int64_t)time(NULL) * 1000000;
  int64_t now = eh_clock_wall();
  ck_assert_int_ge(now, before - 1000000);
  ck_assert_int_le(now, before + 5000000);
}
END_TEST

static void check_iso(int64_t wall_us, const char *want) {
  char text[32];
  eh_clock_iso(wall_us, text, sizeof text);
  ck_assert_str_eq(text, want);
}

START_TEST(iso_texts) {
  check_iso(0, "1970-01-01T00:00:00.000Z");
  check_iso(999, "1970-01-01T00:00:00.000Z");
  check_iso(1000, "1970-01-01T00:00:00.001Z");
  check_iso(INT64_C(951827696999999), "2000-02-29T12:34:56.999Z");
  check_iso(INT64_C(4102444799999000), "2099-12-31T23:59:59.999Z");
}
END_TEST

START_TEST(iso_fits_25_bytes) {
  char text[25];
  eh_clock_iso(INT64_C(1795248930123456), text, sizeof text);
  ck_assert_str_eq(text, "2026-11-21T08:15:30.123Z");
}
END_TEST

CHECK_MAIN(clock, monotonic_goes_on, wall_is_in_microseconds, iso_texts,
           iso_fits_25_bytes)
