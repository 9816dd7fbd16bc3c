/* wait.c: what a fiber can wait for without I/O: time, another fiber, a gate,
 * an event; and deadlines around a call. */
#include "vm/private.h"

#include "base/clock.h"

#include <lauxlib.h>

#include <math.h>
#include <string.h>

/* Booked waits: the fiber's deadlines stand still. */

void eh_fiber_suspend(struct eh_fiber *fiber) {
  fiber->suspended = true;
  fiber->suspended_at = eh_vm_active_now(fiber->vm);
  eh_fiber_deadline_moved(fiber);
}

void eh_fiber_unsuspend(struct eh_fiber *fiber) {
  uint64_t waited = eh_vm_active_now(fiber->vm) - fiber->suspended_at;
  fiber->suspended = false;
  for (struct eh_scope *at = fiber->scope; at != NULL; at = at->outer)
    if (at->deadline != UINT64_MAX)
      at->deadline += waited;
  eh_fiber_deadline_moved(fiber);
}

/* Time ------------------------------------------------------------------ */

static void sleep_cancel(struct eh_op *op) {
  struct eh_sleep *sleep = EH_CONTAINER(op, struct eh_sleep, op);
  eh_timers_remove(&op->fiber->vm->sleeps, &sleep->timer);
  if (sleep->booked)
    eh_fiber_unsuspend(op->fiber);
}

static int sleep_finish(lua_State *L, struct eh_op *op) {
  struct eh_sleep *sleep = EH_CONTAINER(op, struct eh_sleep, op);
  if (sleep->booked)
    eh_fiber_unsuspend(eh_fiber_current(L));
  return 0;
}

static const char *sleep_phase(const struct eh_op *op) {
  (void)op;
  return "sleep";
}

int eh_fiber_sleep(lua_State *L, double seconds, bool booked) {
  struct eh_vm *vm = eh_vm_of(L);
  struct eh_sleep *sleep;
  double ns = seconds * (double)EH_NS_PER_S;
  eh_await_check(L, "eval.sleep");
  sleep = lua_newuserdatauv(L, sizeof *sleep, 0);
  memset(sleep, 0, sizeof *sleep);
  sleep->op.cancel = sleep_cancel;
  sleep->op.finish = sleep_finish;
  sleep->op.phase = sleep_phase;
  sleep->booked = booked;
  eh_timers_set(&vm->sleeps, &sleep->timer,
                eh_clock_mono() + (ns < 9e18 ? (uint64_t)ns : UINT64_MAX / 4));
  if (booked)
    eh_fiber_suspend(vm->current);
  return eh_await(L, &sleep->op);
}

/* Lists of waiters ------------------------------------------------------- */

static void join_cancel(struct eh_op *op) {
  eh_list_remove(&EH_CONTAINER(op, struct eh_join, op)->link);
}

static int nothing(lua_State *L, struct eh_op *op) {
  (void)L;
  (void)op;
  return 0;
}

static struct eh_join *join_new(lua_State *L, struct eh_list *waiters) {
  struct eh_join *join = lua_newuserdatauv(L, sizeof *join, 0);
  memset(join, 0, sizeof *join);
  join->op.cancel = join_cancel;
  join->op.finish = nothing;
  eh_list_add(waiters, &join->link);
  return join;
}

int eh_wait_in(lua_State *L, struct eh_list *waiters, const char *what) {
  eh_await_check(L, what);
  return eh_await(L, &join_new(L, waiters)->op);
}

void eh_wake_all(struct eh_list *waiters) {
  while (!eh_list_empty(waiters)) {
    struct eh_join *join = EH_CONTAINER(waiters->next, struct eh_join, link);
    eh_list_remove(&join->link);
    eh_op_done(&join->op);
  }
}

/* Fibers ----------------------------------------------------------------- */

static struct eh_fiber **check_handle(lua_State *L, int idx) {
  return luaL_checkudata(L, idx, EH_FIBER_TYPE);
}

static int handle_gc(lua_State *L) {
  struct eh_fiber **handle = check_handle(L, 1);
  if (*handle != NULL)
    eh_fiber_drop(*handle);
  *handle = NULL;
  return 0;
}

