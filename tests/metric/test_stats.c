/* test_stats.c: quantiles, intervals and the bootstrap against values known
 * in closed form. (Reference data: test_stats_data.c.) */
#include "base/err.h"
#include "check_main.h"
#include "metric/stats.h"

#include <math.h>

START_TEST(test_sum_keeps_small_terms) {
  struct eh_sum sum = {0, 0};
  const double terms[] = {1, 1e100, 1, -1e100};
  for (size_t i = 0; i < 4; i++)
    eh_sum_add(&sum, terms[i]);
  ck_assert_double_eq(eh_sum_value(&sum), 2);
}
END_TEST

START_TEST(test_moments) {
  struct eh_moments m = {0};
  const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
  double mean = -1, sd = -1;
  ck_assert_int_eq(eh_moments_mean(&m, &mean), EH_EARG);
  ck_assert_double_eq(mean, -1);
  eh_moments_add(&m, values[0]);
  ck_assert_int_eq(eh_moments_mean(&m, &mean), 0);
  ck_assert_double_eq(mean, 2);
  ck_assert_int_eq(eh_moments_sd(&m, &sd), EH_EARG);
  for (size_t i = 1; i < 8; i++)
    eh_moments_add(&m, values[i]);
  ck_assert_int_eq(eh_moments_mean(&m, &mean), 0);
  ck_assert_int_eq(eh_moments_sd(&m, &sd), 0);
  ck_assert_double_eq(mean, 5);
  ck_assert_double_eq_tol(sd, sqrt(32.0 / 7), 1e-15);
  ck_assert_double_eq(m.min, 2);
  ck_assert_double_eq(m.max, 9);
}
END_TEST

START_TEST(test_equal_values_have_that_mean) {
  struct eh_moments m = {0};
  struct eh_interval ci;
  double mean, sd;
  for (int i = 0; i < 3; i++)
    eh_moments_add(&m, 0.1);
  ck_assert_int_eq(eh_moments_mean(&m, &mean), 0);
  ck_assert_int_eq(eh_moments_sd(&m, &sd), 0);
  ck_assert_int_eq(eh_moments_t_interval(&m, 0.95, &ci), 0);
  ck_assert_double_eq(mean, 0.1);
  ck_assert_double_eq(sd, 0);
  ck_assert_double_eq(ci.lo, 0.1);
  ck_assert_double_eq(ci.hi, 0.1);
}
END_TEST

START_TEST(test_wilson_bounds) {
  struct eh_interval ci;
  ck_assert_int_eq(eh_stats_wilson(0, 0, 0.95, &ci), EH_EARG);
  ck_assert_int_eq(eh_stats_wilson(3, 2, 0.95, &ci), EH_EARG);
  ck_assert_int_eq(eh_stats_wilson(1, 2, 1, &ci), EH_EARG);
  for (uint64_t n = 1; n < 60; n++)
    for (uint64_t k = 0; k <= n; k++) {
      double p = (double)k / (double)n;
      ck_assert_int_eq(eh_stats_wilson(k, n, 0.95, &ci), 0);
      ck_assert(ci.lo >= 0 && ci.lo <= p && p <= ci.hi && ci.hi <= 1);
      ck_assert(k > 0 || ci.lo == 0);
      ck_assert(k < n || ci.hi == 1);
    }
}
END_TEST

START_TEST(test_quantile) {
  const double x[] = {1, 2, 4};
  double q = -1;
  ck_assert_int_eq(eh_stats_quantile(x, 0, 0.5, &q), EH_EARG);
  ck_assert_int_eq(eh_stats_quantile(x, 3, 1.1, &q), EH_EARG);
  ck_assert_int_eq(eh_stats_quantile(x, 3, NAN, &q), EH_EARG);
  ck_assert_double_eq(q, -1);
  ck_assert_int_eq(eh_stats_quantile(x, 1, 0.7, &q), 0);
  ck_assert_double_eq(q, 1);
  ck_assert_int_eq(eh_stats_quantile(x, 3, 0.75, &q), 0);
  ck_assert_double_eq(q, 3);
  ck_assert_int_eq(eh_stats_quantile(x, 3, 1, &q), 0);
  ck_assert_double_eq(q, 4);
}
END_TEST

