/* fibers.h: a Lua state on a loop for the tests of bindings that wait. */
#ifndef EH_TESTS_BIND_FIBERS_H
#define EH_TESTS_BIND_FIBERS_H

#include "base/clock.h"
#include "bind/bind.h"
#include "bind/host.h"
#include "bind/modules.h"
#include "net/alarm.h"
#include "net/http.h"
#include "net/loop.h"
#include "vm/vm.h"

#include <check.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fibers {
  struct eh_host host;
  struct eh_vm *vm;
  struct eh_alarm *guard;
  int failed;
};

static inline uint64_t fibers_turn(void *arg, uint64_t now_ns) {
  struct fibers *f = arg;
  uint64_t wait = eh_vm_drain(f->vm, NULL);
  (void)now_ns;
  if (eh_vm_fibers(f->vm) == 0)
    eh_loop_stop(f->host.loop);
  return wait;
}

static inline void fibers_hang(void *arg) {
  (void)arg;
  fprintf(stderr, "the test hangs\n");
  abort();
}

/* The module is the global `name`, beside `fiber`. */
static inline void fibers_open(struct fibers *f, const char *name,
                               lua_CFunction module) {
  struct eh_vm_options options = {.host = &f->host};
  lua_State *L;
  memset(f, 0, sizeof *f);
  f->host.loop = eh_loop_new();
  f->vm = eh_vm_new(&options);
  L = eh_vm_state(f->vm);
  luaL_requiref(L, name, module, 1);
  luaL_requiref(L, "fiber", luaopen_evalhost_native_fiber, 1);
  lua_pop(L, 2);
  eh_loop_on_turn(f->host.loop, fibers_turn, f);
  f->guard = eh_alarm_new(f->host.loop, fibers_hang, NULL);
  eh_alarm_set(f->guard, eh_clock_mono() + 30 * EH_NS_PER_S);
}

static inline void fibers_close(struct fibers *f) {
  eh_vm_free(f->vm);
  eh_http_free(f->host.http);
  eh_alarm_free(f->guard);
  eh_loop_free(f->host.loop);
}

static inline void fibers_ended(void *arg, lua_State *co, bool ok,
                                const char *message) {
  struct fibers *f = arg;
  (void)co;
  if (!ok) {
    f->failed++;
    fprintf(stderr, "script: %s\n", message);
  }
}

/* Runs the script in a fiber, to its end. */
static inline void fibers_run(struct fibers *f, const char *script) {
  lua_State *L = eh_vm_state(f->vm);
  if (luaL_loadstring(L, script) != LUA_OK)
    ck_abort_msg("%s", lua_tostring(L, -1));
  eh_vm_spawn(f->vm, 0, fibers_ended, f);
  eh_loop_run(f->host.loop);
  ck_assert_int_eq(f->failed, 0);
}

#endif
