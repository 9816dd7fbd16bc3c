/* modules.c: the table of native modules. */
#include "bind/modules.h"

#include <lauxlib.h>

static const luaL_Reg modules[] = {
    {"evalhost.native.calls", luaopen_evalhost_native_calls},
    {"evalhost.native.csv", luaopen_evalhost_native_csv},
    {"evalhost.native.digest", luaopen_evalhost_native_digest},
    {"evalhost.native.fiber", luaopen_evalhost_native_fiber},
    {"evalhost.native.fs", luaopen_evalhost_native_fs},
    {"evalhost.native.ground", luaopen_evalhost_native_ground},
    {"evalhost.native.host", luaopen_evalhost_native_host},
    {"evalhost.native.http", luaopen_evalhost_native_http},
    {"evalhost.native.idset", luaopen_evalhost_native_idset},
    {"evalhost.native.json", luaopen_evalhost_native_json},
    {"evalhost.native.os", luaopen_evalhost_native_os},
    {"evalhost.native.process", luaopen_evalhost_native_process},
    {"evalhost.native.sse", luaopen_evalhost_native_sse},
    {"evalhost.native.stats", luaopen_evalhost_native_stats},
    {"evalhost.native.store", luaopen_evalhost_native_store},
    {"evalhost.native.term", luaopen_evalhost_native_term},
    {"evalhost.native.text", luaopen_evalhost_native_text},
    {NULL, NULL}};

void eh_modules_open(lua_State *L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  luaL_setfuncs(L, modules, 0);
  lua_pop(L, 1);
  eh_cjson_open(L);
}
