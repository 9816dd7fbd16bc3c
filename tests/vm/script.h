/* script.h: Lua scripts in a state of their own, for tests of src/vm. They see
 * a library `t`: bare adapters to vm/fiber.h. */
#ifndef EH_TESTS_VM_SCRIPT_H
#define EH_TESTS_VM_SCRIPT_H

#include "base/clock.h"
#include "vm/fiber.h"
#include "vm/vm.h"

#include <check.h>
#include <lauxlib.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#define SCRIPT_GATE "script.gate"

static inline int script_sleep(lua_State *L) {
  return eh_fiber_sleep(L, luaL_checknumber(L, 1), lua_toboolean(L, 2) != 0);
}

static inline int script_spawn(lua_State *L) {
  eh_fiber_spawn(L, lua_gettop(L) - 1);
  return 1;
}

static inline int script_join(lua_State *L) {
  return eh_fiber_join(L, 1);
}

static inline int script_cancel(lua_State *L) {
  eh_fiber_stop(L, 1);
  return 0;
}

static inline int script_ended(lua_State *L) {
  lua_pushboolean(L, eh_fiber_ended(L, 1));
  return 1;
}

static inline struct eh_gate *script_gate(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, SCRIPT_GATE);
  return lua_touserdata(L, -1); /* stays alive in the registry */
}

static inline int script_admit(lua_State *L) {
  return eh_gate_acquire(L, script_gate(L));
}

static inline int script_release(lua_State *L) {
  eh_gate_release(script_gate(L));
  return 0;
}

static inline int script_resize(lua_State *L) {
  eh_gate_resize(script_gate(L), (size_t)luaL_checkinteger(L, 1));
  return 0;
}

static inline int script_event(lua_State *L) {
  eh_event_new(L);
  return 1;
}

static inline int script_wait(lua_State *L) {
  return eh_event_wait(L, 1);
}

static inline int script_wake(lua_State *L) {
  eh_event_wake(L, 1);
  return 0;
}

static inline int script_left(lua_State *L) {
  lua_pushnumber(L, eh_fiber_time_left(L));
  return 1;
}

static inline int script_locals(lua_State *L) {
  eh_fiber_push_locals(L);
  return 1;
}

static inline int script_settle(lua_State *L) {
  eh_fiber_settle(L);
  return 0;
}

static inline int script_clock(lua_State *L) {
  lua_pushnumber(L, (double)eh_clock_mono() / (double)EH_NS_PER_S);
  return 1;
}

/* Makes the library `t` in a new state. Its gate has two places. */
static inline struct eh_vm *script_open(const struct eh_vm_options *options) {
  static const luaL_Reg library[] = {
      {"sleep", script_sleep},
      {"spawn", script_spawn},
      {"join", script_join},
      {"cancel", script_cancel},
      {"ended", script_ended},
      {"timeout", eh_fiber_timeout},
      {"admit", script_admit},
      {"release", script_release},
      {"resize", script_resize},
      {"event", script_event},
      {"wait", script_wait},
      {"wake", script_wake},
      {"time_left", script_left},
      {"locals", script_locals},
      {"settle", script_settle},
      {"clock", script_clock},
      {NULL, NULL},
  };
  struct eh_vm *vm = eh_vm_new(options);
  lua_State *L;
  ck_assert_ptr_nonnull(vm);
  L = eh_vm_state(vm);
  eh_fiber_open_types(L);
  luaL_newlib(L, library);
  lua_setglobal(L, "t");
  eh_gate_init(lua_newuserdatauv(L, sizeof(struct eh_gate), 0), 2);
  lua_setfield(L, LUA_REGISTRYINDEX, SCRIPT_GATE);
  return vm;
}

/* How a fiber ended. */
struct script_end {
  bool ended, ok;
  char message[512];
};

static inline void script_on_end(void *arg, lua_State *co, bool ok,
                                 const char *message) {
  struct script_end *end = arg;
  (void)co;
  end->ended = true;
  end->ok = ok;
  if (message != NULL)
    snprintf(end->message, sizeof end->message, "%s", message);
}

/* Turns the state until the fiber behind `end` has ended. */
static inline void script_turn(struct eh_vm *vm, const struct script_end *end) {
  uint64_t deadline = eh_clock_mono() + 50 * EH_NS_PER_S;
  while (!end->ended) {
    uint64_t due = eh_vm_drain(vm, NULL);
    struct timespec pause;
    if (end->ended)
      return;
    ck_assert_msg(due != UINT64_MAX, "nothing can make progress");
    ck_assert_msg(eh_clock_mono() < deadline, "the script does not end");
    pause.tv_sec = (time_t)(due / EH_NS_PER_S);
    pause.tv_nsec = (long)(due % EH_NS_PER_S);
    nanosleep(&pause, NULL); /* the watchdog's signal may end it early */
  }
}

static inline struct script_end script_run(struct eh_vm *vm,
                                           const char *script) {
  struct script_end end = {false, false, ""};
  lua_State *L = eh_vm_state(vm);
  ck_assert_msg(luaL_loadstring(L, script) == LUA_OK, "%s",
                lua_tostring(L, -1));
  eh_vm_spawn(vm, 0, script_on_end, &end);
  script_turn(vm, &end);
  return end;
}

static inline void expect_ok(const char *script) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = script_open(&options);
  struct script_end end = script_run(vm, script);
  ck_assert_msg(end.ok, "%s", end.message);
  eh_vm_free(vm);
}

static inline void expect_error(const char *script, const char *text) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = script_open(&options);
  struct script_end end = script_run(vm, script);
  ck_assert(!end.ok);
  ck_assert_msg(strstr(end.message, text) != NULL, "got: %s", end.message);
  eh_vm_free(vm);
}

#endif
