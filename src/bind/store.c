/* store.c: evalhost.native.store, runs and results for scripts. */
#include "bind/store.h"

#include "base/clock.h"
#include "base/list.h"
#include "bind/bind.h"
#include "bind/host.h"
#include "bind/modules.h"
#include "bind/store_batch.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define STORE_TYPE  "evalhost.store"
#define RUN_TYPE    "evalhost.store.run"
#define CURSOR_TYPE "evalhost.store.cursor"
#define WAIT_TYPE   "evalhost.store.wait"

#define MAX_RUNS 10000

struct store {
  struct eh_batch *batch; /* NULL when closed */
};

/* User values: 1 the store, 2 a table of the fields that scripts read. */
struct run {
  struct eh_store_run row; /* while the fields are being filled in */
  int64_t number;
};

struct cursor {
  struct eh_store_cursor *cursor; /* NULL when closed */
  bool records;
};

static struct eh_batch *batch_at(lua_State *L, int idx) {
  struct store *store = luaL_checkudata(L, idx, STORE_TYPE);
  if (store->batch == NULL)
    luaL_error(L, "the store is closed");
  return store->batch;
}

/* The run that is argument 1, and the open store that it is in. */
static struct run *check_run(lua_State *L, struct eh_batch **batch) {
  struct run *run = luaL_checkudata(L, 1, RUN_TYPE);
  lua_getiuservalue(L, 1, 1);
  *batch = batch_at(L, lua_gettop(L));
  lua_pop(L, 1);
  return run;
}

static struct eh_store_text check_text(lua_State *L, int arg) {
  struct eh_store_text text;
  text.ptr = luaL_checklstring(L, arg, &text.len);
  return text;
}

/* Leaves field `name` of the table on top below it, which keeps the text
 * alive; an absent one gives `absent`, or raises if that is NULL. */
static struct eh_store_text field_text(lua_State *L, const char *name,
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

static lua_Integer field_integer(lua_State *L, const char *name,
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

static void set_text(lua_State *L, const char *name,
                     struct eh_store_text text) {
  lua_pushlstring(L, text.ptr != NULL ? text.ptr : "", text.len);
  lua_setfield(L, -2, name);
}

static void set_integer(lua_State *L, const char *name, lua_Integer value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, name);
}

/* Pushes an empty run of the store at idx; run->row is to be filled. */
static struct run *push_run(lua_State *L, int store) {
  struct run *run = lua_newuserdatauv(L, sizeof *run, 2);
  memset(run, 0, sizeof *run);
  luaL_setmetatable(L, RUN_TYPE);
  lua_pushvalue(L, store);
  lua_setiuservalue(L, -2, 1);
  return run;
}

/* Makes the fields of the run on top from its row, and releases that. */
static void fill_run(lua_State *L, struct run *run) {
  const struct eh_store_run *row = &run->row;
  run->number = row->run;
  lua_createtable(L, 0, 9);
  set_text(L, "id", row->id);
  set_text(L, "suite", row->suite);
  set_text(L, "target", row->target);
  set_text(L, "status", row->status);
  set_text(L, "header", row->header);
  set_integer(L, "started_at", row->started_at);
  if (row->finished) {
    set_integer(L, "exit_code", row->exit_code);
    set_integer(L, "finished_at", row->finished_at);
    set_text(L, "summary", row->summary);
  }
  lua_setiuservalue(L, -2, 2);
  eh_store_run_free(&run->row);
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
  struct eh_batch *batch = batch_at(L, 1);
  struct eh_store_run row = {0};
  char id[EH_STORE_RUN_ID_SIZE];
  struct eh_err err;
  struct run *run;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  row.id = field_text(L, "id", "");
  row.suite = field_text(L, "suite", NULL);
  row.target = field_text(L, "target", NULL);
  row.header = field_text(L, "header", "{}");
  row.started_at = field_integer(L, "started_at", eh_clock_wall());
  run = push_run(L, 1);
  if (eh_store_run_begin(eh_batch_store(batch), &row, id, &err) != 0)
    return eh_push_fail(L, &err);
  if (row.id.len == 0)
    row.id = (struct eh_store_text){id, strlen(id)};
  row.status = (struct eh_store_text){"running", 7};
  run->row = row; /* borrowed: memory is NULL */
  fill_run(L, run);
  return 1;
}

static int store_run(lua_State *L) {
  struct eh_batch *batch = batch_at(L, 1);
  const char *key = luaL_checkstring(L, 2);
  struct run *run = push_run(L, 1);
  struct eh_err err;
  if (eh_store_run_find(eh_batch_store(batch), key, &run->row, &err) != 0)
    return eh_push_fail(L, &err);
  fill_run(L, run);
  return 1;
}

static int store_runs(lua_State *L) {
  struct eh_batch *batch = batch_at(L, 1);
  lua_Integer limit = MAX_RUNS;
  int64_t before = INT64_MAX;
  struct eh_err err;
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    limit = field_integer(L, "limit", MAX_RUNS);
  }
  lua_newtable(L);
  for (lua_Integer i = 1; i <= limit && i <= MAX_RUNS; i++) {
    struct run *run = push_run(L, 1);
    if (eh_store_run_older(eh_batch_store(batch), before, &run->row, &err) != 0)
      return eh_push_fail(L, &err);
    if (run->row.run == 0) {
      lua_pop(L, 1);
      break;
    }
    fill_run(L, run);
    before = run->number;
    lua_rawseti(L, -2, i);
  }
  return 1;
}

