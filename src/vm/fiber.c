/* fiber.c: fibers, their waits and their cancellation. The only lua_resume of
 * the program is here. */
#include "vm/private.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <lauxlib.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

const char eh_fiber_sentinel = 0;

struct eh_fiber *eh_fiber_current(lua_State *L) {
  return eh_vm_of(L)->current;
}

int eh_fiber_resume(lua_State *co, lua_State *from, int nargs, int *nresults) {
  struct eh_vm *vm = eh_vm_of(co);
  lua_State *before = vm->running;
  int rc;
  vm->running = co;
  if (vm->current != NULL && vm->current->overdue)
    eh_watchdog_arm(co);
  rc = lua_resume(co, from, nargs, nresults);
  vm->running = before;
  if (before != NULL && vm->current != NULL && vm->current->overdue)
    eh_watchdog_arm(before);
  return rc;
}

/* The body of every fiber: [fn, args...] on the stack. Returns ok, results...
 * or false, err. Runs under lua_pcallk so that errors of hooks are caught. */
static int body_end(lua_State *L, int status, lua_KContext ctx) {
  (void)ctx;
  lua_pushboolean(L, status == LUA_OK || status == LUA_YIELD);
  lua_replace(L, 1); /* the message handler's place */
  return lua_gettop(L);
}

static int body(lua_State *L) {
  int nargs = lua_gettop(L) - 1;
  lua_pushcfunction(L, eh_error_handler);
  lua_insert(L, 1);
  return body_end(L, lua_pcallk(L, nargs, LUA_MULTRET, 1, 0, body_end), 0);
}

/* A child has what is left of its parent's time. */
static void inherit(struct eh_fiber *fiber, const struct eh_fiber *parent) {
  struct eh_scope *root = &fiber->root;
  fiber->rng = parent->rng;
  root->deadline = UINT64_MAX;
  for (struct eh_scope *at = parent->scope; at != NULL; at = at->outer)
    if (at->deadline < root->deadline) {
      root->deadline = at->deadline;
      root->seconds = at->seconds;
    }
  if (root->deadline != UINT64_MAX) {
    fiber->scope = root;
    eh_fiber_deadline_moved(fiber);
  }
}

/* A coroutine for a fiber: one whose fiber has ended, its stack grown and
 * empty, or a new one. */
static struct eh_idle coroutine(struct eh_vm *vm, lua_State *L) {
  struct eh_idle idle;
  if (vm->idle_count > 0)
    return vm->idle[--vm->idle_count];
  idle.co = lua_newthread(L);
  idle.ref = luaL_ref(L, LUA_REGISTRYINDEX);
  return idle;
}

struct eh_fiber *eh_fiber_new(struct eh_vm *vm, lua_State *L, int nargs) {
  struct eh_idle idle = coroutine(vm, L);
  struct eh_fiber *fiber;
  if (!lua_checkstack(idle.co, nargs + 2)) {
    luaL_unref(L, LUA_REGISTRYINDEX, idle.ref);
    luaL_error(L, "too many arguments for a fiber");
    return NULL;
  }
  lua_pushcfunction(idle.co, body);
  lua_xmove(L, idle.co, nargs + 1);
  fiber = eh_calloc(1, sizeof *fiber);
  fiber->vm = vm;
  fiber->co = idle.co;
  fiber->ref = idle.ref;
  fiber->locals = LUA_NOREF;
  eh_list_init(&fiber->ready);
  eh_list_init(&fiber->joiners);
  eh_list_add(&vm->fibers, &fiber->link);
  eh_list_add(&vm->ready, &fiber->ready);
  vm->fiber_count++;
  if (vm->current != NULL) {
    inherit(fiber, vm->current);
    if (vm->current->locals != LUA_NOREF) {
      lua_rawgeti(L, LUA_REGISTRYINDEX, vm->current->locals);
      fiber->locals = luaL_ref(L, LUA_REGISTRYINDEX);
    }
  }
  return fiber;
}

void eh_vm_spawn(struct eh_vm *vm, int nargs, eh_vm_end_fn *on_end, void *arg) {
  struct eh_fiber *fiber = eh_fiber_new(vm, vm->L, nargs);
  fiber->on_end = on_end;
  fiber->on_end_arg = arg;
}

void eh_fiber_release(struct eh_fiber *fiber) {
  struct eh_vm *vm = fiber->vm;
  if (vm != NULL && vm->idle_count < EH_VM_IDLE &&
      lua_status(fiber->co) == LUA_OK) {
    lua_sethook(fiber->co, NULL, 0, 0);
    lua_settop(fiber->co, 0);
    vm->idle[vm->idle_count].co = fiber->co;
    vm->idle[vm->idle_count++].ref = fiber->ref;
  } else if (vm != NULL) {
    luaL_unref(vm->L, LUA_REGISTRYINDEX, fiber->ref);
  }
  eh_free(fiber);
}

void eh_fiber_drop(struct eh_fiber *fiber) {
  fiber->handles--;
  if (fiber->handles == 0 && (fiber->ended || fiber->vm == NULL))
    eh_fiber_release(fiber);
}

