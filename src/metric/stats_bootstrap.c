/* stats_bootstrap.c: the percentile bootstrap of a mean. */
#include "base/alloc.h"
#include "base/err.h"
#include "base/random.h"
#include "metric/stats.h"

/* The mean of one resample. Each 64-bit draw gives two indices, each by
 * multiplication (Lemire 2019; without rejection the bias is below n / 2^32).
 * Two sums run side by side, which halves the latency of the additions. */
static double resample(const double *values, size_t n, struct eh_random *rng) {
  double even = 0, odd = 0;
  for (size_t i = 0; i + 1 < n; i += 2) {
    uint64_t bits = eh_random_next(rng);
    even += values[((bits >> 32) * n) >> 32];
    odd += values[((bits & 0xffffffff) * n) >> 32];
  }
  if (n % 2 == 1)
    even += values[((eh_random_next(rng) >> 32) * n) >> 32];
  return (even + odd) / (double)n;
}

int eh_stats_bootstrap(const double *values, size_t n, size_t draws,
                       double level, uint64_t seed, struct eh_interval *out) {
  struct eh_random rng;
  double *means;
  size_t same = 1;
  if (n < 2 || n > UINT32_MAX || draws == 0 || !(level > 0 && level < 1))
    return EH_EARG;
  while (same < n && values[same] == values[0])
    same++;
  if (same == n) {
    out->lo = out->hi = values[0];
    return 0;
  }
  means = eh_malloc(draws * sizeof *means);
  eh_random_seed(&rng, seed);
  for (size_t i = 0; i < draws; i++)
    means[i] = resample(values, n, &rng);
  eh_stats_sort(means, draws);
  eh_stats_quantile(means, draws, (1 - level) / 2, &out->lo);
  eh_stats_quantile(means, draws, (1 + level) / 2, &out->hi);
  eh_free(means);
  return 0;
}
