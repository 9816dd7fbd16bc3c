/* random.c: xoshiro256** and its seeding. */
#include "base/random.h"

#include "base/hash.h"

static uint64_t splitmix(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

void eh_random_seed(struct eh_random *rng, uint64_t seed) {
  for (size_t i = 0; i < 4; i++)
    rng->s[i] = splitmix(&seed);
}

void eh_random_seed_text(struct eh_random *rng, const char *text, size_t len) {
  eh_random_seed(rng, eh_fnv(EH_FNV_START, text, len));
}

static uint64_t rotate(uint64_t x, int bits) {
  return (x << bits) | (x >> (64 - bits));
}

uint64_t eh_random_next(struct eh_random *rng) {
  uint64_t *s = rng->s;
  uint64_t result = rotate(s[1] * 5, 7) * 9;
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}
