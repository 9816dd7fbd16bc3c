/* assign.h: the maximum-weight assignment of rows to columns. */
#ifndef EH_METRIC_ASSIGN_H
#define EH_METRIC_ASSIGN_H

#include <stddef.h>

#define EH_NO_PARTNER ((size_t)-1)

/* The largest problem: rows * rows * cols, with the smaller side as rows. */
#define EH_ASSIGN_WORK ((size_t)64 << 20)

/* Pairs min(rows, cols) rows and columns so that the sum of
 * weight[row * cols + col] is greatest (the Hungarian method, Kuhn 1955, in
 * the shortest-path form of Jonker and Volgenant). Weights are in [0, 1] and
 * count to 4e-13, fractions k/n with n <= 30 exactly. Among the best
 * assignments it takes one that keeps the order: least sum of (row - col)^2.
 * partner[row] becomes a column or EH_NO_PARTNER. Returns 0, or EH_ELIMIT if
 * the problem is too large. */
int eh_assign(const double *weight, size_t rows, size_t cols, size_t *partner);

#endif
