/* calls.h: the calls that were expected against the calls that were made.
 *
 * Names and arguments are borrowed; what a function allocates lives in the
 * arena that it is given. A reason is appended to a buffer of the caller; a
 * reason that does not fit its cap is cut. */
#ifndef EH_METRIC_CALLS_H
#define EH_METRIC_CALLS_H

#include "base/arena.h"
#include "base/buf.h"
#include "metric/assign.h"
#include "json/value.h"

#include <stdbool.h>
#include <stddef.h>

/* Flags of a call's arguments. */
#define EH_ARGS_UNPARSEABLE    1u /* not an object, nor the text of one */
#define EH_ARGS_DOUBLE_ENCODED 2u /* the text of the text of an object */
#define EH_ARGS_COERCED        4u /* a field matched only by `coerce` */

struct eh_call {
  const char *name;
  size_t name_len;
  const struct eh_json *args; /* an object; NULL: none given */
  unsigned flags;
};

struct eh_calls {
  const struct eh_call *items;
  size_t count;
};

/* Sets call->args and the flags from arguments as they came: an object, its
 * text (parsed), the text of its text (parsed twice, flagged), null, or an
 * empty array, which is what an empty Lua table may look like. A blank text is
 * unparseable. NULL means none given. */
void eh_call_set_args(struct eh_arena *arena, struct eh_call *call,
                      const struct eh_json *raw);

/* --- names --- */

/* The multisets of names (or sets) compared. missing and extra are indices
 * into expected and actual, in their order. */
struct eh_names {
  size_t wanted; /* size of the expected multiset or set */
  size_t common;
  size_t *missing;
  size_t missing_count;
  size_t *extra;
  size_t extra_count;
};

void eh_calls_names(struct eh_arena *arena, struct eh_calls expected,
                    struct eh_calls actual, bool as_set, struct eh_names *out);

struct eh_selection_opts {
  bool as_set;   /* names count once */
  bool no_calls; /* nothing expected: 1 only if nothing was called */
};

/* tool_selection in [0, 1]: common / wanted; nothing expected is 1. */
double eh_calls_selection(struct eh_calls expected, struct eh_calls actual,
                          const struct eh_selection_opts *opts,
                          const struct eh_names *names, struct eh_buf *reason);

/* tools_exact, 0 or 1: equal multisets of names, or equal sequences. names
 * are those of eh_calls_names as multisets, also for the next one. */
double eh_calls_exact(struct eh_calls expected, struct eh_calls actual,
                      bool order, const struct eh_names *names,
                      struct eh_buf *reason);

/* tool_minimality, 0 or 1: as many calls as expected. */
double eh_calls_minimality(struct eh_calls expected, struct eh_calls actual,
                           const struct eh_names *names, struct eh_buf *reason);

/* --- arguments --- */

enum eh_pairing {
  EH_PAIR_IN_ORDER, /* the first unused call of the same name */
  EH_PAIR_BEST,     /* greatest total among calls of the same name */
  EH_PAIR_POSITION  /* the i-th with the i-th, if the names are equal */
};

enum eh_arrays {
  EH_ARRAYS_ORDERED,   /* same length, element by element */
  EH_ARRAYS_ANY_ORDER, /* same length, some pairing of the elements */
  EH_ARRAYS_SUBSET     /* every expected element has its own partner */
};

/* What a rule sets. */
#define EH_RULE_CASE      (1u << 0)
#define EH_RULE_TOLERANCE (1u << 1)
#define EH_RULE_RELATIVE  (1u << 2)
#define EH_RULE_ARRAYS    (1u << 3)
#define EH_RULE_COERCE    (1u << 4)
#define EH_RULE_EXTRA     (1u << 5)
#define EH_RULE_ACCEPT    (1u << 6)
#define EH_RULE_IGNORE    (1u << 7)
#define EH_RULE_DEFAULT   (1u << 8)
#define EH_RULE_TEST      (1u << 9)

/* How fields are compared: for every call or those of one tool, for every
 * field or those whose path matches.
 *
 * Paths start at the arguments: `a.b[0].c`. In a rule, `*` in a name stands
 * for any characters (`meta*`, `a.*.c`), `[*]` for any index; a name with
 * dots, brackets or stars is written `["a.b"]`. case, tolerance, relative,
 * arrays, coerce and extra hold for a field and all below it; accept, ignore,
 * default and test for exactly that field. Where rules disagree the more
 * special one wins: every field < tool < field < field of a tool; a path
 * with stars < one without. */
struct eh_field_rule {
  const char *tool; /* NULL: every tool */
  const char *path; /* NULL: every field */
  unsigned set;     /* EH_RULE_... */
  bool exact_case;  /* default: equal after case folding */
  double tolerance; /* numbers: abs(a - b) <= max(tolerance, relative * */
  double relative;  /*   max(abs a, abs b)); both 1e-9. Two integers compare
                     *   exactly unless a rule sets one of these. */
  enum eh_arrays arrays;
  bool coerce;                    /* "7" = 7, "true" = true */
  bool no_extra;                  /* a field that was not expected counts as
                                   *   one that does not match */
  const struct eh_json *accept;   /* an array: other values that match too */
  const struct eh_json *fallback; /* stands for an absent or null field */
  size_t test;                    /* a number for opts->test */
};

struct eh_args_opts {
  enum eh_pairing pairing;
  const struct eh_field_rule *rules; /* in the order of eh_rules_sort */
  size_t rule_count;
  /* Decides fields with EH_RULE_TEST; actual is never NULL. Another result
   * than 0 ends the comparison, which returns it. */
  int (*test)(void *arg, size_t test, const struct eh_json *expected,
              const struct eh_json *actual, bool *match);
  void *arg;
};

enum eh_finding_kind { EH_FIELD_MISSING, EH_FIELD_WRONG, EH_FIELD_EXTRA };

struct eh_finding {
  struct eh_finding *next;
  enum eh_finding_kind kind;
  const char *path;
  const struct eh_json *expected; /* NULL for an extra field */
  const struct eh_json *actual;   /* NULL for a missing field */
};

struct eh_call_match {
  size_t partner; /* index into actual, or EH_NO_PARTNER */
  double value;   /* in [0, 1] */
  size_t fields;  /* expected fields that count */
  size_t matched; /* those that match entirely */
  unsigned flags; /* EH_ARGS_... */
  struct eh_finding *findings;
};

struct eh_args_result {
  double value; /* the mean of calls[].value; 1 if nothing is expected */
  unsigned flags;
  struct eh_call_match *calls; /* one per expected call */
  size_t count;
};

/* Orders rules from general to special; of equals the later one wins. */
void eh_rules_sort(struct eh_field_rule *rules, size_t count);

/* Whether the rule path (with stars) matches a field's path. */
bool eh_path_matches(const char *rule, const char *path);

/* argument_match. opts may be NULL. Returns 0, EH_ELIMIT (too many calls for
 * EH_PAIR_BEST, a path that is too long), or what opts->test returned. */
int eh_calls_args(struct eh_arena *arena, struct eh_calls expected,
                  struct eh_calls actual, const struct eh_args_opts *opts,
                  struct eh_args_result *out);

/* One line per expected call, such as
 *   get_stock_price: 1/2 fields; missing period (expected "1mo")
 *   lookup: 0/1 fields; years: expected number 7, got string "7"
 *   get_company_info: not called */
void eh_calls_args_reason(struct eh_calls expected,
                          const struct eh_args_result *result,
                          struct eh_buf *reason);

#endif
