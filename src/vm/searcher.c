/* searcher.c: how `require` finds modules: natives that were preloaded, then
 * the library under the name evalhost (embedded, or from --scripts DIR), then
 * the suite's own folder through package.path. Native code is not searched. */
#include "vm/private.h"

#include <lauxlib.h>

#include <stdio.h>
#include <string.h>

static int from_disk(lua_State *L, const char *dir, const char *name) {
  const char *path = luaL_gsub(L, name, ".", "/");
  for (int i = 0; i < 2; i++) {
    const char *file = i == 0 ? lua_pushfstring(L, "%s/%s.lua", dir, path)
                              : lua_pushfstring(L, "%s/%s/init.lua", dir, path);
    FILE *probe = fopen(file, "r");
    if (probe == NULL)
      continue;
    fclose(probe);
    if (luaL_loadfilex(L, file, "t") != LUA_OK)
      return lua_error(L);
    lua_pushstring(L, file);
    return 2;
  }
  lua_pushfstring(L, "no script '%s' in '%s'", name, dir);
  return 1;
}

/* A folder's init.lua is also the module of the folder's name. */
static bool is_named(const char *module, const char *name) {
  size_t len = strlen(name);
  return strncmp(module, name, len) == 0 &&
         (module[len] == '\0' || strcmp(module + len, ".init") == 0);
}

static int find(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  const struct eh_vm *vm = eh_vm_of(L);
  if (strcmp(name, "evalhost") != 0 && strncmp(name, "evalhost.", 9) != 0)
    return 0;
  if (vm->scripts_dir != NULL)
    return from_disk(L, vm->scripts_dir, name);
  for (const struct eh_script *at = vm->scripts; at && at->module; at++) {
    if (!is_named(at->module, name))
      continue;
    lua_pushfstring(L, "@%s", at->file);
    if (luaL_loadbufferx(L, (const char *)at->code, at->len,
                         lua_tostring(L, -1), NULL) != LUA_OK)
      return lua_error(L);
    lua_pushstring(L, at->file);
    return 2;
  }
  lua_pushfstring(L, "no script '%s' in the library of evalhost", name);
  return 1;
}

void eh_searcher_open(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "searchers"); /* preload, path, C, C root */
  lua_pushnil(L);
  lua_rawseti(L, -2, 4);
  lua_rawgeti(L, -1, 2);
  lua_rawseti(L, -2, 3);
  lua_pushcfunction(L, find);
  lua_rawseti(L, -2, 2);
  lua_pop(L, 1);
  lua_pushliteral(L, "");
  lua_setfield(L, -2, "cpath");
  lua_pushliteral(L, "");
  lua_setfield(L, -2, "path");
  lua_pop(L, 1);
}
