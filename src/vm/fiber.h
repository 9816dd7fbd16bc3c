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

#include <lua.h>

#include <stdbool.h>

struct eh_fiber;

struct eh_op {
  void (*cancel)(struct eh_op *op);
  int (*finish)(lua_State *L, struct eh_op *op);
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

#endif
