/* stats.c: sums, moments, quantiles, Wilson's interval. */
#include "metric/stats.h"

#include "base/err.h"

#include <math.h>
#include <stdlib.h>

void eh_sum_add(struct eh_sum *sum, double x) {
  double total = sum->high + x;
  if (fabs(sum->high) >= fabs(x))
    sum->low += (sum->high - total) + x;
  else
    sum->low += (x - total) + sum->high;
  sum->high = total;
}

double eh_sum_value(const struct eh_sum *sum) {
  return sum->high + sum->low;
}

void eh_moments_add(struct eh_moments *moments, double x) {
  double delta = x - moments->mean;
  if (moments->n == 0 || x < moments->min)
    moments->min = x;
  if (moments->n == 0 || x > moments->max)
    moments->max = x;
  moments->n++;
  moments->mean += delta / (double)moments->n;
  moments->m2 += delta * (x - moments->mean);
  eh_sum_add(&moments->sum, x);
}

int eh_moments_mean(const struct eh_moments *moments, double *mean) {
  if (moments->n == 0)
    return EH_EARG;
  /* Equal values have that mean, whatever the division would round to. */
  if (moments->min == moments->max)
    *mean = moments->min;
  else
    *mean = eh_sum_value(&moments->sum) / (double)moments->n;
  return 0;
}

int eh_moments_sd(const struct eh_moments *moments, double *sd) {
  if (moments->n < 2)
    return EH_EARG;
  if (moments->min == moments->max)
    *sd = 0;
  else
    *sd = sqrt(moments->m2 / (double)(moments->n - 1));
  return 0;
}

int eh_moments_t_interval(const struct eh_moments *moments, double level,
                          struct eh_interval *out) {
  double mean, sd, half;
  if (moments->n < 2 || !(level > 0 && level < 1))
    return EH_EARG;
  eh_moments_mean(moments, &mean);
  eh_moments_sd(moments, &sd);
  half = eh_stats_t_quantile((1 + level) / 2, (double)(moments->n - 1)) * sd /
         sqrt((double)moments->n);
  out->lo = mean - half;
  out->hi = mean + half;
  return 0;
}

int eh_stats_wilson(uint64_t k, uint64_t n, double level,
                    struct eh_interval *out) {
  double z, z2, p, total, middle, half;
  if (n == 0 || k > n || !(level > 0 && level < 1))
    return EH_EARG;
  z = eh_stats_normal_quantile((1 + level) / 2);
  z2 = z * z;
  total = (double)n;
  p = (double)k / total;
  middle = (p + z2 / (2 * total)) / (1 + z2 / total);
  half = z / (1 + z2 / total) *
         sqrt(p * (1 - p) / total + z2 / (4 * total * total));
  out->lo = k == 0 ? 0 : fmax(0, middle - half);
  out->hi = k == n ? 1 : fmin(1, middle + half);
  return 0;
}

int eh_stats_quantile(const double *sorted, size_t n, double q, double *out) {
  double place, base;
  size_t i;
  if (n == 0 || !(q >= 0 && q <= 1))
    return EH_EARG;
  place = q * (double)(n - 1);
  base = floor(place);
  i = (size_t)base;
  if (i + 1 >= n)
    *out = sorted[n - 1];
  else
    *out = sorted[i] + (sorted[i + 1] - sorted[i]) * (place - base);
  return 0;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void eh_stats_sort(double *values, size_t n) {
  if (n > 1)
    qsort(values, n, sizeof *values, ascending);
}
