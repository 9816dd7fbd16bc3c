/* host.h: what the native modules find behind a Lua state: the loop, the
 * client, the store's batch, the terminal and the gate that all runs of this
 * process share. The program owns the host; it outlives every Lua state. */
#ifndef EH_BIND_HOST_H
#define EH_BIND_HOST_H

#include "base/list.h"
#include "bind/term.h"
#include "vm/fiber.h"
#include "vm/vm.h"

#include <lua.h>

struct eh_http;
struct eh_loop;
struct eh_script;
struct eh_store_bind;

struct eh_host {
  struct eh_loop *loop;
  const struct eh_script *scripts; /* the embedded library */
  struct eh_http *http;            /* made by the first request */
  struct eh_store_bind *store;
  struct eh_term term;
  struct eh_gate gate;
  struct eh_list on_signal; /* fibers that wait for one */
  int signal;               /* the first that came, or 0 */
};

/* The host of the state that L belongs to. */
struct eh_host *eh_host_of(lua_State *L);

#endif
