/* cjson.c: lua-cjson for suites and agents. The engine itself uses
 * evalhost.native.json: nothing that a score or a record depends on. */
#include "bind/modules.h"

#include <lauxlib.h>

int luaopen_cjson(lua_State *L);
int luaopen_cjson_safe(lua_State *L);

void eh_cjson_open(lua_State *L) {
  static const luaL_Reg modules[] = {{"cjson", luaopen_cjson},
                                     {"cjson.safe", luaopen_cjson_safe},
                                     {NULL, NULL}};
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  luaL_setfuncs(L, modules, 0);
  lua_pop(L, 1);
}
