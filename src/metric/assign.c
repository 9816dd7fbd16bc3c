/* assign.c: the Hungarian method over exact costs. */
#include "metric/assign.h"

#include "base/alloc.h"
#include "base/err.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* lcm(1..30): shares of up to 30 fields become integers without rounding. */
#define SCALE 2329089562800.0

/* Ordered by main, then by tie. Integers, so that equal sums are equal. */
struct cost {
  int64_t main;
  int64_t tie;
};

struct problem {
  const double *weight;
  size_t rows; /* the smaller side */
  size_t cols;
  bool turned; /* rows are the columns of weight */
};

/* All arrays are 1-based: row or column 0 means none. */
struct state {
  struct cost *row_price;
  struct cost *col_price;
  struct cost *slack;
  size_t *row_of;
  size_t *came_from;
  bool *seen;
};

static struct cost plus(struct cost a, struct cost b) {
  return (struct cost){a.main + b.main, a.tie + b.tie};
}

static struct cost minus(struct cost a, struct cost b) {
  return (struct cost){a.main - b.main, a.tie - b.tie};
}

static bool less(struct cost a, struct cost b) {
  return a.main != b.main ? a.main < b.main : a.tie < b.tie;
}

static struct cost cost_of(const struct problem *p, size_t row, size_t col) {
  size_t at = p->turned ? col * p->rows + row : row * p->cols + col;
  int64_t apart = (int64_t)row - (int64_t)col;
  return (struct cost){-llround(p->weight[at] * SCALE), apart * apart};
}

/* Extends the slacks from the row that holds col; returns the column that is
 * nearest now. */
static size_t advance(const struct problem *p, struct state *s, size_t col) {
  struct cost delta = {INT64_MAX, INT64_MAX};
  size_t row = s->row_of[col], nearest = 0;
  for (size_t j = 1; j <= p->cols; j++) {
    struct cost reduced;
    if (s->seen[j])
      continue;
    reduced = minus(minus(cost_of(p, row - 1, j - 1), s->row_price[row]),
                    s->col_price[j]);
    if (less(reduced, s->slack[j])) {
      s->slack[j] = reduced;
      s->came_from[j] = col;
    }
    if (less(s->slack[j], delta)) {
      delta = s->slack[j];
      nearest = j;
    }
  }
  for (size_t j = 0; j <= p->cols; j++) {
    if (s->seen[j]) {
      struct cost *price = &s->row_price[s->row_of[j]];
      *price = plus(*price, delta);
      s->col_price[j] = minus(s->col_price[j], delta);
    } else {
      s->slack[j] = minus(s->slack[j], delta);
    }
  }
  return nearest;
}

static void place(const struct problem *p, struct state *s, size_t row) {
  size_t col = 0;
  s->row_of[0] = row;
  for (size_t j = 0; j <= p->cols; j++) {
    s->slack[j] = (struct cost){INT64_MAX / 4, INT64_MAX / 4};
    s->seen[j] = false;
  }
  do {
    s->seen[col] = true;
    col = advance(p, s, col);
  } while (s->row_of[col] != 0);
  while (col != 0) {
    size_t before = s->came_from[col];
    s->row_of[col] = s->row_of[before];
    col = before;
  }
}

int eh_assign(const double *weight, size_t rows, size_t cols, size_t *partner) {
  struct problem p = {weight, rows, cols, rows > cols};
  struct state s;
  if (p.turned) {
    p.rows = cols;
    p.cols = rows;
  }
  for (size_t i = 0; i < rows; i++)
    partner[i] = EH_NO_PARTNER;
  if (p.rows == 0)
    return 0;
  if (p.cols > EH_ASSIGN_WORK / p.rows / p.rows)
    return EH_ELIMIT;
  s.row_price = eh_calloc(p.rows + 1, sizeof *s.row_price);
  s.col_price = eh_calloc(p.cols + 1, sizeof *s.col_price);
  s.slack = eh_calloc(p.cols + 1, sizeof *s.slack);
  s.row_of = eh_calloc(p.cols + 1, sizeof *s.row_of);
  s.came_from = eh_calloc(p.cols + 1, sizeof *s.came_from);
  s.seen = eh_calloc(p.cols + 1, sizeof *s.seen);
  for (size_t row = 1; row <= p.rows; row++)
    place(&p, &s, row);
  for (size_t j = 1; j <= p.cols; j++)
    if (s.row_of[j] != 0)
      partner[p.turned ? j - 1 : s.row_of[j] - 1] =
          p.turned ? s.row_of[j] - 1 : j - 1;
  eh_free(s.row_price);
  eh_free(s.col_price);
  eh_free(s.slack);
  eh_free(s.row_of);
  eh_free(s.came_from);
  eh_free(s.seen);
  return 0;
}
