/* bind.h: what the native modules share. One file per module; each file
 * exports one luaopen function, listed in modules.c. */
#ifndef EH_BIND_BIND_H
#define EH_BIND_BIND_H

#include "base/arena.h"
#include "base/err.h"
#include "json/value.h"

#include <lauxlib.h>
#include <lua.h>

/* The outside world failed: pushes nil and an error table
 * { code, message [, line, column, offset] } with a __tostring, and returns 2.
 * (The caller's mistakes raise: luaL_argerror, luaL_error.) */
int eh_push_fail(lua_State *L, const struct eh_err *err);

/* Pushes only the error table. */
void eh_push_err(lua_State *L, const struct eh_err *err);

/* Pushes a value tree as Lua values (null is the null of evalhost.json and
 * of cjson; arrays carry the array metatable). Raises only on memory. */
void eh_json_push(lua_State *L, const struct eh_json *value);

/* Reads the Lua value at idx into a tree whose memory is arena's. Returns 0
 * or fills err (a function, a cycle, NaN, invalid UTF-8, mixed keys...).
 * Never raises. Strings are copied. */
int eh_json_from_lua(lua_State *L, int idx, struct eh_arena *arena,
                     struct eh_json *out, struct eh_err *err);

/* An arena inside a userdata, so that a raise cannot leak it: pushes the
 * userdata and returns its arena. */
struct eh_arena *eh_push_arena(lua_State *L);

#endif