void eh_fiber_wake(struct eh_fiber *fiber) {
  if (eh_list_empty(&fiber->ready) && !fiber->ended)
    eh_list_add(&fiber->vm->ready, &fiber->ready);
}

void eh_op_done(struct eh_op *op) {
  op->done = true;
  if (op->fiber != NULL)
    eh_fiber_wake(op->fiber);
}

/* What a waiting stretch raises when it has been interrupted. */
void eh_fiber_raise(lua_State *L, struct eh_fiber *fiber) {
  const char *code = fiber->interrupt != NULL ? fiber->interrupt
                     : fiber->cancelled       ? "cancelled"
                                              : "timeout";
  const char *phase = fiber->phase != NULL ? fiber->phase : "lua";
  struct eh_scope *scope = fiber->scope;
  fiber->interrupt = NULL;
  fiber->phase = NULL;
  while (scope != NULL && !scope->fired)
    scope = scope->outer;
  if (strcmp(code, "timeout") != 0)
    eh_vm_push_error(L, code, "cancelled");
  else if (scope != NULL)
    eh_vm_push_error(L, code,
                     lua_pushfstring(L, "no result within %f s (phase: %s)",
                                     scope->seconds, phase));
  else
    eh_vm_push_error(L, code,
                     lua_pushfstring(L,
                                     "the script ran for %d s without waiting",
                                     EH_VM_SLICE_SECONDS));
  lua_pushstring(L, phase);
  lua_setfield(L, -2, "phase");
  lua_error(L);
}

void eh_fiber_interrupt(struct eh_fiber *fiber, const char *code) {
  struct eh_op *op = fiber->op;
  if (fiber->ended)
    return;
  fiber->interrupt = code;
  if (op != NULL && op->fiber != NULL && !op->done) {
    fiber->phase = op->phase != NULL ? op->phase(op) : "wait";
    op->cancel(op);
    op->fiber = NULL; /* so that a second interrupt does not cancel it again */
    eh_fiber_wake(fiber);
  }
}

void eh_fiber_cancel(struct eh_fiber *fiber) {
  if (fiber->cancelled || fiber->settled || fiber->ended)
    return;
  fiber->cancelled = true;
  eh_timers_set(&fiber->vm->deadlines, &fiber->timer,
                eh_vm_active_now(fiber->vm) + EH_VM_GRACE_NS);
  eh_fiber_interrupt(fiber, "cancelled");
}

void eh_fiber_name(lua_State *L, const char *name) {
  struct eh_fiber *fiber = eh_fiber_current(L);
  if (fiber == NULL)
    return;
  snprintf(fiber->name, sizeof fiber->name, "%s", name);
  for (char *c = fiber->name; *c != '\0'; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      *c = '?';
}

void eh_fiber_settle(lua_State *L) {
  struct eh_fiber *fiber = eh_fiber_current(L);
  if (fiber == NULL)
    return;
  fiber->settled = true;
  fiber->cancelled = fiber->overdue = false;
  fiber->interrupt = NULL;
  eh_fiber_deadline_moved(fiber);
  eh_watchdog_watch(fiber->vm);
  lua_sethook(L, NULL, 0, 0);
}

void eh_fiber_push_locals(lua_State *L) {
  struct eh_fiber *fiber = eh_fiber_current(L);
  if (fiber == NULL) {
    luaL_error(L, "only inside a run");
    return;
  }
  if (fiber->locals == LUA_NOREF) {
    lua_newtable(L);
    fiber->locals = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, fiber->locals);
}

/* Awaiting ------------------------------------------------------------- */

void eh_await_check(lua_State *L, const char *what) {
  struct eh_fiber *fiber = eh_fiber_current(L);
  if (fiber == NULL || !lua_isyieldable(L))
    luaL_error(L,
               "%s cannot wait here: it was called from a place that cannot "
               "be suspended (a sort or gsub callback, a metamethod called "
               "from C, or outside of a run)",
               what);
  assert(fiber->op == NULL);
  if (fiber->interrupt != NULL || fiber->overdue)
    eh_fiber_raise(L, fiber);
}

static int await_end(lua_State *L, int status, lua_KContext ctx) {
  struct eh_op *op = (struct eh_op *)ctx;
  struct eh_fiber *fiber = eh_fiber_current(L);
  (void)status;
  assert(fiber->op == op);
  fiber->op = NULL;
  op->fiber = NULL;
  if (op->done) /* even when interrupted since: the next wait will raise */
    return op->finish(L, op);
  eh_fiber_raise(L, fiber);
  return 0;
}

int eh_await(lua_State *L, struct eh_op *op) {
  struct eh_fiber *fiber = eh_fiber_current(L);
  if (op->done)
    return op->finish(L, op);
  luaL_checkstack(L, 1, "await");
  fiber->op = op;
  op->fiber = fiber;
  lua_pushlightuserdata(L, (void *)&eh_fiber_sentinel);
  return lua_yieldk(L, 1, (lua_KContext)op, await_end);
}
