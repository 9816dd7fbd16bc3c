/* clock.c: monotonic and wall time. */
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

uint64_t eh_clock_mono(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * EH_NS_PER_S + (uint64_t)now.tv_nsec;
}

int64_t eh_clock_wall(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void eh_clock_iso(int64_t wall_us, char *out, size_t size) {
  time_t seconds = (time_t)(wall_us / 1000000);
  int millis = (int)(wall_us / 1000 % 1000);
  struct tm parts;
  size_t used;
  gmtime_r(&seconds, &parts);
  used = strftime(out, size, "%Y-%m-%dT%H:%M:%S", &parts);
  snprintf(out + used, size - used, ".%03dZ", millis);
}
