/* noreturn.h: tells the static analyzer which functions of Lua do not return.
 * Included first by .ci/run, for clang-tidy only. */
#if __has_include(<lauxlib.h>)
#include <lauxlib.h>
__attribute__((noreturn)) int lua_error(lua_State *L);
__attribute__((noreturn)) int luaL_error(lua_State *L, const char *fmt, ...);
__attribute__((noreturn)) int luaL_argerror(lua_State *L, int arg,
                                            const char *extramsg);
__attribute__((noreturn)) int luaL_typeerror(lua_State *L, int arg,
                                             const char *tname);
#endif
