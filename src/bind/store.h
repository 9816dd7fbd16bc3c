/* store.h: the host's side of evalhost.native.store: results of all fibers,
 * of all Lua states, that share commits.
 *
 * The host makes one (eh_host.store), calls eh_store_bind_turn once per turn
 * of the loop, and frees it after the last state was closed. */
#ifndef EH_BIND_STORE_H
#define EH_BIND_STORE_H

#include <stddef.h>
#include <stdint.h>

struct eh_loop;
struct eh_store_bind;

/* Commits are made beside the loop, on another thread: at most one per file
 * at a time; what comes meanwhile goes into the next one. */
struct eh_store_bind *eh_store_bind_new(struct eh_loop *loop);
void eh_store_bind_free(struct eh_store_bind *bind);

/* Starts to commit what is pending when it is time: 20 ms after the last
 * commit, or when 1,000 rows are pending, or when all in_flight fibers (those
 * that could still bring a row, with those that wait for one) wait here, so
 * that nobody can join. The end of a commit completes its waits (eh_op_done),
 * and makes the loop turn. While the disk is full or another process holds
 * the store, it is tried again for 60 s; then, and at once for any other
 * failure, the waits end with the error.
 *
 * now_ns is eh_clock_mono's time. Returns the nanoseconds until it wants to
 * be called again; UINT64_MAX when nothing is pending, or it goes into the
 * commit after the one under way. */
uint64_t eh_store_bind_turn(struct eh_store_bind *bind, uint64_t now_ns,
                            size_t in_flight);

#endif
