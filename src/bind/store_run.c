/* store_run.c: a run for scripts: its fields, and results that are put into
 * it. */
#include "base/clock.h"
#include "bind/bind.h"
#include "bind/store_lua.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RUN_TYPE  "evalhost.store.run"
#define WAIT_TYPE "evalhost.store.wait"

struct eh_store_lua_run *eh_store_lua_check_run(lua_State *L,
                                                struct eh_batch **batch) {
  struct eh_store_lua_run *run = luaL_checkudata(L, 1, RUN_TYPE);
  lua_getiuservalue(L, 1, 1);
  *batch = eh_store_lua_batch(L, lua_gettop(L));
  lua_pop(L, 1);
  return run;
}

static struct eh_store_text check_text(lua_State *L, int arg) {
  struct eh_store_text text;
  text.ptr = luaL_checklstring(L, arg, &text.len);
  return text;
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

struct eh_store_lua_run *eh_store_lua_push_run(lua_State *L, int store) {
  struct eh_store_lua_run *run = lua_newuserdatauv(L, sizeof *run, 2);
  memset(run, 0, sizeof *run);
  luaL_setmetatable(L, RUN_TYPE);
  lua_pushvalue(L, store);
  lua_setiuservalue(L, -2, 1);
  return run;
}

void eh_store_lua_fill_run(lua_State *L, struct eh_store_lua_run *run) {
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
  struct eh_store_lua_run *run = eh_store_lua_check_run(L, &batch);
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
  lua_replace(L, 2); /* the row was copied: its texts are garbage from here */
  lua_settop(L, 2);
  return eh_await(L, &wait->op);
}

static int run_finish(lua_State *L) {
  struct eh_batch *batch;
  struct eh_store_lua_run *run = eh_store_lua_check_run(L, &batch);
  struct eh_store_run row = {.run = run->number};
  struct eh_err err;
  lua_Integer exit_code;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  row.status = eh_store_lua_text(L, "status", NULL);
  row.summary = eh_store_lua_text(L, "summary", "{}");
  exit_code = eh_store_lua_integer(L, "exit_code", 0);
  row.finished_at = eh_store_lua_integer(L, "finished_at", eh_clock_wall());
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
  struct eh_store_lua_run *run = eh_store_lua_check_run(L, &batch);
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
  struct eh_store_lua_run *run = luaL_checkudata(L, 1, RUN_TYPE);
  eh_store_run_free(&run->row);
  return 0;
}

static const luaL_Reg run_methods[] = {{"put", run_put},
                                       {"finish", run_finish},
                                       {"results", eh_store_lua_results},
                                       {"count", run_count},
                                       {NULL, NULL}};

static const luaL_Reg wait_meta[] = {{"__gc", wait_gc}, {NULL, NULL}};

void eh_store_lua_open_run(lua_State *L) {
  eh_store_lua_new_type(L, WAIT_TYPE, wait_meta, NULL);
  luaL_newmetatable(L, RUN_TYPE);
  luaL_newlib(L, run_methods);
  lua_pushcclosure(L, run_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, run_gc);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}
