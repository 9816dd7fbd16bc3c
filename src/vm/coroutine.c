/* coroutine.c: the coroutine library for scripts, as in Lua's own lcorolib,
 * but for two things: a wait inside a user's coroutine passes outwards to the
 * scheduler, and the watchdog always knows which state executes. */
#include "vm/private.h"

#include <lauxlib.h>

#define WAITS "cannot resume a coroutine that waits already"

static lua_State *check_co(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "coroutine");
  return co;
}

static int co_yield (lua_State *L);

/* Has co yielded not by coroutine.yield, but because it waits? Then it belongs
 * to its fiber's op: nobody else may resume or close it. */
static bool waits(lua_State *co) {
  lua_Debug frame;
  bool by_user;
  if (lua_status(co) != LUA_YIELD || lua_getstack(co, 0, &frame) == 0 ||
      !lua_checkstack(co, 1))
    return false;
  lua_getinfo(co, "f", &frame);
  by_user = lua_tocfunction(co, -1) == co_yield;
  lua_pop(co, 1);
  return !by_user;
}

static int resume_end(lua_State *L, int status, lua_KContext ctx);

/* Resumes co, which holds nargs arguments. Returns the number of results on
 * L, or -1 with the error on top; does not return when co waits. */
static int resume(lua_State *L, lua_State *co, int nargs,
                  lua_KContext wrapped) {
  int nresults;
  int rc = eh_fiber_resume(co, L, nargs, &nresults);
  if (rc == LUA_YIELD && nresults == 1 &&
      lua_touserdata(co, -1) == (void *)&eh_fiber_sentinel) {
    lua_pop(co, 1);
    lua_pushlightuserdata(L, (void *)&eh_fiber_sentinel);
    return lua_yieldk(L, 1, wrapped, resume_end);
  }
  if (rc == LUA_OK || rc == LUA_YIELD) {
    if (!lua_checkstack(L, nresults + 1)) {
      lua_pop(co, nresults);
      lua_pushliteral(L, "too many results to resume");
      return -1;
    }
    lua_xmove(co, L, nresults);
    return nresults;
  }
  lua_xmove(co, L, 1);
  return -1;
}

static int resume_results(lua_State *L, int nresults) {
  if (nresults < 0) {
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
  }
  lua_pushboolean(L, 1);
  lua_insert(L, -nresults - 1);
  return nresults + 1;
}

static int wrap_results(lua_State *L, lua_State *co, int nresults) {
  if (nresults >= 0)
    return nresults;
  if (lua_status(co) != LUA_OK && lua_status(co) != LUA_YIELD) {
    lua_resetthread(co); /* close its variables; the error is the object */
    lua_pop(co, 1);
  }
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int resume_end(lua_State *L, int status, lua_KContext wrapped) {
  lua_State *co =
      wrapped ? lua_tothread(L, lua_upvalueindex(1)) : lua_tothread(L, 1);
  int nresults;
  (void)status;
  nresults = resume(L, co, 0, wrapped);
  return wrapped ? wrap_results(L, co, nresults) : resume_results(L, nresults);
}

static int give_arguments(lua_State *L, lua_State *co, int nargs) {
  if (!lua_checkstack(co, nargs))
    return luaL_error(L, "too many arguments to resume");
  lua_xmove(L, co, nargs);
  return nargs;
}

static int co_resume(lua_State *L) {
  lua_State *co = check_co(L);
  int nargs;
  if (waits(co)) {
    lua_pushliteral(L, WAITS);
    return resume_results(L, -1);
  }
  nargs = give_arguments(L, co, lua_gettop(L) - 1);
  return resume_results(L, resume(L, co, nargs, 0));
}

static int wrap_call(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  int nargs;
  if (waits(co))
    return luaL_error(L, WAITS);
  nargs = give_arguments(L, co, lua_gettop(L));
  return wrap_results(L, co, resume(L, co, nargs, 1));
}

static int co_wrap(lua_State *L) {
  lua_State *co;
  luaL_checktype(L, 1, LUA_TFUNCTION);
  co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  lua_pushcclosure(L, wrap_call, 1);
  return 1;
}

static int co_yield (lua_State *L) {
  const struct eh_fiber *fiber = eh_fiber_current(L);
  if (fiber != NULL && fiber->co == L)
    return luaL_error(L, "coroutine.yield outside of a coroutine of your own; "
                         "to wait, use eval.sleep or any other eval function");
  if (fiber != NULL && fiber->scope != NULL && fiber->scope->thread == L)
    return luaL_error(L, "coroutine.yield out of a call that has a deadline");
  return lua_yield(L, lua_gettop(L));
}

static int co_close(lua_State *L) {
  lua_State *co = check_co(L);
  struct eh_vm *vm = eh_vm_of(L);
  lua_State *before = vm->running;
  lua_Debug frame;
  int rc;
  luaL_argcheck(L, co != L, 1, "cannot close the running coroutine");
  if (lua_status(co) == LUA_OK && lua_getstack(co, 0, &frame) > 0)
    return luaL_error(L, "cannot close a normal coroutine");
  if (waits(co))
    return luaL_error(L, "cannot close a coroutine that waits");
  vm->running = co;
  rc = lua_resetthread(co);
  vm->running = before;
  lua_pushboolean(L, rc == LUA_OK);
  if (rc == LUA_OK)
    return 1;
  lua_xmove(co, L, 1);
  return 2;
}

void eh_coroutine_open(lua_State *L) {
  static const luaL_Reg functions[] = {{"resume", co_resume},
                                       {"wrap", co_wrap},
                                       {"yield", co_yield },
                                       {"close", co_close},
                                       {NULL, NULL}};
  lua_getglobal(L, "coroutine");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}
