/* reason.c: buffers for reasons, and lists. */
#include "bind/reason.h"

#include <lauxlib.h>

static char meta_key;

static int reason_gc(lua_State *L) {
  eh_buf_free(lua_touserdata(L, 1));
  return 0;
}

struct eh_buf *eh_push_reason(lua_State *L) {
  struct eh_buf *buf = lua_newuserdatauv(L, sizeof *buf, 0);
  eh_buf_init(buf, EH_MAX_MESSAGE);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &meta_key) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, reason_gc);
    lua_setfield(L, -2, "__gc");
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &meta_key);
  }
  lua_setmetatable(L, -2);
  return buf;
}

void eh_append_text(lua_State *L, const char *key, const char *text,
                    size_t len) {
  if (lua_getfield(L, -1, key) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, key);
  }
  lua_pushlstring(L, text, len);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}
