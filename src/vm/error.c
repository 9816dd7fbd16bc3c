/* error.c: errors as scripts see them, and safe texts of anything thrown. */
#include "vm/private.h"

#include <lauxlib.h>

#include <string.h>

static const char metatable_key = 0;

static int error_tostring(lua_State *L) {
  lua_getfield(L, 1, "message");
  if (!lua_isstring(L, -1))
    lua_pushliteral(L, "error");
  return 1;
}

/* A table { code, message } whose tostring is the message. */
void eh_vm_push_error(lua_State *L, const char *code, const char *message) {
  lua_createtable(L, 0, 4);
  lua_pushstring(L, code);
  lua_setfield(L, -2, "code");
  lua_pushstring(L, message);
  lua_setfield(L, -2, "message");
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &metatable_key) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, error_tostring);
    lua_setfield(L, -2, "__tostring");
    lua_pushliteral(L, "evalhost.error");
    lua_setfield(L, -2, "__name");
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &metatable_key);
  }
  lua_setmetatable(L, -2);
}

static int protected_tostring(lua_State *L) {
  luaL_tolstring(L, 1, NULL);
  return 1;
}

/* Pushes a text for the value at idx; never raises but for memory, whatever
 * its __tostring does. */
const char *eh_vm_push_text(lua_State *L, int idx) {
  idx = lua_absindex(L, idx);
  if (!lua_checkstack(L, 4))
    return "(no stack left)";
  lua_pushcfunction(L, protected_tostring);
  lua_pushvalue(L, idx);
  if (lua_pcall(L, 1, 1, 0) != LUA_OK || !lua_isstring(L, -1)) {
    lua_pop(L, 1);
    lua_pushfstring(L, "(a %s as error, whose __tostring failed)",
                    luaL_typename(L, idx));
  }
  return lua_tostring(L, -1);
}

/* A value that already is an error of ours: a table with a code, or a
 * userdata (private signals of the library). */
static bool is_error(lua_State *L) {
  bool known;
  if (lua_type(L, 1) == LUA_TUSERDATA)
    return true;
  if (lua_type(L, 1) != LUA_TTABLE)
    return false;
  lua_pushliteral(L, "code");
  known = lua_rawget(L, 1) == LUA_TSTRING;
  lua_pop(L, 1);
  return known;
}

int eh_error_handler(lua_State *L) {
  lua_settop(L, 1);
  if (!is_error(L)) {
    const char *text = lua_isnil(L, 1) ? "error(nil)" : eh_vm_push_text(L, 1);
    eh_vm_push_error(L, "lua_error", text);
    lua_replace(L, 1);
    lua_settop(L, 1);
  }
  if (lua_type(L, 1) == LUA_TTABLE) {
    lua_pushliteral(L, "traceback");
    if (lua_rawget(L, 1) == LUA_TNIL) {
      lua_pushliteral(L, "traceback");
      luaL_traceback(L, L, NULL, 1);
      lua_rawset(L, 1);
    }
    lua_settop(L, 1);
  }
  return 1;
}
