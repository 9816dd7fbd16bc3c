/* store_lua.h: what store.c, store_run.c and store_cursor.c share of their Lua
 * side. */
#ifndef EH_BIND_STORE_LUA_H
#define EH_BIND_STORE_LUA_H

#include "bind/store_batch.h"

#include <lauxlib.h>
#include <lua.h>

/* User values: 1 the store, 2 a table of the fields that scripts read. */
struct eh_store_lua_run {
  struct eh_store_run row; /* while the fields are being filled in */
  int64_t number;
};

/* The batch of the open store at idx; raises for anything else. */
struct eh_batch *eh_store_lua_batch(lua_State *L, int idx);

/* Pushes an empty run of the store at idx; its row is to be filled. */
struct eh_store_lua_run *eh_store_lua_push_run(lua_State *L, int store);

/* Makes the fields of the run on top from its row, and releases that. */
void eh_store_lua_fill_run(lua_State *L, struct eh_store_lua_run *run);

/* The run that is argument 1, and the open store that it is in. */
struct eh_store_lua_run *eh_store_lua_check_run(lua_State *L,
                                                struct eh_batch **batch);

/* Leaves field `name` of the table on top below it, which keeps the text
 * alive; an absent one gives `absent`, or raises if that is NULL. */
struct eh_store_text eh_store_lua_text(lua_State *L, const char *name,
                                       const char *absent);

/* Field `name` of the table on top; raises if it is no integer. */
lua_Integer eh_store_lua_integer(lua_State *L, const char *name,
                                 lua_Integer absent);

/* Lua: run:results([options]): an iterator that a generic for closes. */
int eh_store_lua_results(lua_State *L);

/* Make a metatable; methods may be NULL. */
void eh_store_lua_new_type(lua_State *L, const char *name, const luaL_Reg *meta,
                           const luaL_Reg *methods);
void eh_store_lua_open_run(lua_State *L);
void eh_store_lua_open_cursor(lua_State *L);

#endif
