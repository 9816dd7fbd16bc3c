/* watchdog.c: stops Lua that does not come back.
 *
 * No event of the loop can fire while Lua runs, so a POSIX timer signals the
 * loop's own thread twenty times a second while Lua is busy. The handler does
 * one thing: when the running fiber is past its time, it sets a hook on the
 * Lua state that executes at that moment. The hook raises. */
#include "vm/private.h"

#include "base/clock.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#define TICK_NS     (50 * 1000000L)
#define STUCK_NS    (5 * EH_NS_PER_S) /* an armed hook that does not fire */
#define TICK_SIGNAL (SIGRTMIN + 3)

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static void hook(lua_State *L, lua_Debug *ar) {
  struct eh_fiber *fiber = eh_fiber_current(L);
  (void)ar;
  if (fiber == NULL || (!fiber->overdue && fiber->vm->watch_at != 0 &&
                        eh_clock_mono() < fiber->vm->watch_at)) {
    lua_sethook(L, NULL, 0, 0);
    return;
  }
  eh_fiber_overrun(L);
}

void eh_watchdog_arm(lua_State *L) {
  lua_sethook(L, hook, LUA_MASKCOUNT, 1);
}

static void set_timer(struct eh_vm *vm, long tick_ns) {
  struct itimerspec spec = {{0, tick_ns}, {0, tick_ns}};
  timer_settime(vm->watchdog, 0, &spec, NULL);
}

static void say(const char *text) {
  ssize_t n = write(STDERR_FILENO, text, strlen(text));
  (void)n;
}

/* No hook fires inside of a C function or a finalizer: a pattern that never
 * ends cannot be stopped. All that is left is to name the case and end; what
 * was announced is durable. Async-signal-safe. */
_Noreturn static void give_up(const struct eh_vm *vm) {
  say("\nevalhost: internal fault: the script is stuck inside a library "
      "function (a string pattern that backtracks for ever, as a rule) or a "
      "finalizer");
  if (vm->current != NULL && vm->current->name[0] != '\0') {
    say(", in ");
    say(vm->current->name);
  }
  say("; nothing can stop it, so the program ends\n");
  _exit(5);
}

static void tick(int signum, siginfo_t *info, void *context) {
  struct eh_vm *vm = info->si_value.sival_ptr;
  lua_State *running = vm->running;
  uint64_t now;
  (void)signum;
  (void)context;
  if (running == NULL) {
    if (++vm->idle_ticks >= 2) {
      vm->ticking = 0;
      set_timer(vm, 0);
    }
    return;
  }
  vm->idle_ticks = 0;
  now = eh_clock_mono();
  if (vm->watch_at == 0 || now < vm->watch_at)
    return;
  if (now >= vm->watch_at + STUCK_NS)
    give_up(vm);
  if (vm->current != NULL) /* else the state is being closed */
    eh_watchdog_arm(running);
}

static void start_ticking(struct eh_vm *vm) {
  if (!vm->ticking) {
    vm->ticking = 1;
    vm->idle_ticks = 0;
    set_timer(vm, TICK_NS);
  }
}

void eh_watchdog_watch(struct eh_vm *vm) {
  const struct eh_fiber *fiber = vm->current;
  vm->watch_at = eh_timer_active(&fiber->timer)
                     ? fiber->timer.at + vm->stalled
                     : vm->slice_start + EH_VM_SLICE_SECONDS * EH_NS_PER_S;
  start_ticking(vm);
}

/* No hook fires in a finalizer: one that does not end ends the program. */
void eh_watchdog_last(struct eh_vm *vm) {
  vm->current = NULL;
  vm->running = vm->L;
  vm->watch_at = eh_clock_mono();
  start_ticking(vm);
}

void eh_watchdog_open(struct eh_vm *vm) {
  struct sigaction action;
  struct sigevent event;
  int rc;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = tick;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(TICK_SIGNAL, &action, NULL);
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = TICK_SIGNAL;
  event.sigev_value.sival_ptr = vm;
  event.sigev_notify_thread_id = gettid();
  rc = timer_create(CLOCK_MONOTONIC, &event, &vm->watchdog);
  assert(rc == 0);
  (void)rc;
}

void eh_watchdog_close(struct eh_vm *vm) {
  static const struct timespec at_once = {0, 0};
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, TICK_SIGNAL);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  timer_delete(vm->watchdog);
  /* One that is already on its way must not meet freed memory. */
  while (sigtimedwait(&set, NULL, &at_once) > 0)
    continue;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
