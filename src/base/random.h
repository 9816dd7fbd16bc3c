/* random.h: a small deterministic generator for resampling: xoshiro256**
 * (Blackman and Vigna 2018), seeded by splitmix64. The same seed gives the
 * same stream on every platform. Not for secrets. */
#ifndef EH_BASE_RANDOM_H
#define EH_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct eh_random {
  uint64_t s[4];
};

void eh_random_seed(struct eh_random *rng, uint64_t seed);

/* Seeds from a text, such as "FINGERPRINT:FIGURE". */
void eh_random_seed_text(struct eh_random *rng, const char *text, size_t len);

uint64_t eh_random_next(struct eh_random *rng);

#endif
