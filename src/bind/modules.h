/* modules.h: the native modules. modules.c holds the table that makes
 * `require "evalhost.native.X"` work. */
#ifndef EH_BIND_MODULES_H
#define EH_BIND_MODULES_H

#include <lua.h>

int luaopen_evalhost_native_calls(lua_State *L);
int luaopen_evalhost_native_csv(lua_State *L);
int luaopen_evalhost_native_digest(lua_State *L);
int luaopen_evalhost_native_fiber(lua_State *L);
int luaopen_evalhost_native_fs(lua_State *L);
int luaopen_evalhost_native_ground(lua_State *L);
int luaopen_evalhost_native_host(lua_State *L);
int luaopen_evalhost_native_http(lua_State *L);
int luaopen_evalhost_native_idset(lua_State *L);
int luaopen_evalhost_native_json(lua_State *L);
int luaopen_evalhost_native_os(lua_State *L);
int luaopen_evalhost_native_process(lua_State *L);
int luaopen_evalhost_native_sse(lua_State *L);
int luaopen_evalhost_native_stats(lua_State *L);
int luaopen_evalhost_native_store(lua_State *L);
int luaopen_evalhost_native_term(lua_State *L);
int luaopen_evalhost_native_text(lua_State *L);

/* Preloads all of them, and lua-cjson under its own two names. */
void eh_modules_open(lua_State *L);

/* cjson.c: `require "cjson"` and `require "cjson.safe"`. */
void eh_cjson_open(lua_State *L);

#endif
