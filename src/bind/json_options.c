/* json_options.c: options are read in one pass over their table. */
#include "bind/json_options.h"

#include "json/writer.h"

#include <lauxlib.h>
#include <string.h>

/* The key at -2; raises if it is no name. */
static const char *option_name(lua_State *L) {
  if (lua_type(L, -2) != LUA_TSTRING)
    luaL_error(L, "unknown option (not a name)");
  return lua_tostring(L, -2);
}

/* The value on top. */
static bool option_flag(lua_State *L, const char *name) {
  if (!lua_isboolean(L, -1))
    luaL_error(L, "option %s must be a boolean", name);
  return lua_toboolean(L, -1);
}

/* The whole number on top, 1 or more. */
static size_t option_size(lua_State *L, const char *name) {
  int is_integer;
  lua_Integer value = lua_tointegerx(L, -1, &is_integer);
  if (!is_integer || value < 1)
    luaL_error(L, "option %s must be a whole number above 0", name);
  return (size_t)value;
}

static bool last_wins(lua_State *L) {
  const char *value = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  if (strcmp(value, "last") != 0 && strcmp(value, "reject") != 0)
    luaL_error(L, "option duplicates must be \"reject\" or \"last\"");
  return strcmp(value, "last") == 0;
}

void eh_json_decode_options(lua_State *L, int idx, struct eh_json_opts *opts) {
  *opts = (struct eh_json_opts){0};
  if (lua_isnoneornil(L, idx))
    return;
  luaL_checktype(L, idx, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
    const char *name = option_name(L);
    if (strcmp(name, "bom") == 0)
      opts->bom = option_flag(L, name);
    else if (strcmp(name, "duplicates") == 0)
      opts->last_wins = last_wins(L);
    else if (strcmp(name, "max_depth") == 0)
      opts->max_depth = option_size(L, name);
    else if (strcmp(name, "max_bytes") == 0)
      opts->max_bytes = option_size(L, name);
    else
      luaL_error(L, "unknown option %s", name);
  }
}

static unsigned flag_of(const char *name) {
  if (strcmp(name, "pretty") == 0)
    return EH_JSON_PRETTY;
  if (strcmp(name, "canonical") == 0)
    return EH_JSON_CANONICAL;
  return strcmp(name, "html") == 0 ? EH_JSON_HTML : 0;
}

void eh_json_encode_options(lua_State *L, int idx, struct eh_json_take *how,
                            unsigned *flags) {
  *how = (struct eh_json_take){0};
  *flags = 0;
  if (lua_isnoneornil(L, idx))
    return;
  luaL_checktype(L, idx, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
    const char *name = option_name(L);
    if (strcmp(name, "repair") == 0)
      how->repair = option_flag(L, name);
    else if (strcmp(name, "max_depth") == 0)
      how->max_depth = option_size(L, name);
    else if (flag_of(name) == 0)
      luaL_error(L, "unknown option %s", name);
    else if (option_flag(L, name))
      *flags |= flag_of(name);
  }
}
