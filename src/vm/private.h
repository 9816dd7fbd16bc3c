/* private.h: what the files of src/vm share; nobody else includes it. */
#ifndef EH_VM_PRIVATE_H
#define EH_VM_PRIVATE_H

#include "base/list.h"
#include "base/random.h"
#include "base/timers.h"
#include "vm/fiber.h"
#include "vm/pool.h"
#include "vm/vm.h"

#include <signal.h>
#include <time.h>

/* A stretch of a fiber with a deadline (fiber.timeout). Lives in a userdata
 * on the fiber's stack. */
struct eh_scope {
  struct eh_scope *outer;
  uint64_t deadline; /* active time; UINT64_MAX = none */
  bool fired;
  double seconds;
  const lua_State *thread; /* that opened it: must not leave it by a yield */
};

/* A pending sleep; in a userdata. */
struct eh_sleep {
  struct eh_op op;
  struct eh_timer timer;
  bool booked;
};

/* A pending join, event or gate wait: a member of the list it waits in. */
struct eh_join {
  struct eh_op op;
  struct eh_list link;
};

struct eh_fiber {
  struct eh_list link;  /* in vm->fibers */
  struct eh_list ready; /* in vm->ready, or alone */
  struct eh_vm *vm;
  lua_State *co;
  int ref;     /* anchors co in the registry */
  int handles; /* userdata that point here */
  bool ended;
  bool ok;        /* valid once ended */
  bool cancelled; /* asked to stop: the next wait raises */
  bool settled;   /* cannot be cancelled any more */
  bool overdue;   /* a deadline passed and the grace too: nothing may run */
  bool suspended; /* the deadline does not tick: a booked wait */
  const char *interrupt; /* code to raise when resumed, or NULL */
  const char *phase;     /* what the interrupted wait was doing */
  struct eh_op *op;
  struct eh_scope *scope;
  struct eh_scope root;  /* what was left of the parent's time, if any */
  struct eh_timer timer; /* deadline of the innermost scope, then grace */
  uint64_t suspended_at;
  struct eh_random rng;
  char name[101];         /* what it works on */
  int locals;             /* registry reference of a table, or LUA_NOREF */
  struct eh_list joiners; /* eh_join.link */
  eh_vm_end_fn *on_end;
  void *on_end_arg;
};

/* A coroutine that waits for a fiber. */
struct eh_idle {
  lua_State *co;
  int ref; /* anchors co in the registry */
};

#define EH_VM_IDLE 64

struct eh_vm {
  lua_State *L;
  struct eh_idle idle[EH_VM_IDLE];
  size_t idle_count;
  void *host;
  struct eh_pool pool;
  size_t memory, memory_max, memory_peak;
  struct eh_list fibers;
  struct eh_list ready;
  size_t fiber_count;
  struct eh_fiber *current;
  bool draining;
  struct eh_timers sleeps;    /* monotonic time */
  struct eh_timers deadlines; /* active time: monotonic minus stalls */
  uint64_t stalled;           /* all credits so far */
  uint64_t slice_start;
  const struct eh_script *scripts;
  char *scripts_dir;
  /* The watchdog; the handler reads these. */
  lua_State *volatile running;
  volatile uint64_t watch_at; /* monotonic; 0 = nothing to watch */
  volatile sig_atomic_t idle_ticks;
  volatile sig_atomic_t ticking;
  timer_t watchdog;
};

/* active time */
uint64_t eh_vm_active_now(const struct eh_vm *vm);

/* watchdog.c */
void eh_watchdog_open(struct eh_vm *vm);
void eh_watchdog_close(struct eh_vm *vm);
void eh_watchdog_watch(struct eh_vm *vm); /* before Lua runs or a scope moved */
void eh_watchdog_last(struct eh_vm *vm);  /* before the state is closed */
void eh_watchdog_arm(lua_State *L);       /* raise at the next instruction */

/* fiber.c */
struct eh_fiber *eh_fiber_current(lua_State *L);
void eh_fiber_raise(lua_State *L, struct eh_fiber *fiber);
int eh_fiber_resume(lua_State *co, lua_State *from, int nargs, int *nresults);
void eh_fiber_interrupt(struct eh_fiber *fiber, const char *code);
void eh_fiber_wake(struct eh_fiber *fiber);
void eh_fiber_release(struct eh_fiber *fiber); /* ended, nobody points here */
void eh_fiber_overrun(lua_State *L);
void eh_fiber_suspend(struct eh_fiber *fiber);
void eh_fiber_unsuspend(struct eh_fiber *fiber);
void eh_fiber_deadline_moved(struct eh_fiber *fiber);
struct eh_fiber *eh_fiber_new(struct eh_vm *vm, lua_State *L, int nargs);
void eh_fiber_cancel(struct eh_fiber *fiber);
void eh_fiber_drop(struct eh_fiber *fiber); /* a handle went away */
extern const char eh_fiber_sentinel;

/* coroutine.c, restrict.c, random.c, searcher.c: set up a state */
void eh_coroutine_open(lua_State *L);
void eh_restrict_open(lua_State *L);
void eh_random_open(lua_State *L);
void eh_searcher_open(lua_State *L);

/* error.c */
int eh_error_handler(lua_State *L); /* message handler: normalises an error */

#endif
