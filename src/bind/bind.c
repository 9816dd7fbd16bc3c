/* bind.c: what the native modules share. */
#include "bind/bind.h"

#include "vm/vm.h"

void eh_push_err(lua_State *L, const struct eh_err *err) {
  eh_vm_push_error(L, eh_err_name(err->code), err->msg);
  if (err->line > 0) {
    lua_pushinteger(L, (lua_Integer)err->line);
    lua_setfield(L, -2, "line");
    lua_pushinteger(L, (lua_Integer)err->column);
    lua_setfield(L, -2, "column");
    lua_pushinteger(L, (lua_Integer)err->offset);
    lua_setfield(L, -2, "offset");
  }
}

int eh_push_fail(lua_State *L, const struct eh_err *err) {
  lua_pushnil(L);
  eh_push_err(L, err);
  return 2;
}
