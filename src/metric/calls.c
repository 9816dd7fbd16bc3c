/* calls.c: argument_match: pairs calls and averages their matches. */
#include "metric/calls.h"

#include "base/alloc.h"
#include "base/err.h"
#include "metric/calls_match.h"

#include <string.h>

struct work {
  struct eh_arena *arena;
  struct eh_calls expected;
  struct eh_calls actual;
  const struct eh_args_opts *opts;
  size_t *partner; /* of each expected call */
  bool *used;      /* of each actual call */
};

static bool same_name(const struct eh_call *a, const struct eh_call *b) {
  return a->name_len == b->name_len &&
         memcmp(a->name, b->name, a->name_len) == 0;
}

/* Compares expected call i with actual call j. */
static int compare(const struct work *w, size_t i, size_t j,
                   struct eh_call_match *out) {
  const struct eh_call *expected = &w->expected.items[i];
  const struct eh_call *actual = &w->actual.items[j];
  struct eh_matcher m = {.arena = w->arena, .opts = w->opts};
  int rc;
  memset(out, 0, sizeof *out);
  out->partner = j;
  out->flags = actual->flags;
  if (actual->flags & EH_ARGS_UNPARSEABLE) {
    if (expected->args != NULL)
      out->fields = expected->args->as.object.count;
    return 0;
  }
  m.tool = expected->name;
  eh_buf_init(&m.path, EH_MAX_MESSAGE * 4);
  rc = eh_match_args(&m, expected->args, actual->args, out);
  eh_buf_free(&m.path);
  return rc;
}

static void pair_in_order(struct work *w) {
  for (size_t i = 0; i < w->expected.count; i++)
    for (size_t j = 0; j < w->actual.count; j++)
      if (!w->used[j] &&
          same_name(&w->expected.items[i], &w->actual.items[j])) {
        w->partner[i] = j;
        w->used[j] = true;
        break;
      }
}

static void pair_by_position(struct work *w) {
  for (size_t i = 0; i < w->expected.count && i < w->actual.count; i++)
    if (same_name(&w->expected.items[i], &w->actual.items[i]))
      w->partner[i] = i;
}

/* The calls named like expected call `first`, as indices. */
static size_t collect(struct eh_calls calls, const struct eh_call *like,
                      size_t *out) {
  size_t count = 0;
  for (size_t i = 0; i < calls.count; i++)
    if (same_name(&calls.items[i], like))
      out[count++] = i;
  return count;
}

/* The best assignment among the calls of one name. rows and cols are room
 * for indices. */
static int pair_name(struct work *w, size_t first, size_t *rows, size_t *cols) {
  const struct eh_call *like = &w->expected.items[first];
  size_t n = collect(w->expected, like, rows), *partner;
  size_t m = collect(w->actual, like, cols), least = n < m ? n : m;
  double *weight;
  int rc = 0;
  if (least == 0)
    return 0;
  if (n > EH_ASSIGN_WORK / least / m)
    return EH_ELIMIT;
  weight = eh_malloc(n * m * sizeof *weight);
  partner = eh_malloc(n * sizeof *partner);
  for (size_t i = 0; i < n && rc == 0; i++)
    for (size_t j = 0; j < m && rc == 0; j++) {
      struct eh_call_match match;
      rc = compare(w, rows[i], cols[j], &match);
      weight[i * m + j] = match.value;
    }
  if (rc == 0)
    rc = eh_assign(weight, n, m, partner);
  for (size_t i = 0; i < n && rc == 0; i++)
    if (partner[i] != EH_NO_PARTNER)
      w->partner[rows[i]] = cols[partner[i]];
  eh_free(weight);
  eh_free(partner);
  return rc;
}

static bool first_of_name(struct eh_calls calls, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (same_name(&calls.items[i], &calls.items[index]))
      return false;
  return true;
}

static int pair_best(struct work *w) {
  size_t *rows = eh_arena_alloc(w->arena, w->expected.count * sizeof *rows);
  size_t *cols = eh_arena_alloc(w->arena, w->actual.count * sizeof *cols);
  int rc = 0;
  for (size_t i = 0; i < w->expected.count && rc == 0; i++)
    if (first_of_name(w->expected, i))
      rc = pair_name(w, i, rows, cols);
  return rc;
}

static int pair(struct work *w) {
  size_t count = w->expected.count;
  w->partner = eh_arena_alloc(w->arena, count * sizeof *w->partner);
  w->used = eh_arena_alloc(w->arena, w->actual.count);
  for (size_t i = 0; i < count; i++)
    w->partner[i] = EH_NO_PARTNER;
  for (size_t j = 0; j < w->actual.count; j++)
    w->used[j] = false;
  switch (w->opts->pairing) {
  case EH_PAIR_POSITION:
    pair_by_position(w);
    return 0;
  case EH_PAIR_BEST:
    return pair_best(w);
  default:
    pair_in_order(w);
    return 0;
  }
}

int eh_calls_args(struct eh_arena *arena, struct eh_calls expected,
                  struct eh_calls actual, const struct eh_args_opts *opts,
                  struct eh_args_result *out) {
  static const struct eh_args_opts defaults = {.pairing = EH_PAIR_IN_ORDER};
  struct work w = {.arena = arena, .expected = expected, .actual = actual};
  double sum = 0;
  int rc;
  w.opts = opts != NULL ? opts : &defaults;
  memset(out, 0, sizeof *out);
  out->count = expected.count;
  out->calls = eh_arena_alloc(arena, expected.count * sizeof *out->calls);
  rc = pair(&w);
  for (size_t i = 0; i < expected.count && rc == 0; i++) {
    struct eh_call_match *match = &out->calls[i];
    if (w.partner[i] == EH_NO_PARTNER)
      *match = (struct eh_call_match){.partner = EH_NO_PARTNER};
    else
      rc = compare(&w, i, w.partner[i], match);
    sum += match->value;
    out->flags |= match->flags;
  }
  out->value = expected.count == 0 ? 1 : sum / (double)expected.count;
  return rc;
}
