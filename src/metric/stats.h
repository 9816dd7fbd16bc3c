/* stats.h: means, quantiles and intervals.
 *
 * All arrays are borrowed. A figure of too few values is not available: the
 * function returns EH_EARG and leaves its outputs alone; there is no "mean of
 * nothing". Values must be finite. Intervals are two-sided; `level` is the
 * confidence in (0, 1), normally EH_CONFIDENCE. */
#ifndef EH_METRIC_STATS_H
#define EH_METRIC_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EH_CONFIDENCE 0.95

/* Up to this many values the interval of a mean is a bootstrap. */
#define EH_BOOTSTRAP_MAX   2000
#define EH_BOOTSTRAP_DRAWS 10000

struct eh_interval {
  double lo;
  double hi;
};

/* A compensated sum (Neumaier 1974); start with zeroes. */
struct eh_sum {
  double high;
  double low;
};

void eh_sum_add(struct eh_sum *sum, double x);
double eh_sum_value(const struct eh_sum *sum);

/* Mean, spread and extremes of a stream in constant memory; start with
 * zeroes. The variance is Welford's. */
struct eh_moments {
  size_t n;
  struct eh_sum sum;
  double mean; /* Welford's running mean, for m2 only */
  double m2;
  double min;
  double max;
};

void eh_moments_add(struct eh_moments *moments, double x);

/* Needs n >= 1. */
int eh_moments_mean(const struct eh_moments *moments, double *mean);

/* The sample standard deviation, divisor n - 1. Needs n >= 2. */
int eh_moments_sd(const struct eh_moments *moments, double *sd);

/* mean -+ t(n - 1) * sd / sqrt(n). Needs n >= 2. */
int eh_moments_t_interval(const struct eh_moments *moments, double level,
                          struct eh_interval *out);

/* Wilson's score interval (1927) of k successes in n trials, within [0, 1].
 * Needs n >= 1 and k <= n. */
int eh_stats_wilson(uint64_t k, uint64_t n, double level,
                    struct eh_interval *out);

/* The quantile q in [0, 1] of n >= 1 sorted values: linear interpolation at
 * (n - 1) q, numpy's default (Hyndman and Fan's type 7). */
int eh_stats_quantile(const double *sorted, size_t n, double q, double *out);

/* Sorts ascending. */
void eh_stats_sort(double *values, size_t n);

/* Percentile bootstrap of the mean: `draws` resamples, type 7 quantiles of
 * their means. Deterministic in (values, their order, draws, seed). Needs
 * n >= 2. */
int eh_stats_bootstrap(const double *values, size_t n, size_t draws,
                       double level, uint64_t seed, struct eh_interval *out);

/* The value z with P(Z <= z) = p, 0 < p < 1 (Wichura 1988, AS 241). */
double eh_stats_normal_quantile(double p);

/* The value t with P(T <= t) = p for Student's t with df >= 1 degrees of
 * freedom, to 1e-10 relative. */
double eh_stats_t_quantile(double p, double df);

/* The regularised incomplete beta function I_x(a, b), by its continued
 * fraction (Lentz's method); a, b > 0, 0 <= x <= 1. */
double eh_stats_beta_inc(double a, double b, double x);

#endif