/* df = 1 and 2 have closed forms. */
START_TEST(test_t_quantile_closed_forms) {
  const double ps[] = {0.5, 0.6, 0.75, 0.9, 0.975, 0.995, 0.9999, 0.01};
  for (size_t i = 0; i < sizeof ps / sizeof ps[0]; i++) {
    double p = ps[i], a = 4 * p * (1 - p);
    double t1 = tan(acos(-1.0) * (p - 0.5));
    double t2 = 2 * (p - 0.5) * sqrt(2 / a);
    ck_assert_double_eq_tol(eh_stats_t_quantile(p, 1), t1,
                            1e-11 * (1 + fabs(t1)));
    ck_assert_double_eq_tol(eh_stats_t_quantile(p, 2), t2,
                            1e-11 * (1 + fabs(t2)));
  }
}
END_TEST

/* The two methods meet at df = 1000, and t tends to the normal. */
START_TEST(test_t_quantile_large_df) {
  double below = eh_stats_t_quantile(0.975, 1000);
  double above = eh_stats_t_quantile(0.975, 1000 + 1e-9);
  ck_assert_double_eq_tol(below, above, 1e-11);
  ck_assert_double_eq_tol(below, 1.9623390808264078, 1e-11);
  ck_assert_double_eq_tol(eh_stats_t_quantile(0.975, 1e9),
                          eh_stats_normal_quantile(0.975), 1e-8);
}
END_TEST

START_TEST(test_beta_inc) {
  for (double x = 0; x <= 1; x += 0.125) {
    ck_assert_double_eq_tol(eh_stats_beta_inc(1, 1, x), x, 1e-14);
    ck_assert_double_eq_tol(eh_stats_beta_inc(2, 3, x),
                            x * x * (6 + x * (3 * x - 8)), 1e-14);
    ck_assert_double_eq_tol(eh_stats_beta_inc(7.5, 0.5, x) +
                                eh_stats_beta_inc(0.5, 7.5, 1 - x),
                            1, 1e-13);
  }
}
END_TEST

START_TEST(test_bootstrap_edges) {
  const double same[] = {0.1, 0.1, 0.1}, two[] = {0, 1};
  struct eh_interval a, b, c;
  ck_assert_int_eq(eh_stats_bootstrap(two, 1, 100, 0.95, 1, &a), EH_EARG);
  ck_assert_int_eq(eh_stats_bootstrap(two, 2, 0, 0.95, 1, &a), EH_EARG);
  ck_assert_int_eq(eh_stats_bootstrap(same, 3, 100, 0.95, 1, &a), 0);
  ck_assert_double_eq(a.lo, 0.1);
  ck_assert_double_eq(a.hi, 0.1);
  ck_assert_int_eq(eh_stats_bootstrap(two, 2, 10000, 0.95, 1, &a), 0);
  ck_assert_double_eq(a.lo, 0);
  ck_assert_double_eq(a.hi, 1);
  ck_assert_int_eq(eh_stats_bootstrap(two, 2, 99, 0.5, 7, &b), 0);
  ck_assert_int_eq(eh_stats_bootstrap(two, 2, 99, 0.5, 7, &c), 0);
  ck_assert_double_eq(b.lo, c.lo);
  ck_assert_double_eq(b.hi, c.hi);
}
END_TEST

CHECK_MAIN(stats, test_sum_keeps_small_terms, test_moments,
           test_equal_values_have_that_mean, test_wilson_bounds, test_quantile,
           test_t_quantile_closed_forms, test_t_quantile_large_df,
           test_beta_inc, test_bootstrap_edges)
