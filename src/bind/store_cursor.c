/* store_cursor.c: the results of a run for scripts, streamed. */
#include "bind/bind.h"
#include "bind/store_lua.h"

#define CURSOR_TYPE "evalhost.store.cursor"

struct cursor {
  struct eh_store_cursor *cursor; /* NULL when closed */
  bool records;
};

/* Raises: in a generic for, nil and an error would look like the end. */
static int raise(lua_State *L, const struct eh_err *err) {
  eh_push_err(L, err);
  return lua_error(L);
}

int eh_store_lua_results(lua_State *L) {
  struct eh_batch *batch;
  struct eh_store_lua_run *run = eh_store_lua_check_run(L, &batch);
  struct cursor *cursor;
  struct eh_err err;
  bool records = true;
  if (!lua_isnoneornil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    records = lua_getfield(L, 2, "records") == LUA_TNIL || lua_toboolean(L, -1);
  }
  cursor = lua_newuserdatauv(L, sizeof *cursor, 0);
  cursor->cursor = NULL;
  cursor->records = records;
  luaL_setmetatable(L, CURSOR_TYPE);
  if (eh_store_cursor_open(eh_batch_store(batch), run->number, records,
                           &cursor->cursor, &err) != 0)
    return raise(L, &err);
  lua_pushnil(L);
  lua_pushnil(L);
  lua_pushvalue(L, -3); /* closed when the loop is left */
  return 4;
}

static int cursor_call(lua_State *L) {
  struct cursor *cursor = luaL_checkudata(L, 1, CURSOR_TYPE);
  struct eh_store_result row;
  struct eh_err err;
  bool more;
  luaL_argcheck(L, cursor->cursor != NULL, 1, "the results are closed");
  if (eh_store_cursor_next(cursor->cursor, &row, &more, &err) != 0)
    return raise(L, &err);
  if (!more)
    return 0;
  lua_pushinteger(L, row.idx);
  lua_pushinteger(L, row.repeat);
  lua_pushlstring(L, row.case_id.ptr, row.case_id.len);
  lua_pushlstring(L, row.verdict.ptr, row.verdict.len);
  if (row.scored)
    lua_pushnumber(L, row.score);
  else
    lua_pushnil(L);
  lua_pushlstring(L, row.figures.ptr, row.figures.len);
  if (!cursor->records)
    return 6;
  lua_pushlstring(L, row.record.ptr, row.record.len);
  return 7;
}

static int cursor_close(lua_State *L) {
  struct cursor *cursor = luaL_checkudata(L, 1, CURSOR_TYPE);
  eh_store_cursor_close(cursor->cursor);
  cursor->cursor = NULL;
  return 0;
}

static const luaL_Reg cursor_methods[] = {{"close", cursor_close},
                                          {NULL, NULL}};

static const luaL_Reg cursor_meta[] = {{"__call", cursor_call},
                                       {"__gc", cursor_close},
                                       {"__close", cursor_close},
                                       {NULL, NULL}};

void eh_store_lua_open_cursor(lua_State *L) {
  eh_store_lua_new_type(L, CURSOR_TYPE, cursor_meta, cursor_methods);
}