void eh_fiber_open_types(lua_State *L) {
  luaL_newmetatable(L, EH_EVENT_TYPE);
  luaL_newmetatable(L, EH_FIBER_TYPE);
  lua_pushcfunction(L, handle_gc);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 2);
}

void eh_fiber_spawn(lua_State *L, int nargs) {
  struct eh_fiber **handle;
  luaL_checktype(L, -nargs - 1, LUA_TFUNCTION);
  luaL_checkstack(L, 4, "spawn");
  handle = lua_newuserdatauv(L, sizeof *handle, 0);
  *handle = NULL;
  luaL_setmetatable(L, EH_FIBER_TYPE);
  lua_insert(L, -nargs - 2); /* handle, fn, args... */
  *handle = eh_fiber_new(eh_vm_of(L), L, nargs);
  (*handle)->handles = 1;
}

static int join_finish(lua_State *L, struct eh_op *op) {
  struct eh_fiber *fiber;
  int count;
  (void)op;
  fiber = *check_handle(L, 1);
  count = lua_gettop(fiber->co);
  luaL_checkstack(L, count + 1, "too many results");
  for (int i = 1; i <= count; i++) {
    lua_pushvalue(fiber->co, i);
    lua_xmove(fiber->co, L, 1);
  }
  return count;
}

int eh_fiber_join(lua_State *L, int handle) {
  struct eh_fiber *fiber = *check_handle(L, handle);
  struct eh_join *join;
  luaL_argcheck(L, handle == 1 && fiber != NULL, handle, "fiber expected");
  lua_settop(L, 1); /* join_finish finds the handle there */
  eh_await_check(L, "fiber.join");
  if (fiber->ended)
    return join_finish(L, NULL);
  join = join_new(L, &fiber->joiners);
  join->op.finish = join_finish;
  return eh_await(L, &join->op);
}

void eh_fiber_stop(lua_State *L, int handle) {
  struct eh_fiber *fiber = *check_handle(L, handle);
  if (fiber != NULL)
    eh_fiber_cancel(fiber);
}

bool eh_fiber_ended(lua_State *L, int handle) {
  const struct eh_fiber *fiber = *check_handle(L, handle);
  return fiber == NULL || fiber->ended;
}

/* Deadlines -------------------------------------------------------------- */

static void check_callable(lua_State *L, int idx) {
  if (lua_isfunction(L, idx))
    return;
  if (luaL_getmetafield(L, idx, "__call") == LUA_TNIL)
    luaL_typeerror(L, idx, "function");
  lua_pop(L, 1);
}

static bool outer_fired(const struct eh_fiber *fiber) {
  for (const struct eh_scope *at = fiber->scope; at != NULL; at = at->outer)
    if (at->fired)
      return true;
  return fiber->overdue;
}

/* stack: scope, handler, results... or the error */
static int timeout_end(lua_State *L, int status, lua_KContext ctx) {
  struct eh_scope *scope = (struct eh_scope *)ctx;
  struct eh_fiber *fiber = eh_fiber_current(L);
  bool ok = status == LUA_OK || status == LUA_YIELD;
  fiber->scope = scope->outer;
  if (scope->fired) {
    fiber->overdue = false;
    fiber->interrupt = NULL;
    lua_sethook(L, NULL, 0, 0);
  }
  eh_fiber_deadline_moved(fiber);
  eh_watchdog_watch(fiber->vm);
  if (scope->fired && !ok) {
    lua_getfield(L, -1, "code"); /* the handler made it a table */
    if (!lua_isstring(L, -1) || strcmp(lua_tostring(L, -1), "timeout") != 0)
      ok = true; /* something else in the wake of the deadline: report that */
    lua_pop(L, 1);
  }
  if (scope->fired && ok) {
    eh_vm_push_error(L, "timeout",
                     lua_pushfstring(L, "no result within %f s (phase: lua)",
                                     scope->seconds));
    lua_pushliteral(L, "lua");
    lua_setfield(L, -2, "phase");
    ok = false;
  }
  if (!ok && !scope->fired && outer_fired(fiber))
    return lua_error(L); /* not ours to swallow */
  if (!ok) {
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
  }
  lua_pushboolean(L, 1);
  lua_replace(L, 2);
  return lua_gettop(L) - 1;
}

