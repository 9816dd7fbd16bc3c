/* ground_derive.c: numbers that round to, or are simple results of, given ones.
 */
#include "metric/ground_derive.h"

#include <math.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b) {
  double x = ((const struct eh_figure *)a)->size;
  double y = ((const struct eh_figure *)b)->size;
  return (x > y) - (x < y);
}

static bool is_number(const struct eh_fact *fact) {
  return fact->kind <= EH_FACT_BPS;
}

static void add_pool(struct eh_figures *out, double value, size_t evidence) {
  for (size_t i = 0; i < out->pool_count; i++)
    if (out->pool[i] == value)
      return;
  if (out->pool_count == EH_DERIVE_POOL)
    return;
  out->pool[out->pool_count] = value;
  out->pool_evidence[out->pool_count++] = evidence;
}

void eh_derive_prepare(struct eh_arena *arena,
                       const struct eh_fact_list *numbers,
                       const struct eh_fact_list *asked,
                       struct eh_figures *out) {
  out->sorted = eh_arena_alloc(arena, 2 * numbers->count * sizeof *out->sorted);
  out->count = out->pool_count = 0;
  out->scales = 0;
  for (size_t i = 0; i < numbers->count; i++) {
    const struct eh_fact *fact = &numbers->items[i];
    double value = fact->kind == EH_FACT_DATE ? fact->year : fact->value;
    if (!is_number(fact) && !(fact->kind == EH_FACT_DATE && fact->year > 0))
      continue;
    out->sorted[out->count++] = (struct eh_figure){fabs(value), fact->evidence};
    if (fact->kind == EH_FACT_PERCENT || fact->kind == EH_FACT_BPS)
      out->sorted[out->count++] =
          (struct eh_figure){fabs(value) / 100, fact->evidence};
    if (fact->kind != EH_FACT_DATE)
      add_pool(out, value, fact->evidence);
  }
  out->pool_own = out->pool_count;
  for (size_t i = 0; i < asked->count; i++)
    if (is_number(&asked->items[i]))
      add_pool(out, asked->items[i].value, 0);
  if (out->count > 1)
    qsort(out->sorted, out->count, sizeof *out->sorted, by_size);
}

/* The first given number in [lo, hi]; false if there is none. */
static bool lookup(const struct eh_figures *f, double lo, double hi,
                   size_t *evidence) {
  size_t low = 0, high = f->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (f->sorted[middle].size < lo)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == f->count || f->sorted[low].size > hi)
    return false;
  *evidence = f->sorted[low].evidence;
  return true;
}

struct range {
  double lo;
  double hi;
};

static bool within(const struct range *range, double value) {
  return fabs(value) >= range->lo && fabs(value) <= range->hi;
}

static bool pair_gives(const struct range *range, enum eh_fact_kind kind,
                       double a, double b) {
  if (within(range, a - b))
    return true;
  if (kind == EH_FACT_NUMBER)
    return within(range, a + b) || (b != 0 && within(range, a / b));
  if (kind == EH_FACT_BPS)
    return within(range, (a - b) * 100) || within(range, (a - b) * 1e4);
  return within(range, (a - b) * 100) ||
         (b != 0 &&
          (within(range, a / b * 100) || within(range, (a - b) / b * 100)));
}

static bool pairs_give(const struct eh_figures *f, const struct eh_fact *fact,
                       const struct range *range, size_t *evidence) {
  double tried = 3.0 * (double)f->pool_own * (double)f->pool_count;
  if (tried > pow(10, fact->digits) || range->hi <= 0)
    return false;
  for (size_t i = 0; i < f->pool_count; i++)
    for (size_t j = 0; j < f->pool_count; j++) {
      if (i == j || (i >= f->pool_own && j >= f->pool_own))
        continue;
      if (pair_gives(range, fact->kind, f->pool[i], f->pool[j])) {
        *evidence = f->pool_evidence[i < f->pool_own ? i : j];
        return true;
      }
    }
  return false;
}

bool eh_derive_number(const struct eh_figures *figures,
                      const struct eh_fact *fact, size_t *evidence) {
  static const double scales[] = {1e3, 1e6, 1e9};
  static const double plain[] = {1}, percent[] = {1, 100},
                      bps[] = {1, 100, 1e4};
  const double *divisors = fact->kind == EH_FACT_BPS       ? bps
                           : fact->kind == EH_FACT_PERCENT ? percent
                                                           : plain;
  size_t count = fact->kind == EH_FACT_BPS       ? 3
                 : fact->kind == EH_FACT_PERCENT ? 2
                                                 : 1;
  double size = fabs(fact->value), slack = fact->half + 1e-12 * size;
  struct range range = {fmax(0, size - slack * (1 + 1e-9)),
                        size + slack * (1 + 1e-9)};
  for (size_t i = 0; i < count; i++)
    if (lookup(figures, range.lo / divisors[i], range.hi / divisors[i],
               evidence))
      return true;
  for (size_t i = 0; i < 3 && fact->kind == EH_FACT_NUMBER; i++)
    if ((figures->scales & (1u << i)) &&
        lookup(figures, range.lo / scales[i], range.hi / scales[i], evidence))
      return true;
  return pairs_give(figures, fact, &range, evidence);
}

bool eh_derive_date(const struct eh_fact *fact, const struct eh_fact *given) {
  bool swapped = fact->day_first || given->day_first;
  if (given->kind != EH_FACT_DATE)
    return false;
  if (fact->year != 0 && fact->year != given->year)
    return false;
  if (fact->month == given->month &&
      (fact->day == 0 || fact->day == given->day))
    return true;
  return swapped && fact->day == given->month && fact->month == given->day;
}
