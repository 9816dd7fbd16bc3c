/* os.c: evalhost.native.os, the process and its clocks, terminal, streams. */
#include "bind/bind.h"
#include "bind/modules.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define MAX_DIGITS 256
/* The years that a four-digit date can write, in microseconds. */
#define ISO_MIN (-INT64_C(62135596800000000))
#define ISO_MAX INT64_C(253402300799999999)

static int l_env(lua_State *L) {
  lua_pushstring(L, getenv(luaL_checkstring(L, 1))); /* nil if not set */
  return 1;
}

static int l_isatty(lua_State *L) {
  lua_Integer fd = luaL_checkinteger(L, 1);
  luaL_argcheck(L, fd >= 0 && fd <= INT_MAX, 1, "not a descriptor");
  lua_pushboolean(L, isatty((int)fd));
  return 1;
}

static int l_columns(lua_State *L) {
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    lua_pushnil(L);
  else
    lua_pushinteger(L, size.ws_col);
  return 1;
}

static int l_wall(lua_State *L) {
  lua_pushinteger(L, eh_clock_wall());
  return 1;
}

static int l_iso(lua_State *L) {
  lua_Integer us = luaL_checkinteger(L, 1);
  char text[32];
  luaL_argcheck(L, us >= ISO_MIN && us <= ISO_MAX, 1, "out of range");
  eh_clock_iso(us, text, sizeof text);
  lua_pushstring(L, text);
  return 1;
}

static int l_mono(lua_State *L) {
  lua_pushnumber(L, (lua_Number)eh_clock_mono() / 1e9);
  return 1;
}

static int l_cpu(lua_State *L) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  lua_pushnumber(L, (lua_Number)used.tv_sec + (lua_Number)used.tv_nsec / 1e9);
  return 1;
}

static int l_rss(lua_State *L) {
  long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "re");
  int got = statm != NULL ? fscanf(statm, "%*d %ld", &pages) : 0;
  if (statm != NULL)
    fclose(statm);
  if (got == 1)
    lua_pushinteger(L, (lua_Integer)pages * (sysconf(_SC_PAGESIZE) / 1024));
  else
    lua_pushnil(L);
  return 1;
}

static int l_pid(lua_State *L) {
  lua_pushinteger(L, getpid());
  return 1;
}

static int l_hostname(lua_State *L) {
  char name[HOST_NAME_MAX + 1] = "";
  if (gethostname(name, sizeof name - 1) != 0)
    name[0] = '\0';
  lua_pushstring(L, name);
  return 1;
}

static int put(lua_State *L, int fd, const char *name) {
  size_t len;
  const char *text = luaL_checklstring(L, 1, &len);
  struct eh_err err;
  if (eh_file_put(fd, text, len, name, &err) != 0)
    return eh_push_fail(L, &err);
  lua_pushboolean(L, 1);
  return 1;
}

static int l_write_out(lua_State *L) {
  return put(L, STDOUT_FILENO, "stdout");
}

static int l_write_err(lua_State *L) {
  return put(L, STDERR_FILENO, "stderr");
}

static int l_random_hex(lua_State *L) {
  lua_Integer digits = luaL_checkinteger(L, 1);
  unsigned char bytes[MAX_DIGITS / 2];
  char text[MAX_DIGITS + 1];
  size_t len = sizeof bytes;
  luaL_argcheck(L, digits >= 1 && digits <= MAX_DIGITS, 1, "out of range");
  if (getrandom(bytes, len, 0) != (ssize_t)len) {
    struct eh_err err;
    eh_err_errno(&err, errno, "getrandom");
    return eh_push_fail(L, &err);
  }
  eh_hex(bytes, len, text);
  lua_pushlstring(L, text, (size_t)digits);
  return 1;
}

static const luaL_Reg functions[] = {{"env", l_env},
                                     {"isatty", l_isatty},
                                     {"columns", l_columns},
                                     {"wall", l_wall},
                                     {"iso", l_iso},
                                     {"mono", l_mono},
                                     {"cpu", l_cpu},
                                     {"rss", l_rss},
                                     {"pid", l_pid},
                                     {"hostname", l_hostname},
                                     {"write_out", l_write_out},
                                     {"write_err", l_write_err},
                                     {"random_hex", l_random_hex},
                                     {NULL, NULL}};

int luaopen_evalhost_native_os(lua_State *L) {
  luaL_newlib(L, functions);
  return 1;
}
