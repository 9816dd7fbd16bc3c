/* test_assign.c: the Hungarian method against trying everything. */
#include "base/err.h"
#include "base/random.h"
#include "check_main.h"
#include "metric/assign.h"

#include <math.h>
#include <string.h>

#define MAX 6

struct best {
  double weight;
  long apart;
};

/* Tries every choice for row and later ones; skips are allowed only as far as
 * there are fewer columns than rows. */
static void try_all(const double *w, size_t rows, size_t cols, size_t row,
                    size_t skips, unsigned used, struct best sum,
                    struct best *best) {
  if (row == rows) {
    if (sum.weight > best->weight + 1e-12 ||
        (fabs(sum.weight - best->weight) < 1e-12 && sum.apart < best->apart))
      *best = sum;
    return;
  }
  for (size_t col = 0; col < cols; col++) {
    long apart = (long)row - (long)col;
    if (used & (1u << col))
      continue;
    try_all(w, rows, cols, row + 1, skips, used | (1u << col),
            (struct best){sum.weight + w[row * cols + col],
                          sum.apart + apart * apart},
            best);
  }
  if (skips > 0)
    try_all(w, rows, cols, row + 1, skips - 1, used, sum, best);
}

static struct best found(const double *w, size_t rows, size_t cols) {
  size_t partner[MAX], pairs = 0;
  struct best sum = {0, 0};
  unsigned used = 0;
  ck_assert_int_eq(eh_assign(w, rows, cols, partner), 0);
  for (size_t i = 0; i < rows; i++) {
    long apart;
    if (partner[i] == EH_NO_PARTNER)
      continue;
    ck_assert_uint_lt(partner[i], cols);
    ck_assert_uint_eq(used & (1u << partner[i]), 0);
    used |= 1u << partner[i];
    apart = (long)i - (long)partner[i];
    sum.weight += w[i * cols + partner[i]];
    sum.apart += apart * apart;
    pairs++;
  }
  ck_assert_uint_eq(pairs, rows < cols ? rows : cols);
  return sum;
}

START_TEST(test_equals_brute_force) {
  struct eh_random rng;
  double w[MAX * MAX];
  eh_random_seed(&rng, 11);
  for (int round = 0; round < 4000; round++) {
    size_t rows = 1 + eh_random_next(&rng) % 5;
    size_t cols = 1 + eh_random_next(&rng) % MAX;
    size_t steps = 1 + eh_random_next(&rng) % 6; /* few values: many ties */
    struct best best = {-1, 0}, got;
    for (size_t i = 0; i < rows * cols; i++)
      w[i] = (double)(eh_random_next(&rng) % (steps + 1)) / (double)steps;
    try_all(w, rows, cols, 0, rows > cols ? rows - cols : 0, 0,
            (struct best){0, 0}, &best);
    got = found(w, rows, cols);
    ck_assert_double_eq_tol(got.weight, best.weight, 1e-9);
    ck_assert_int_eq(got.apart, best.apart);
  }
}
END_TEST

START_TEST(test_ties_keep_order) {
  double w[30];
  size_t partner[6];
  for (size_t i = 0; i < 30; i++)
    w[i] = 1.0 / 3;
  ck_assert_int_eq(eh_assign(w, 5, 6, partner), 0);
  for (size_t i = 0; i < 5; i++)
    ck_assert_uint_eq(partner[i], i);
  ck_assert_int_eq(eh_assign(w, 6, 5, partner), 0);
  for (size_t i = 0; i < 5; i++)
    ck_assert_uint_eq(partner[i], i);
  ck_assert_uint_eq(partner[5], EH_NO_PARTNER);
}
END_TEST

START_TEST(test_edges) {
  double w[] = {0, 0};
  size_t partner[2] = {7, 7};
  ck_assert_int_eq(eh_assign(w, 0, 2, partner), 0);
  ck_assert_int_eq(eh_assign(w, 2, 0, partner), 0);
  ck_assert_uint_eq(partner[0], EH_NO_PARTNER);
  ck_assert_int_eq(eh_assign(w, 1, (size_t)1 << 40, partner), EH_ELIMIT);
}
END_TEST

CHECK_MAIN(assign, test_equals_brute_force, test_ties_keep_order, test_edges)
