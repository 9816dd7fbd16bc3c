/* restrict.c: what a suite may not call, each with its alternative. Suites
 * are trusted code; these would end the host, block every other case, or
 * blind the watchdog. */
#include "vm/private.h"

#include <lauxlib.h>

static const struct {
  const char *table, *name, *instead;
} forbidden[] = {
    {"os", "exit", "return from the suite, or call error()"},
    {"os", "execute", "use eval.process.run, which does not block"},
    {"io", "popen", "use eval.process.run, which does not block"},
    {"io", "read",
     "read files with io.open or eval.read; the run's standard "
     "input belongs to `--cases -`"},
    {"package", "loadlib", "native code cannot be loaded; write Lua"},
    {"debug", "sethook", "hooks belong to the watchdog"},
};

static int refuse(lua_State *L) {
  return luaL_error(L, "%s.%s is not available in a suite: %s",
                    lua_tostring(L, lua_upvalueindex(1)),
                    lua_tostring(L, lua_upvalueindex(2)),
                    lua_tostring(L, lua_upvalueindex(3)));
}

void eh_restrict_open(lua_State *L) {
  for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++) {
    lua_getglobal(L, forbidden[i].table);
    lua_pushstring(L, forbidden[i].table);
    lua_pushstring(L, forbidden[i].name);
    lua_pushstring(L, forbidden[i].instead);
    lua_pushcclosure(L, refuse, 3);
    lua_setfield(L, -2, forbidden[i].name);
    lua_pop(L, 1);
  }
}
