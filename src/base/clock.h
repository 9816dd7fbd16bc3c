/* clock.h: the two clocks. Monotonic time measures and times out; wall time
 * only dates records. */
#ifndef EH_BASE_CLOCK_H
#define EH_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/* Nanoseconds since an arbitrary start; never goes back. Safe in a signal
 * handler. */
uint64_t eh_clock_mono(void);

/* Microseconds since 1970-01-01 UTC. */
int64_t eh_clock_wall(void);

/* Writes "2026-11-21T08:15:30.123Z"; size >= 25. */
void eh_clock_iso(int64_t wall_us, char *out, size_t size);

#define EH_NS_PER_S  UINT64_C(1000000000)
#define EH_NS_PER_MS UINT64_C(1000000)

#endif
