/* vm.c: making and ending a Lua state; its counted and capped memory. */
#include "vm/private.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <lauxlib.h>
#include <lualib.h>

#include <string.h>

/* Lua's allocator: counts, and refuses beyond the cap, which Lua turns into
 * a "not enough memory" error of whatever was running. */
static void *allocate(void *arg, void *ptr, size_t old, size_t size) {
  struct eh_vm *vm = arg;
  void *moved;
  size_t held = ptr != NULL ? old : 0;
  if (size == 0) {
    eh_pool_release(&vm->pool, ptr, held);
    vm->memory -= held;
    return NULL;
  }
  if (size > held && vm->memory - held + size > vm->memory_max)
    return NULL;
  moved = eh_pool_realloc(&vm->pool, ptr, held, size);
  if (moved == NULL)
    return NULL;
  vm->memory += size - held;
  if (vm->memory > vm->memory_peak)
    vm->memory_peak = vm->memory;
  return moved;
}

/* A collection starts when the heap has grown by half: the memory of 1,000
 * cases in flight is 5 % less than with Lua's default of doubling, for the
 * same time. */
#define GC_PAUSE 150

static int open_state(lua_State *L) {
  lua_gc(L, LUA_GCINC, GC_PAUSE, 0, 0);
  luaL_openlibs(L);
  eh_coroutine_open(L);
  eh_restrict_open(L);
  eh_random_open(L);
  eh_searcher_open(L);
  return 0;
}

struct eh_vm *eh_vm_new(const struct eh_vm_options *options) {
  struct eh_vm *vm = eh_calloc(1, sizeof *vm);
  vm->memory_max =
      options->memory_max > 0 ? options->memory_max : EH_VM_MEMORY_DEFAULT;
  vm->host = options->host;
  vm->scripts = options->scripts;
  if (options->scripts_dir != NULL)
    vm->scripts_dir = eh_strdup(options->scripts_dir);
  eh_list_init(&vm->fibers);
  eh_list_init(&vm->ready);
  eh_pool_init(&vm->pool);
  eh_timers_init(&vm->sleeps);
  eh_timers_init(&vm->deadlines);
  eh_watchdog_open(vm);
  vm->L = lua_newstate(allocate, vm);
  if (vm->L == NULL) {
    eh_vm_free(vm);
    return NULL;
  }
  /* New threads copy the main thread's extra space. */
  *(struct eh_vm **)lua_getextraspace(vm->L) = vm;
  lua_pushcfunction(vm->L, open_state);
  if (lua_pcall(vm->L, 0, 0, 0) != LUA_OK) {
    eh_vm_free(vm);
    return NULL;
  }
  return vm;
}

void eh_vm_free(struct eh_vm *vm) {
  if (vm == NULL)
    return;
  while (!eh_list_empty(&vm->fibers)) {
    struct eh_fiber *fiber =
        EH_CONTAINER(vm->fibers.next, struct eh_fiber, link);
    if (fiber->op != NULL && fiber->op->fiber != NULL && !fiber->op->done) {
      fiber->op->cancel(fiber->op);
      fiber->op->fiber = NULL;
    }
    eh_timers_remove(&vm->deadlines, &fiber->timer);
    eh_list_remove(&fiber->link);
    eh_list_remove(&fiber->ready);
    fiber->vm = NULL; /* its handles are collected with the state */
    if (fiber->handles == 0)
      eh_free(fiber);
  }
  if (vm->L != NULL) {
    eh_watchdog_last(vm); /* finalizers are the scripts' own */
    lua_close(vm->L);
  }
  eh_pool_free(&vm->pool);
  eh_watchdog_close(vm);
  eh_timers_free(&vm->sleeps);
  eh_timers_free(&vm->deadlines);
  eh_free(vm->scripts_dir);
  eh_free(vm);
}

lua_State *eh_vm_state(struct eh_vm *vm) {
  return vm->L;
}

struct eh_vm *eh_vm_of(lua_State *L) {
  return *(struct eh_vm **)lua_getextraspace(L);
}

void *eh_vm_host(lua_State *L) {
  return eh_vm_of(L)->host;
}

size_t eh_vm_memory(const struct eh_vm *vm) {
  return vm->memory;
}

size_t eh_vm_memory_peak(const struct eh_vm *vm) {
  return vm->memory_peak;
}

size_t eh_vm_fibers(const struct eh_vm *vm) {
  return vm->fiber_count;
}

bool eh_vm_ready(const struct eh_vm *vm) {
  return !eh_list_empty(&vm->ready);
}

uint64_t eh_vm_active_now(const struct eh_vm *vm) {
  return eh_clock_mono() - vm->stalled;
}

void eh_vm_credit(struct eh_vm *vm, uint64_t ns) {
  vm->stalled += ns;
}
