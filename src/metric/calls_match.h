/* calls_match.h: one call's arguments against another's, private to src/metric.
 */
#ifndef EH_METRIC_CALLS_MATCH_H
#define EH_METRIC_CALLS_MATCH_H

#include "base/buf.h"
#include "metric/calls.h"

/* The rules in force at one field. */
struct eh_field {
  struct eh_field_rule rule;
  bool close_integers; /* a tolerance was asked for */
};

struct eh_matcher {
  struct eh_arena *arena;
  const struct eh_args_opts *opts;
  const char *tool;         /* the expected call's name */
  struct eh_buf path;       /* of the field at hand */
  struct eh_finding **tail; /* where findings go; NULL: nowhere */
  unsigned flags;           /* EH_ARGS_COERCED */
  int code;                 /* the first failure; ends the comparison */
};

/* How many leaves count, and how many of them match. */
struct eh_leaves {
  size_t total;
  size_t matched;
};

/* calls_match.c: compares the value at the matcher's path; actual may be NULL.
 */
struct eh_leaves eh_match_value(struct eh_matcher *m, const struct eh_field *up,
                                const struct eh_json *expected,
                                const struct eh_json *actual);

/* calls_match.c: value, fields, matched, findings and flags of out, from two
 * objects; expected NULL matches any. */
int eh_match_args(struct eh_matcher *m, const struct eh_json *expected,
                  const struct eh_json *actual, struct eh_call_match *out);

/* calls_field.c: paths, rules, findings. A push returns the length to pop to.
 */
size_t eh_field_push_key(struct eh_matcher *m, const char *key, size_t len);
size_t eh_field_push_index(struct eh_matcher *m, size_t index);
void eh_field_pop(struct eh_matcher *m, size_t len);
void eh_field_root(const struct eh_matcher *m, struct eh_field *out);
void eh_field_enter(const struct eh_matcher *m, const struct eh_field *up,
                    struct eh_field *out);
void eh_field_find(struct eh_matcher *m, enum eh_finding_kind kind,
                   const struct eh_json *expected,
                   const struct eh_json *actual);

/* calls_scalar.c: whether two values that are no containers match. */
bool eh_match_scalar(struct eh_matcher *m, const struct eh_field *field,
                     const struct eh_json *expected,
                     const struct eh_json *actual);

/* calls_array.c */
bool eh_match_array(struct eh_matcher *m, const struct eh_field *field,
                    const struct eh_json *expected,
                    const struct eh_json *actual);

#endif
