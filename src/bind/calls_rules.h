/* calls_rules.h: the options of argument_match, compiled. */
#ifndef EH_BIND_CALLS_RULES_H
#define EH_BIND_CALLS_RULES_H

#include "metric/calls.h"

#include <lua.h>

struct eh_calls_rules {
  struct eh_arena arena;
  struct eh_args_opts opts;
  struct eh_field_rule *rules; /* opts.rules */
  size_t rule_room;
  struct eh_regex **regexes; /* by test; NULL: a function */
  size_t test_count;
  size_t test_room;
};

/* Makes the metatable. */
void eh_calls_rules_open(lua_State *L);

/* Pushes the rules of the options at idx: a table, compiled rules, or nil.
 * Raises for options that are wrong. The functions of tests are in a table,
 * user value 1. */
struct eh_calls_rules *eh_calls_rules_push(lua_State *L, int idx);

/* Compares under the rules at index `rules` of L's stack, which needs no more
 * room on it. Returns what eh_calls_args returns; raises what a function
 * raises, when no memory of the comparison is held any more. */
int eh_calls_rules_apply(lua_State *L, int rules, struct eh_arena *arena,
                         struct eh_calls expected, struct eh_calls actual,
                         struct eh_args_result *out);

#endif