static int store_trouble(lua_State *L) {
  const struct eh_err *err = eh_batch_trouble(batch_at(L, 1));
  if (err == NULL)
    lua_pushnil(L);
  else
    eh_push_err(L, err);
  return 1;
}

static void wait_cancel(struct eh_op *op) {
  eh_batch_leave(EH_CONTAINER(op, struct eh_batch_wait, op));
}

static int wait_finish(lua_State *L, struct eh_op *op) {
  struct eh_batch_wait *wait = EH_CONTAINER(op, struct eh_batch_wait, op);
  if (wait->err.code != 0)
    return eh_push_fail(L, &wait->err);
  lua_pushboolean(L, 1);
  return 1;
}

static const char *wait_phase(const struct eh_op *op) {
  (void)op;
  return "store";
}

static int wait_gc(lua_State *L) {
  eh_batch_leave(luaL_checkudata(L, 1, WAIT_TYPE));
  return 0;
}

static struct eh_store_result check_result(lua_State *L) {
  struct eh_store_result result = {0};
  result.idx = luaL_checkinteger(L, 2);
  result.repeat = luaL_checkinteger(L, 3);
  result.case_id = check_text(L, 4);
  result.verdict = check_text(L, 5);
  result.scored = !lua_isnoneornil(L, 6);
  if (result.scored)
    result.score = luaL_checknumber(L, 6);
  luaL_argcheck(L, !result.scored || isfinite(result.score), 6, "not finite");
  result.figures = check_text(L, 7);
  result.record = check_text(L, 8);
  return result;
}

static int run_put(lua_State *L) {
  struct eh_batch *batch;
  struct run *run = check_run(L, &batch);
  struct eh_store_result result = check_result(L);
  struct eh_batch_wait *wait;
  struct eh_err err;
  eh_await_check(L, "run:put");
  wait = lua_newuserdatauv(L, sizeof *wait, 0);
  memset(wait, 0, sizeof *wait);
  luaL_setmetatable(L, WAIT_TYPE);
  wait->op.cancel = wait_cancel;
  wait->op.finish = wait_finish;
  wait->op.phase = wait_phase;
  if (eh_batch_put(batch, run->number, &result, wait, &err) != 0)
    return eh_push_fail(L, &err);
  return eh_await(L, &wait->op);
}

