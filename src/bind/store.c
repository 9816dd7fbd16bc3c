/* store.c: evalhost.native.store: stores, and the runs in them, for scripts.
 * The rest of the module is in store_run.c and store_cursor.c. */
#include "bind/store.h"

#include "base/clock.h"
#include "bind/bind.h"
#include "bind/host.h"
#include "bind/modules.h"
#include "bind/store_lua.h"

#include <string.h>

#define STORE_TYPE "evalhost.store"

#define MAX_RUNS 10000

struct store {
  struct eh_batch *batch; /* NULL when closed */
};

struct eh_batch *eh_store_lua_batch(lua_State *L, int idx) {
  struct store *store = luaL_checkudata(L, idx, STORE_TYPE);
  if (store->batch == NULL)
    luaL_error(L, "the store is closed");
  return store->batch;
}

struct eh_store_text eh_store_lua_text(lua_State *L, const char *name,
                                       const char *absent) {
  struct eh_store_text text = {absent, absent != NULL ? strlen(absent) : 0};
  int type = lua_getfield(L, -1, name);
  if (type == LUA_TSTRING)
    text.ptr = lua_tolstring(L, -1, &text.len);
  else if (type != LUA_TNIL || absent == NULL)
    luaL_error(L, "field '%s' must be a string", name);
  lua_insert(L, -2); /* the table stays on top */
  return text;
}

lua_Integer eh_store_lua_integer(lua_State *L, const char *name,
                                 lua_Integer absent) {
  lua_Integer value = absent;
  int is_integer = 1;
  if (lua_getfield(L, -1, name) != LUA_TNIL)
    value = lua_tointegerx(L, -1, &is_integer);
  if (!is_integer)
    luaL_error(L, "field '%s' must be an integer", name);
  lua_pop(L, 1);
  return value;
}

static int l_open(lua_State *L) {
  size_t len;
  const char *path = luaL_checklstring(L, 1, &len);
  struct store *store;
  struct eh_err err;
  luaL_argcheck(L, len > 0 && strlen(path) == len, 1, "not a path");
  store = lua_newuserdatauv(L, sizeof *store, 0);
  store->batch = NULL;
  luaL_setmetatable(L, STORE_TYPE);
  if (eh_batch_open(eh_host_of(L)->store, path, &store->batch, &err) != 0) {
    store->batch = NULL;
    return eh_push_fail(L, &err);
  }
  return 1;
}

static int store_close(lua_State *L) {
  struct store *store = luaL_checkudata(L, 1, STORE_TYPE);
  struct eh_batch *batch = store->batch;
  struct eh_err err;
  store->batch = NULL;
  if (batch != NULL && eh_batch_close(batch, &err) != 0)
    return eh_push_fail(L, &err);
  lua_pushboolean(L, 1);
  return 1;
}

static int store_begin(lua_State *L) {
  struct eh_batch *batch = eh_store_lua_batch(L, 1);
  struct eh_store_run row = {0};
  char id[EH_STORE_RUN_ID_SIZE];
  struct eh_err err;
  struct eh_store_lua_run *run;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  row.id = eh_store_lua_text(L, "id", "");
  row.suite = eh_store_lua_text(L, "suite", NULL);
  row.target = eh_store_lua_text(L, "target", NULL);
  row.header = eh_store_lua_text(L, "header", "{}");
  row.started_at = eh_store_lua_integer(L, "started_at", eh_clock_wall());
  run = eh_store_lua_push_run(L, 1);
  if (eh_store_run_begin(eh_batch_store(batch), &row, id, &err) != 0)
    return eh_push_fail(L, &err);
  if (row.id.len == 0)
    row.id = (struct eh_store_text){id, strlen(id)};
  row.status = (struct eh_store_text){"running", 7};
  run->row = row; /* borrowed: memory is NULL */
  eh_store_lua_fill_run(L, run);
  return 1;
}

static int store_run(lua_State *L) {
  struct eh_batch *batch = eh_store_lua_batch(L, 1);
  const char *key = luaL_checkstring(L, 2);
  struct eh_store_lua_run *run = eh_store_lua_push_run(L, 1);
  struct eh_err err;
  if (eh_store_run_find(eh_batch_store(batch), key, &run->row, &err) != 0)
    return eh_push_fail(L, &err);
  eh_store_lua_fill_run(L, run);
  return 1;
}

static int store_runs(lua_State *L) {
  struct eh_batch *batch = eh_store_lua_batch(L, 1);
  lua_Integer limit = MAX_RUNS;
  int64_t before = INT64_MAX;
  struct eh_err err;
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    limit = eh_store_lua_integer(L, "limit", MAX_RUNS);
  }
  lua_newtable(L);
  for (lua_Integer i = 1; i <= limit && i <= MAX_RUNS; i++) {
    struct eh_store_lua_run *run = eh_store_lua_push_run(L, 1);
    if (eh_store_run_older(eh_batch_store(batch), before, &run->row, &err) != 0)
      return eh_push_fail(L, &err);
    if (run->row.run == 0) {
      lua_pop(L, 1);
      break;
    }
    eh_store_lua_fill_run(L, run);
    before = run->number;
    lua_rawseti(L, -2, i);
  }
  return 1;
}

static int store_trouble(lua_State *L) {
  const struct eh_err *err = eh_batch_trouble(eh_store_lua_batch(L, 1));
  if (err == NULL)
    lua_pushnil(L);
  else
    eh_push_err(L, err);
  return 1;
}

static const luaL_Reg functions[] = {{"open", l_open}, {NULL, NULL}};

static const luaL_Reg store_methods[] = {
    {"begin", store_begin},     {"run", store_run},     {"runs", store_runs},
    {"trouble", store_trouble}, {"close", store_close}, {NULL, NULL}};

static const luaL_Reg store_meta[] = {
    {"__gc", store_close}, {"__close", store_close}, {NULL, NULL}};

void eh_store_lua_new_type(lua_State *L, const char *name, const luaL_Reg *meta,
                           const luaL_Reg *methods) {
  luaL_newmetatable(L, name);
  luaL_setfuncs(L, meta, 0);
  if (methods != NULL) {
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
  }
  lua_pop(L, 1);
}

int luaopen_evalhost_native_store(lua_State *L) {
  eh_store_lua_new_type(L, STORE_TYPE, store_meta, store_methods);
  eh_store_lua_open_run(L);
  eh_store_lua_open_cursor(L);
  luaL_newlib(L, functions);
  return 1;
}
