/* calls_array.c: arrays against arrays. */
#include "base/alloc.h"
#include "metric/calls_match.h"

#include <string.h>

/* Beyond this many pairs of elements, any_order and subset take the first
 * partner that fits and do not reconsider it. */
#define MAX_PAIRS ((size_t)4 << 20)

struct pairing {
  struct eh_matcher *m;
  const struct eh_field *field;
  const struct eh_json *expected;
  const struct eh_json *actual;
  size_t *holder;     /* of each actual element: expected index + 1, or 0 */
  signed char *known; /* -1 unknown, else the result; NULL: greedy */
  bool *seen;
};

/* Elements match when all their leaves do. Nothing is noted about them. */
static bool element(struct eh_matcher *m, const struct eh_field *field,
                    const struct eh_json *expected, size_t index,
                    const struct eh_json *actual) {
  struct eh_finding **tail = m->tail;
  size_t before = eh_field_push_index(m, index);
  struct eh_leaves leaves;
  m->tail = NULL;
  leaves = eh_match_value(m, field, expected, actual);
  m->tail = tail;
  eh_field_pop(m, before);
  return leaves.matched == leaves.total;
}

static bool fits(struct pairing *p, size_t i, size_t j) {
  size_t at = i * p->actual->as.array.count + j;
  bool match;
  if (p->known != NULL && p->known[at] >= 0)
    return p->known[at] == 1;
  match = element(p->m, p->field, &p->expected->as.array.items[i], i,
                  &p->actual->as.array.items[j]);
  if (p->known != NULL)
    p->known[at] = match;
  return match;
}

/* Finds element i a partner; may move others (an augmenting path). The depth
 * of the recursion is at most the number of expected elements. */
static bool settle(struct pairing *p, size_t i) {
  size_t n = p->actual->as.array.count;
  for (size_t j = 0; j < n; j++)
    if (p->holder[j] == 0 && fits(p, i, j)) {
      p->holder[j] = i + 1;
      return true;
    }
  for (size_t j = 0; p->known != NULL && j < n; j++) {
    if (p->holder[j] == 0 || p->seen[j] || !fits(p, i, j))
      continue;
    p->seen[j] = true;
    if (settle(p, p->holder[j] - 1)) {
      p->holder[j] = i + 1;
      return true;
    }
  }
  return false;
}

static bool all_settle(struct eh_matcher *m, const struct eh_field *field,
                       const struct eh_json *expected,
                       const struct eh_json *actual) {
  size_t rows = expected->as.array.count, cols = actual->as.array.count;
  struct pairing p = {m, field, expected, actual, NULL, NULL, NULL};
  bool ok = true;
  p.holder = eh_calloc(cols + 1, sizeof *p.holder);
  p.seen = eh_calloc(cols + 1, 1);
  if (rows > 0 && rows <= 4096 && cols <= MAX_PAIRS / rows) {
    p.known = eh_malloc(rows * cols + 1);
    memset(p.known, -1, rows * cols + 1);
  }
  for (size_t i = 0; ok && i < rows && m->code == 0; i++) {
    memset(p.seen, 0, cols + 1);
    ok = settle(&p, i);
  }
  eh_free(p.holder);
  eh_free(p.seen);
  eh_free(p.known);
  return ok;
}

bool eh_match_array(struct eh_matcher *m, const struct eh_field *field,
                    const struct eh_json *expected,
                    const struct eh_json *actual) {
  size_t rows = expected->as.array.count, cols = actual->as.array.count;
  if (rows > cols || (rows < cols && field->rule.arrays != EH_ARRAYS_SUBSET))
    return false;
  if (field->rule.arrays != EH_ARRAYS_ORDERED)
    return all_settle(m, field, expected, actual);
  for (size_t i = 0; i < rows && m->code == 0; i++)
    if (!element(m, field, &expected->as.array.items[i], i,
                 &actual->as.array.items[i]))
      return false;
  return true;
}