int eh_fiber_timeout(lua_State *L) {
  double seconds = luaL_checknumber(L, 1);
  struct eh_fiber *fiber = eh_fiber_current(L);
  int nargs = lua_gettop(L) - 2;
  struct eh_scope *scope;
  luaL_argcheck(L, seconds >= 0, 1, "seconds must not be negative");
  check_callable(L, 2);
  eh_await_check(L, "fiber.timeout");
  scope = lua_newuserdatauv(L, sizeof *scope, 0);
  lua_replace(L, 1);
  lua_pushcfunction(L, eh_error_handler);
  lua_insert(L, 2); /* scope, handler, fn, args... */
  scope->outer = fiber->scope;
  scope->fired = false;
  scope->seconds = seconds;
  scope->thread = L;
  scope->deadline = UINT64_MAX;
  if (seconds < 1e9)
    scope->deadline =
        eh_vm_active_now(fiber->vm) + (uint64_t)(seconds * (double)EH_NS_PER_S);
  fiber->scope = scope;
  eh_fiber_deadline_moved(fiber);
  eh_watchdog_watch(fiber->vm);
  return timeout_end(
      L, lua_pcallk(L, nargs, LUA_MULTRET, 2, (lua_KContext)scope, timeout_end),
      (lua_KContext)scope);
}

double eh_fiber_time_left(lua_State *L) {
  const struct eh_fiber *fiber = eh_fiber_current(L);
  uint64_t now;
  if (fiber == NULL || !eh_timer_active(&fiber->timer))
    return HUGE_VAL;
  now = eh_vm_active_now(fiber->vm);
  if (fiber->timer.at <= now)
    return 0;
  return (double)(fiber->timer.at - now) / (double)EH_NS_PER_S;
}

/* Gates ------------------------------------------------------------------ */

void eh_gate_init(struct eh_gate *gate, size_t limit) {
  gate->limit = limit;
  gate->held = 0;
  gate->leaving = 0;
  eh_list_init(&gate->waiters);
}

static void gate_admit(struct eh_gate *gate) {
  while (gate->held < gate->limit && !eh_list_empty(&gate->waiters)) {
    struct eh_join *join =
        EH_CONTAINER(gate->waiters.next, struct eh_join, link);
    eh_list_remove(&join->link);
    gate->held++;
    eh_op_done(&join->op);
  }
}

static void gate_cancel(struct eh_op *op) {
  eh_list_remove(&EH_CONTAINER(op, struct eh_join, op)->link);
  eh_fiber_unsuspend(op->fiber);
}

static int gate_finish(lua_State *L, struct eh_op *op) {
  (void)op;
  eh_fiber_unsuspend(eh_fiber_current(L));
  return 0;
}

int eh_gate_acquire(lua_State *L, struct eh_gate *gate) {
  struct eh_join *join;
  eh_await_check(L, "gate.acquire");
  if (gate->held < gate->limit && eh_list_empty(&gate->waiters)) {
    gate->held++;
    return 0;
  }
  join = join_new(L, &gate->waiters);
  join->op.cancel = gate_cancel;
  join->op.finish = gate_finish;
  eh_fiber_suspend(eh_fiber_current(L));
  return eh_await(L, &join->op);
}

void eh_gate_release(struct eh_gate *gate) {
  if (gate->held > 0) {
    gate->held--;
    gate->leaving++;
  }
  gate_admit(gate);
}

void eh_gate_left(struct eh_gate *gate) {
  if (gate->leaving > 0)
    gate->leaving--;
}

void eh_gate_resize(struct eh_gate *gate, size_t limit) {
  gate->limit = limit;
  gate_admit(gate);
}

/* Events ----------------------------------------------------------------- */

void eh_event_new(lua_State *L) {
  struct eh_list *waiters = lua_newuserdatauv(L, sizeof *waiters, 0);
  eh_list_init(waiters);
  luaL_setmetatable(L, EH_EVENT_TYPE);
}

int eh_event_wait(lua_State *L, int idx) {
  return eh_wait_in(L, luaL_checkudata(L, idx, EH_EVENT_TYPE), "event.wait");
}

void eh_event_wake(lua_State *L, int idx) {
  eh_wake_all(luaL_checkudata(L, idx, EH_EVENT_TYPE));
}
