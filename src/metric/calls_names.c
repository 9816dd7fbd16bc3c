/* calls_names.c: which tools were called: tool_selection, tools_exact,
 * tool_minimality. */
#include "metric/calls.h"

#include <string.h>

static bool same_name(const struct eh_call *a, const struct eh_call *b) {
  return a->name_len == b->name_len &&
         memcmp(a->name, b->name, a->name_len) == 0;
}

static bool named_before(struct eh_calls calls, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (same_name(&calls.items[i], &calls.items[index]))
      return true;
  return false;
}

/* The first call of the name of `call` that is free; SIZE_MAX if none. */
static size_t find(struct eh_calls calls, const bool *used,
                   const struct eh_call *call) {
  for (size_t i = 0; i < calls.count; i++)
    if (!used[i] && same_name(&calls.items[i], call))
      return i;
  return (size_t)-1;
}

void eh_calls_names(struct eh_arena *arena, struct eh_calls expected,
                    struct eh_calls actual, bool as_set, struct eh_names *out) {
  bool *used = eh_arena_alloc(arena, actual.count);
  memset(out, 0, sizeof *out);
  if (actual.count > 0)
    memset(used, 0, actual.count);
  out->missing = eh_arena_alloc(arena, expected.count * sizeof(size_t));
  out->extra = eh_arena_alloc(arena, actual.count * sizeof(size_t));
  for (size_t i = 0; i < expected.count; i++) {
    size_t at;
    if (as_set && named_before(expected, i))
      continue;
    out->wanted++;
    at = find(actual, used, &expected.items[i]);
    if (at == (size_t)-1) {
      out->missing[out->missing_count++] = i;
      continue;
    }
    out->common++;
    used[at] = true;
    for (size_t k = at + 1; as_set && k < actual.count; k++)
      if (same_name(&actual.items[k], &actual.items[at]))
        used[k] = true;
  }
  for (size_t i = 0; i < actual.count; i++)
    if (!used[i] && !(as_set && named_before(actual, i)))
      out->extra[out->extra_count++] = i;
}

static void add_names(struct eh_buf *reason, const char *label,
                      struct eh_calls calls, const size_t *indices,
                      size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct eh_call *call = &calls.items[indices[i]];
    eh_buf_adds(reason, i == 0 ? label : ", ");
    eh_buf_add(reason, call->name, call->name_len);
  }
}

static void add_differences(struct eh_buf *reason, struct eh_calls expected,
                            struct eh_calls actual,
                            const struct eh_names *names) {
  add_names(reason, "; missing ", expected, names->missing,
            names->missing_count);
  add_names(reason, "; extra ", actual, names->extra, names->extra_count);
}

double eh_calls_selection(struct eh_calls expected, struct eh_calls actual,
                          const struct eh_selection_opts *opts,
                          const struct eh_names *names, struct eh_buf *reason) {
  if (names->wanted == 0) {
    eh_buf_adds(reason, "no tool expected");
    add_differences(reason, expected, actual, names);
    return opts->no_calls && actual.count > 0 ? 0 : 1;
  }
  eh_buf_addf(reason, "%zu/%zu expected tools called", names->common,
              names->wanted);
  add_differences(reason, expected, actual, names);
  return (double)names->common / (double)names->wanted;
}

double eh_calls_exact(struct eh_calls expected, struct eh_calls actual,
                      bool order, const struct eh_names *names,
                      struct eh_buf *reason) {
  if (names->missing_count + names->extra_count > 0) {
    eh_buf_adds(reason, "other tools than expected");
    add_differences(reason, expected, actual, names);
    return 0;
  }
  for (size_t i = 0; order && i < expected.count; i++)
    if (!same_name(&expected.items[i], &actual.items[i])) {
      eh_buf_addf(reason, "call %zu: expected %.*s, got %.*s", i + 1,
                  (int)expected.items[i].name_len, expected.items[i].name,
                  (int)actual.items[i].name_len, actual.items[i].name);
      return 0;
    }
  eh_buf_addf(reason, "%zu/%zu expected tools called", names->common,
              names->wanted);
  return 1;
}

double eh_calls_minimality(struct eh_calls expected, struct eh_calls actual,
                           const struct eh_names *names,
                           struct eh_buf *reason) {
  eh_buf_addf(reason, "%zu call%s, %zu expected", actual.count,
              actual.count == 1 ? "" : "s", expected.count);
  add_differences(reason, expected, actual, names);
  return actual.count == expected.count ? 1 : 0;
}
