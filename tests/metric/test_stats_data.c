/* test_stats_data.c: statistics against scipy's and statsmodels' values. */
#include "check_main.h"
#include "data.h"
#include "metric/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct eh_arena arena;
static struct eh_json data;

static size_t read_numbers(const struct eh_json *list, double *out,
                           size_t max) {
  ck_assert_uint_le(list->as.array.count, max);
  for (size_t i = 0; i < list->as.array.count; i++)
    out[i] = data_number(&list->as.array.items[i]);
  return list->as.array.count;
}

START_TEST(test_wilson) {
  const struct eh_json *rows = data_get(&data, "proportion_intervals");
  for (size_t i = 0; i < rows->as.array.count; i++) {
    const struct eh_json *row = &rows->as.array.items[i];
    const struct eh_json *want = data_get(row, "wilson");
    struct eh_interval ci;
    ck_assert_int_eq(
        eh_stats_wilson((uint64_t)data_number(data_get(row, "successes")),
                        (uint64_t)data_number(data_get(row, "n")),
                        1 - data_number(data_get(row, "alpha")), &ci),
        0);
    ck_assert_double_eq_tol(ci.lo, data_number(&want->as.array.items[0]),
                            1e-12);
    ck_assert_double_eq_tol(ci.hi, data_number(&want->as.array.items[1]),
                            1e-12);
  }
  printf("wilson: %zu rows\n", rows->as.array.count);
}
END_TEST

START_TEST(test_descriptive) {
  static double x[20000];
  const struct eh_json *rows = data_get(&data, "descriptive");
  for (size_t i = 0; i < rows->as.array.count; i++) {
    const struct eh_json *row = &rows->as.array.items[i];
    const struct eh_json *sd = data_get(row, "std_sample");
    const struct eh_json *qs = data_get(row, "quantiles_linear_type7");
    size_t n = read_numbers(data_get(row, "values"), x, 20000);
    struct eh_moments m = {0};
    double got;
    for (size_t k = 0; k < n; k++)
      eh_moments_add(&m, x[k]);
    ck_assert_int_eq(eh_moments_mean(&m, &got), 0);
    ck_assert_double_eq_tol(got, data_number(data_get(row, "mean")),
                            1e-12 * (1 + fabs(got)));
    ck_assert_double_eq(m.min, data_number(data_get(row, "min")));
    ck_assert_double_eq(m.max, data_number(data_get(row, "max")));
    if (sd->type != EH_JSON_NULL) {
      ck_assert_int_eq(eh_moments_sd(&m, &got), 0);
      ck_assert_double_eq_tol(got, data_number(sd), 1e-11 * (1 + fabs(got)));
    }
    eh_stats_sort(x, n);
    for (size_t k = 0; k < qs->as.object.count; k++) {
      ck_assert_int_eq(
          eh_stats_quantile(x, n, atof(qs->as.object.members[k].key), &got), 0);
      ck_assert_double_eq_tol(got, data_number(&qs->as.object.members[k].value),
                              1e-11 * (1 + fabs(got)));
    }
  }
  printf("descriptive: %zu rows\n", rows->as.array.count);
}
END_TEST

/* The tolerances are the ones that the data states. */
START_TEST(test_bootstrap) {
  static double x[4000];
  const struct eh_json *rows = data_get(&data, "bootstrap");
  for (size_t i = 0; i < rows->as.array.count; i++) {
    const struct eh_json *row = &rows->as.array.items[i];
    const struct eh_json *exact =
        eh_json_get(row, "percentile_interval_95_type7", 28);
    const struct eh_json *want =
        exact != NULL ? exact : data_get(row, "percentile");
    size_t n = read_numbers(data_get(row, "values"), x, 4000);
    double step = 1.0 / (double)n, allowed = 0.02;
    struct eh_interval ci;
    if (exact == NULL)
      allowed = 0.1 * data_number(data_get(row, "normal_se")) + step;
    ck_assert_int_eq(eh_stats_bootstrap(x, n, EH_BOOTSTRAP_DRAWS, 0.95, i, &ci),
                     0);
    ck_assert_double_eq_tol(ci.lo, data_number(&want->as.array.items[0]),
                            allowed);
    ck_assert_double_eq_tol(ci.hi, data_number(&want->as.array.items[1]),
                            allowed);
  }
  printf("bootstrap: %zu rows\n", rows->as.array.count);
}
END_TEST

/* scipy's t quantile for one degree of freedom is 2.6e-10 too great. */
START_TEST(test_distributions) {
  const struct eh_json *all = data_get(&data, "distributions");
  const struct eh_json *z = data_get(all, "normal_ppf");
  const struct eh_json *t = data_get(all, "t_ppf_0.975");
  for (size_t i = 0; i < z->as.object.count; i++)
    ck_assert_double_eq_tol(
        eh_stats_normal_quantile(atof(z->as.object.members[i].key)),
        data_number(&z->as.object.members[i].value), 1e-14);
  for (size_t i = 0; i < t->as.object.count; i++)
    ck_assert_double_eq_tol(
        eh_stats_t_quantile(0.975, atof(t->as.object.members[i].key)),
        data_number(&t->as.object.members[i].value), 1e-9);
}
END_TEST

static Suite *tests(void) {
  Suite *suite = suite_create("stats_data");
  TCase *tcase = tcase_create("stats_data");
  tcase_add_test(tcase, test_wilson);
  tcase_add_test(tcase, test_descriptive);
  tcase_add_test(tcase, test_bootstrap);
  tcase_add_test(tcase, test_distributions);
  suite_add_tcase(suite, tcase);
  return suite;
}

int main(void) {
  SRunner *runner;
  int failed;
  eh_arena_init(&arena);
  if (!data_load(&arena, "stats/statistics_sample.json", &data))
    return 77;
  runner = srunner_create(tests());
  srunner_run_all(runner, CK_NORMAL);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  eh_arena_free(&arena);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
