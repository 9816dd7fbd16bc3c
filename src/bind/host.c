/* host.c: evalhost.native.host: signals, and facts about this process. */
#include "bind/host.h"

#include "bind/bind.h"
#include "bind/modules.h"

#include "evalhost/version.h"

#include <signal.h>

struct eh_host *eh_host_of(lua_State *L) {
  return eh_vm_host(L);
}

static int push_signal(lua_State *L, int signum) {
  switch (signum) {
  case 0:
    lua_pushnil(L);
    break;
  case SIGINT:
    lua_pushliteral(L, "SIGINT");
    break;
  case SIGTERM:
    lua_pushliteral(L, "SIGTERM");
    break;
  default:
    lua_pushliteral(L, "SIGHUP");
  }
  return 1;
}

static int l_signal(lua_State *L) {
  return push_signal(L, eh_host_of(L)->signal);
}

static int l_wait_signal(lua_State *L) {
  struct eh_host *host = eh_host_of(L);
  if (host->signal != 0)
    return 0;
  return eh_wait_in(L, &host->on_signal, "host.wait_signal");
}

int luaopen_evalhost_native_host(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"signal", l_signal}, {"wait_signal", l_wait_signal}, {NULL, NULL}};
  luaL_newlib(L, functions);
  lua_pushliteral(L, EVALHOST_VERSION);
  lua_setfield(L, -2, "version");
  return 1;
}
