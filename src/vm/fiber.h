/* fiber.h: fibers (Lua coroutines owned by the scheduler) and their waits.
 *
 * The rules (DESIGN: "Fibers"):
 * - Callbacks never touch Lua. They call eh_op_done, which only enqueues; the
 *   scheduler's drain resumes later. Nothing resumes from inside a resume.
 * - A fiber has at most one pending op. The op is embedded in a userdata of
 *   the binding that starts it; that userdata must sit on the stack of the
 *   function that waits, which keeps it alive until the wait ends.
 * - To wait: eh_await_check first (raises a clear error where waiting is
 *   impossible); create the userdata closed; start the work; then
 *   `return eh_await(L, op);` as the function's last act.
 * - The wait ends in one of two ways. The work called eh_op_done: op->finish
 *   pushes the results on L and returns their number; it may raise. Or the
 *   fiber was cancelled or timed out: op->cancel was called (once; after it
 *   returns the work must never touch op again, nor call eh_op_done) and the
 *   wait raises. */
#ifndef EH_VM_FIBER_H
#define EH_VM_FIBER_H

#include "base/list.h"

#include <lua.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eh_fiber;

struct eh_op {
  void (*cancel)(struct eh_op *op);
  int (*finish)(lua_State *L, struct eh_op *op);
  /* What the work is doing ("connect", "body"), for a timeout's report; asked
   * before cancel. May be NULL. The text must outlive the op. */
  const char *(*phase)(const struct eh_op *op);
  struct eh_fiber *fiber; /* set by eh_await; NULL before and after */
  bool done;              /* set by eh_op_done */
};

/* Raises unless the code that runs in L is in a fiber and may yield; `what`
 * names the function for the message, such as "eval.http.request". */
void eh_await_check(lua_State *L, const char *what);

/* Waits until op is done. Returns what the C function must return. If op is
 * done already, finishes at once without yielding. */
int eh_await(lua_State *L, struct eh_op *op);

/* Called from callbacks on the loop's thread: the op's work has ended. */
void eh_op_done(struct eh_op *op);

/* The metatables of handles and events; made by eh_fiber_open_types. */
#define EH_FIBER_TYPE "evalhost.fiber"
#define EH_EVENT_TYPE "evalhost.event"
void eh_fiber_open_types(lua_State *L);

/* Starts a fiber from the function and nargs arguments on top of L, which it
 * pops. It inherits the deadline of the current fiber. Pushes a handle. */
void eh_fiber_spawn(lua_State *L, int nargs);

/* The handle's fiber: wait for its end (pushes ok, results... or false, err),
 * or ask it to stop. */
int eh_fiber_join(lua_State *L, int handle);
void eh_fiber_stop(lua_State *L, int handle);
bool eh_fiber_ended(lua_State *L, int handle);

/* Waits for seconds. A booked wait (backoff, admission) is not active work:
 * the deadlines of the fiber stand still meanwhile. 0 gives other fibers and
 * the loop a turn. */
int eh_fiber_sleep(lua_State *L, double seconds, bool booked);

/* Lua: timeout(seconds, fn, ...) -> true, results... | false, err
 * A protected call with a deadline (seconds may be math.huge). err is always
 * a table { code, message, traceback [, phase] }, whatever was thrown. */
int eh_fiber_timeout(lua_State *L);

/* The current fiber has dealt with its cancellation, if there was one, and
 * cannot be cancelled from now on: for what must happen at its end. */
void eh_fiber_settle(lua_State *L);

/* Seconds of active work left before the innermost deadline; infinity when
 * there is none. */
double eh_fiber_time_left(lua_State *L);

/* Pushes a table that belongs to the current fiber; its children share it. */
void eh_fiber_push_locals(lua_State *L);

/* Says what the current fiber works on, for the watchdog's last words. The
 * text is cut at 100 bytes. */
void eh_fiber_name(lua_State *L, const char *name);

/* Seeds the random numbers of the current fiber from two 64-bit words. */
void eh_fiber_seed(lua_State *L, uint64_t a, uint64_t b);

/* A gate admits at most `limit` holders at once, first come, first served. It
 * belongs to the host and may serve several states. */
struct eh_gate {
  size_t limit;
  size_t held;    /* admitted */
  size_t leaving; /* gave their place back, but have not ended */
  struct eh_list waiters;
};

void eh_gate_init(struct eh_gate *gate, size_t limit);
int eh_gate_acquire(lua_State *L, struct eh_gate *gate); /* waits, booked */
void eh_gate_release(struct eh_gate *gate);
void eh_gate_left(struct eh_gate *gate); /* once after each release */
void eh_gate_resize(struct eh_gate *gate, size_t limit);

/* Waits until the owner of the list completes what is in it (see
 * eh_wake_all): how a wait for something of the host's is made. */
int eh_wait_in(lua_State *L, struct eh_list *waiters, const char *what);
void eh_wake_all(struct eh_list *waiters);

/* An event wakes all who wait for it; it remembers nothing. */
void eh_event_new(lua_State *L); /* pushes it */
int eh_event_wait(lua_State *L, int idx);
void eh_event_wake(lua_State *L, int idx);

#endif
