/* vm.h: one Lua state with its fibers, its limits and its clock.
 *
 * One state serves one run (or one spec file); several states share a thread
 * and a loop but nothing else. The owner drives it: eh_vm_drain runs what is
 * ready and says when it must be called again. A vm is owned by its creator
 * and released by eh_vm_free, which cancels every fiber that is left. */
#ifndef EH_VM_VM_H
#define EH_VM_VM_H

#include "base/err.h"
#include "vm/scripts.h"

#include <lua.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eh_vm;

struct eh_vm_options {
  size_t memory_max;               /* bytes of Lua memory; 0 = the default */
  const struct eh_script *scripts; /* the embedded library, or NULL */
  const char *scripts_dir;         /* replaces it from disk, or NULL */
  void *host;                      /* what eh_vm_host gives back */
};

#define EH_VM_MEMORY_DEFAULT ((size_t)2 << 30)

/* Seconds that one stretch of Lua may run without waiting where no deadline
 * applies (loading a suite, preflight, report). */
#define EH_VM_SLICE_SECONDS 60

/* After a deadline error a fiber has this long to close what it holds. */
#define EH_VM_GRACE_NS UINT64_C(500000000)

/* Returns NULL only when memory_max is too small to start. */
struct eh_vm *eh_vm_new(const struct eh_vm_options *options);
void eh_vm_free(struct eh_vm *vm);

lua_State *eh_vm_state(struct eh_vm *vm);
struct eh_vm *eh_vm_of(lua_State *L);
void *eh_vm_host(lua_State *L);

/* Pushes the error table { code, message } whose tostring is the message: the
 * one shape of errors that scripts see. */
void eh_vm_push_error(lua_State *L, const char *code, const char *message);

/* Pushes a text for whatever value is at idx; a __tostring that throws does
 * no harm. The text lives as long as it is on the stack. */
const char *eh_vm_push_text(lua_State *L, int idx);

/* Bytes that Lua holds now and held at most. */
size_t eh_vm_memory(const struct eh_vm *vm);
size_t eh_vm_memory_peak(const struct eh_vm *vm);

/* Starts a fiber that calls the function below the nargs arguments on top of
 * the main state's stack (which it pops). on_end, if not NULL, is called
 * when it has ended, with ok = false and a message when it failed. */
typedef void eh_vm_end_fn(void *arg, lua_State *co, bool ok,
                          const char *message);
void eh_vm_spawn(struct eh_vm *vm, int nargs, eh_vm_end_fn *on_end, void *arg);

/* Resumes everything that is ready until nothing is. Returns the nanoseconds
 * until it must be called again at the latest: UINT64_MAX when only an
 * outside event can make progress. *stalled, if not NULL, is what long
 * stretches of Lua took from everybody else in this call. */
uint64_t eh_vm_drain(struct eh_vm *vm, uint64_t *stalled);

/* Is a fiber waiting to be resumed? */
bool eh_vm_ready(const struct eh_vm *vm);

/* Time that another state on this thread took is not this one's fault: moves
 * every deadline by ns. */
void eh_vm_credit(struct eh_vm *vm, uint64_t ns);

/* Number of fibers that have not ended. */
size_t eh_vm_fibers(const struct eh_vm *vm);

#endif
