/* json_walk.h: what json_take.c and json_encode.c, which both walk through
 * Lua values, share: where a value stands, and what a table is in JSON. */
#ifndef EH_BIND_JSON_WALK_H
#define EH_BIND_JSON_WALK_H

#include "bind/json.h"

/* Where a value stands in the tables around it. */
struct eh_json_frame {
  const struct eh_json_frame *up;
  const void *table; /* NULL in the root */
  const char *key;   /* of the value in that table, or NULL ... */
  size_t key_len;
  lua_Integer index; /* ... and then its index */
};

/* Fills err with the path, such as cases[3].outcome.answer, and what is wrong
 * there; returns code. */
int eh_json_fail_in(const struct eh_json_frame *at, int code, const char *what,
                    struct eh_err *err);

/* May the walk go into the table on top, which stands at `at`? EH_ETYPE if it
 * contains itself, EH_EDEPTH if depth tables around it are enough. Makes room
 * for some values on the stack. */
int eh_json_enter(lua_State *L, const struct eh_json_frame *at, size_t depth,
                  size_t max_depth, struct eh_err *err);

/* The table on top: an array of count items, or an object of count members.
 * EH_ETYPE if it is neither. */
int eh_json_shape(lua_State *L, const struct eh_json_frame *at, bool *array,
                  size_t *count, struct eh_err *err);

/* Why a number cannot be written, or NULL. */
const char *eh_json_number_fault(double value);

/* The depth that counts for what was asked. */
size_t eh_json_depth_limit(size_t asked);

#endif
