/* idset.c: evalhost.native.idset: the ids of a dataset, 16 bytes each. */
#include "base/idset.h"

#include "bind/bind.h"
#include "bind/modules.h"

static const char set_type[] = "evalhost.idset";

static int set_add(lua_State *L) {
  struct eh_idset *set = luaL_checkudata(L, 1, set_type);
  size_t len;
  const char *text = luaL_checklstring(L, 2, &len);
  lua_pushboolean(L, eh_idset_add(set, text, len));
  return 1;
}

static int set_count(lua_State *L) {
  const struct eh_idset *set = luaL_checkudata(L, 1, set_type);
  lua_pushinteger(L, (lua_Integer)set->count);
  return 1;
}

static int set_close(lua_State *L) {
  eh_idset_free(luaL_checkudata(L, 1, set_type));
  return 0;
}

static int l_new(lua_State *L) {
  eh_idset_init(lua_newuserdatauv(L, sizeof(struct eh_idset), 0));
  luaL_setmetatable(L, set_type);
  return 1;
}

int luaopen_evalhost_native_idset(lua_State *L) {
  static const luaL_Reg functions[] = {{"new", l_new}, {NULL, NULL}};
  static const luaL_Reg methods[] = {{"add", set_add},
                                     {"count", set_count},
                                     {"close", set_close},
                                     {NULL, NULL}};
  luaL_newmetatable(L, set_type);
  luaL_newlib(L, methods);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, set_close);
  lua_setfield(L, -2, "__gc");
  luaL_newlib(L, functions);
  return 1;
}
