/* loop.h: the event loop of the program, on one thread.
 *
 * The loop owns what eh_loop_on_* registers. Callbacks run on the thread that
 * called eh_loop_run, never from inside one another (but see eh_loop_work). A
 * loop is freed last: first what lives on it (eh_http_free, eh_alarm_free,
 * ...). */
#ifndef EH_NET_LOOP_H
#define EH_NET_LOOP_H

#include "base/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eh_loop;

/* A time that never comes. */
#define EH_NEVER UINT64_MAX

/* Never NULL: a system without room for a loop ends the program like one
 * without memory. Ignores SIGPIPE in the process: a peer that goes away is an
 * error of one write. */
struct eh_loop *eh_loop_new(void);
void eh_loop_free(struct eh_loop *loop);

/* Runs until eh_loop_stop, which may be called before it or in a callback. */
void eh_loop_run(struct eh_loop *loop);
void eh_loop_stop(struct eh_loop *loop);

/* Monotonic nanoseconds. */
uint64_t eh_loop_now(const struct eh_loop *loop);

/* The turn function is called once per turn of the loop, before it would
 * block. It returns in how many ns it wants to be called again at the latest:
 * 0 = do not block now, EH_NEVER = when something happens. One per loop; NULL
 * takes it away. */
typedef uint64_t eh_loop_turn_fn(void *arg, uint64_t now_ns);
void eh_loop_on_turn(struct eh_loop *loop, eh_loop_turn_fn *fn, void *arg);

/* fn is called on the loop's thread each time signum arrives. One function
 * per signal; NULL restores what was before. Returns 0, or EH_EARG for a
 * signal that cannot be caught. */
typedef void eh_loop_signal_fn(void *arg, int signum);
int eh_loop_on_signal(struct eh_loop *loop, int signum, eh_loop_signal_fn *fn,
                      void *arg);

/* A part of the program that lives on the loop. flush, unless NULL, is called
 * each turn after the turn function, to send what that has started; it
 * returns true if it called back, so that the loop turns again before it
 * blocks. drop, unless NULL, is called by eh_loop_free. */
struct eh_loop_part {
  struct eh_list link;
  bool (*flush)(struct eh_loop_part *part);
  void (*drop)(struct eh_loop_part *part);
};
void eh_loop_add_part(struct eh_loop *loop, struct eh_loop_part *part);

/* Work off the loop's thread. `work` is called on a thread of a small pool,
 * then `done` on the loop's thread: by a turn of the loop, or by eh_loop_join.
 * What arg leads to is work's alone until then. The handle is the loop's and
 * ends when done is called. eh_loop_free waits for work that is under way and
 * calls its done. */
struct eh_work;
typedef void eh_loop_work_fn(void *arg);
struct eh_work *eh_loop_work(struct eh_loop *loop, eh_loop_work_fn *work,
                             eh_loop_work_fn *done, void *arg);

/* Waits on the loop's thread until the work has ended, and calls its done now
 * instead of later. Takes as long as the work does. */
void eh_loop_join(struct eh_work *work);

/* How many handles are open beside the loop's own: for tests of leaks. */
size_t eh_loop_handles(struct eh_loop *loop);

/* Raises the soft limit of open files to the hard one; returns the limit. */
uint64_t eh_loop_raise_files(void);

#endif
