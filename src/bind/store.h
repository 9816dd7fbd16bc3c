/* store.h: the host's side of evalhost.native.store: results of all fibers,
 * of all Lua states, that share commits.
 *
 * The host makes one (eh_host.store), calls eh_store_bind_turn once per turn
 * of the loop, and frees it after the last state was closed. */
#ifndef EH_BIND_STORE_H
#define EH_BIND_STORE_H

#include <stddef.h>
#include <stdint.h>

struct eh_store_bind;

struct eh_store_bind *eh_store_bind_new(void);
void eh_store_bind_free(struct eh_store_bind *bind);

/* Commits what is pending when it is time: 20 ms after the last commit, or
 * when 1,000 rows are pending, or when all in_flight fibers (those that could
 * still bring a row, with those that wait for one) wait here, so that nobody
 * can join. Completes the waits (eh_op_done). While the disk is full or
 * another process holds the store, it tries again for 60 s; then, and at once
 * for any other failure, the waits end with the error.
 *
 * now_ns is eh_clock_mono's time. Returns the nanoseconds until it wants to
 * be called again; UINT64_MAX when nothing is pending. */
uint64_t eh_store_bind_turn(struct eh_store_bind *bind, uint64_t now_ns,
                            size_t in_flight);

#endif