static int run_finish(lua_State *L) {
  struct eh_batch *batch;
  struct run *run = check_run(L, &batch);
  struct eh_store_run row = {.run = run->number};
  struct eh_err err;
  lua_Integer exit_code;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  row.status = field_text(L, "status", NULL);
  row.summary = field_text(L, "summary", "{}");
  exit_code = field_integer(L, "exit_code", 0);
  row.finished_at = field_integer(L, "finished_at", eh_clock_wall());
  luaL_argcheck(L, exit_code >= 0 && exit_code <= 255, 2, "exit_code");
  row.exit_code = (int)exit_code;
  if (eh_batch_flush(batch, &err) != 0 ||
      eh_store_run_finish(eh_batch_store(batch), &row, &err) != 0)
    return eh_push_fail(L, &err);
  lua_getiuservalue(L, 1, 2);
  set_text(L, "status", row.status);
  set_text(L, "summary", row.summary);
  set_integer(L, "exit_code", row.exit_code);
  set_integer(L, "finished_at", row.finished_at);
  lua_pushboolean(L, 1);
  return 1;
}

/* Raises: in a generic for, nil and an error would look like the end. */
static int raise(lua_State *L, const struct eh_err *err) {
  eh_push_err(L, err);
  return lua_error(L);
}

static int run_results(lua_State *L) {
  struct eh_batch *batch;
  struct run *run = check_run(L, &batch);
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

#define MAX_VERDICTS 16

struct counts {
  struct {
    char verdict[32];
    int64_t count;
  } rows[MAX_VERDICTS];
  int used;
};

static void note_count(void *context, const char *verdict, int64_t count) {
  struct counts *counts = context;
  if (counts->used == MAX_VERDICTS)
    return;
  snprintf(counts->rows[counts->used].verdict, sizeof counts->rows[0].verdict,
           "%s", verdict);
  counts->rows[counts->used++].count = count;
}

static int run_count(lua_State *L) {
  struct eh_batch *batch;
  struct run *run = check_run(L, &batch);
  struct counts counts = {0};
  struct eh_err err;
  if (eh_store_count(eh_batch_store(batch), run->number, note_count, &counts,
                     &err) != 0)
    return eh_push_fail(L, &err);
  lua_createtable(L, 0, counts.used);
  for (int i = 0; i < counts.used; i++)
    set_integer(L, counts.rows[i].verdict, counts.rows[i].count);
  return 1;
}

/* Upvalue 1: the methods. Else a field; what is no field is nil. */
static int run_index(lua_State *L) {
  luaL_checkudata(L, 1, RUN_TYPE);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
    return 1;
  if (lua_getiuservalue(L, 1, 2) != LUA_TTABLE)
    return 0;
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  return 1;
}

static int run_gc(lua_State *L) {
  struct run *run = luaL_checkudata(L, 1, RUN_TYPE);
  eh_store_run_free(&run->row);
  return 0;
}

static const luaL_Reg functions[] = {{"open", l_open}, {NULL, NULL}};

static const luaL_Reg store_methods[] = {
    {"begin", store_begin},     {"run", store_run},     {"runs", store_runs},
    {"trouble", store_trouble}, {"close", store_close}, {NULL, NULL}};

static const luaL_Reg store_meta[] = {
    {"__gc", store_close}, {"__close", store_close}, {NULL, NULL}};

static const luaL_Reg run_methods[] = {{"put", run_put},
                                       {"finish", run_finish},
                                       {"results", run_results},
                                       {"count", run_count},
                                       {NULL, NULL}};

static const luaL_Reg cursor_methods[] = {{"close", cursor_close},
                                          {NULL, NULL}};

static const luaL_Reg cursor_meta[] = {{"__call", cursor_call},
                                       {"__gc", cursor_close},
                                       {"__close", cursor_close},
                                       {NULL, NULL}};

static const luaL_Reg wait_meta[] = {{"__gc", wait_gc}, {NULL, NULL}};

static void new_type(lua_State *L, const char *name, const luaL_Reg *meta,
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
  new_type(L, STORE_TYPE, store_meta, store_methods);
  new_type(L, CURSOR_TYPE, cursor_meta, cursor_methods);
  new_type(L, WAIT_TYPE, wait_meta, NULL);
  luaL_newmetatable(L, RUN_TYPE);
  luaL_newlib(L, run_methods);
  lua_pushcclosure(L, run_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, run_gc);
  lua_setfield(L, -2, "__gc");
  luaL_newlib(L, functions);
  return 1;
}
