/* schedule.c: runs what is ready, and keeps the deadlines. */
#include "vm/private.h"

#include "base/clock.h"

#include <lauxlib.h>

#include <assert.h>

/* A stretch of Lua longer than this delays everybody else: their deadlines
 * are moved by it. */
#define STALL_NS (20 * EH_NS_PER_MS)

static void ended(struct eh_fiber *fiber, bool ok) {
  struct eh_vm *vm = fiber->vm;
  fiber->ended = true;
  fiber->ok = ok;
  vm->fiber_count--;
  eh_timers_remove(&vm->deadlines, &fiber->timer);
  eh_list_remove(&fiber->link);
  luaL_unref(vm->L, LUA_REGISTRYINDEX, fiber->locals);
  eh_wake_all(&fiber->joiners);
  if (fiber->on_end != NULL) {
    const char *message = ok ? NULL : eh_vm_push_text(fiber->co, 2);
    fiber->on_end(fiber->on_end_arg, fiber->co, ok, message);
  }
  if (fiber->handles == 0)
    eh_fiber_release(fiber);
}

/* Returns whether the fiber is still there: waiting, not ended. */
static bool run(struct eh_fiber *fiber) {
  struct eh_vm *vm = fiber->vm;
  lua_State *co = fiber->co;
  int nargs = lua_status(co) == LUA_OK ? lua_gettop(co) - 1 : 0;
  int nresults, rc;
  vm->current = fiber;
  vm->slice_start = eh_clock_mono();
  eh_watchdog_watch(vm);
  rc = eh_fiber_resume(co, vm->L, nargs, &nresults);
  vm->watch_at = 0;
  vm->current = NULL;
  if (rc == LUA_YIELD) {
    assert(nresults == 1 &&
           lua_touserdata(co, -1) == (void *)&eh_fiber_sentinel);
    lua_pop(co, 1);
    return true;
  }
  if (rc == LUA_OK) {
    lua_rotate(co, 1, nresults); /* results first, if anything lies below */
    lua_settop(co, nresults);
    ended(fiber, lua_toboolean(co, 1) != 0);
    return false;
  }
  /* Only what lua_pcallk cannot catch, such as an error in the handler. */
  lua_resetthread(co);
  lua_settop(co, 0);
  lua_pushboolean(co, 0);
  lua_pushliteral(co, "the fiber ended with an error that could not be "
                      "handled (no memory, or C stack overflow)");
  ended(fiber, false);
  return false;
}

/* A deadline has passed, or the grace after one. */
static void deadline_due(struct eh_fiber *fiber, uint64_t now) {
  struct eh_scope *due = NULL;
  for (struct eh_scope *at = fiber->scope; at != NULL; at = at->outer)
    if (at->deadline <= now)
      due = at;
  if (due != NULL && !due->fired) {
    due->fired = true;
    eh_fiber_interrupt(fiber, "timeout");
  } else {
    fiber->overdue = true;
    eh_fiber_interrupt(fiber, fiber->cancelled ? "cancelled" : "timeout");
  }
  eh_timers_set(&fiber->vm->deadlines, &fiber->timer, now + EH_VM_GRACE_NS);
}

void eh_fiber_deadline_moved(struct eh_fiber *fiber) {
  struct eh_vm *vm = fiber->vm;
  uint64_t soonest = UINT64_MAX;
  bool fired = fiber->cancelled;
  for (struct eh_scope *at = fiber->scope; at != NULL; at = at->outer) {
    fired = fired || at->fired;
    if (at->deadline < soonest)
      soonest = at->deadline;
  }
  if (fired)
    return; /* the grace period runs */
  if (soonest == UINT64_MAX || fiber->suspended)
    eh_timers_remove(&vm->deadlines, &fiber->timer);
  else
    eh_timers_set(&vm->deadlines, &fiber->timer, soonest);
}

/* The watchdog's hook: the running fiber has not waited for too long. */
void eh_fiber_overrun(lua_State *L) {
  struct eh_fiber *fiber = eh_fiber_current(L);
  uint64_t now = eh_vm_active_now(fiber->vm);
  if (!fiber->overdue) {
    if (eh_timer_active(&fiber->timer) && fiber->timer.at <= now)
      deadline_due(fiber, now);
    else
      fiber->overdue = true; /* the slice limit: nothing else stops it */
    eh_watchdog_watch(fiber->vm);
  }
  eh_fiber_raise(L, fiber);
}

static void fire_due(struct eh_vm *vm) {
  uint64_t now = eh_clock_mono();
  struct eh_timer *timer;
  while ((timer = eh_timers_first(&vm->sleeps)) != NULL && timer->at <= now) {
    eh_timers_remove(&vm->sleeps, timer);
    eh_op_done(&EH_CONTAINER(timer, struct eh_sleep, timer)->op);
  }
  now -= vm->stalled;
  while ((timer = eh_timers_first(&vm->deadlines)) != NULL &&
         timer->at <= now) {
    struct eh_fiber *fiber = EH_CONTAINER(timer, struct eh_fiber, timer);
    eh_timers_remove(&vm->deadlines, timer);
    deadline_due(fiber, now);
  }
}

static uint64_t next_due(const struct eh_vm *vm) {
  uint64_t now = eh_clock_mono();
  uint64_t at = UINT64_MAX;
  const struct eh_timer *timer = eh_timers_first(&vm->sleeps);
  if (timer != NULL)
    at = timer->at;
  timer = eh_timers_first(&vm->deadlines);
  if (timer != NULL && timer->at + vm->stalled < at)
    at = timer->at + vm->stalled;
  if (at == UINT64_MAX)
    return UINT64_MAX;
  return at > now ? at - now : 0;
}

/* The slice of the fiber that has just run was long: its own deadline counts
 * it, everybody else's does not. */
static uint64_t account(struct eh_vm *vm, struct eh_fiber *fiber,
                        uint64_t slice) {
  if (slice < STALL_NS)
    return 0;
  vm->stalled += slice;
  if (fiber != NULL) {
    for (struct eh_scope *at = fiber->scope; at != NULL; at = at->outer)
      if (at->deadline != UINT64_MAX)
        at->deadline -= slice;
    fiber->suspended_at -= slice;
    if (eh_timer_active(&fiber->timer))
      eh_timers_set(&vm->deadlines, &fiber->timer, fiber->timer.at - slice);
  }
  return slice;
}

uint64_t eh_vm_drain(struct eh_vm *vm, uint64_t *stalled) {
  uint64_t total = 0;
  assert(!vm->draining);
  vm->draining = true;
  fire_due(vm);
  while (!eh_list_empty(&vm->ready)) {
    struct eh_fiber *fiber =
        EH_CONTAINER(vm->ready.next, struct eh_fiber, ready);
    bool waits;
    eh_list_remove(&fiber->ready);
    waits = run(fiber);
    total +=
        account(vm, waits ? fiber : NULL, eh_clock_mono() - vm->slice_start);
  }
  vm->draining = false;
  if (stalled != NULL)
    *stalled = total;
  return next_due(vm);
}
