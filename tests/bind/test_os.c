/* test_os.c: clocks, streams and facts of the process from Lua. */
#include "bind/bind.h"
#include "bind/modules.h"

#include "check_main.h"

#include <fcntl.h>
#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(const char *script) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_requiref(L, "evalhost.native.os", luaopen_evalhost_native_os, 0);
  lua_setglobal(L, "os");
  if (luaL_dostring(L, script) != LUA_OK)
    ck_abort_msg("%s", luaL_tolstring(L, -1, NULL));
  lua_close(L);
}

START_TEST(tells_the_time) {
  run("assert(os.iso(0) == '1970-01-01T00:00:00.000Z')\n"
      "assert(os.iso(1795302062123999) == '2026-11-21T23:01:02.123Z')\n"
      "assert(not pcall(os.iso, math.maxinteger))\n"
      "assert(not pcall(os.iso, 1.5))\n"
      "assert(math.type(os.wall()) == 'integer')\n"
      "assert(os.wall() > 1600000000000000)\n"
      "local a, c = os.mono(), os.cpu()\n"
      "for _ = 1, 1e5 do end\n"
      "assert(os.mono() > a and os.cpu() > c)");
}
END_TEST

START_TEST(tells_of_the_process) {
  setenv("EVALHOST_TEST_VALUE", "x y", 1);
  setenv("EVALHOST_TEST_EMPTY", "", 1);
  unsetenv("EVALHOST_TEST_ABSENT");
  run("assert(os.env 'EVALHOST_TEST_VALUE' == 'x y')\n"
      "assert(os.env 'EVALHOST_TEST_EMPTY' == '')\n"
      "assert(os.env 'EVALHOST_TEST_ABSENT' == nil)\n"
      "assert(select('#', os.env 'EVALHOST_TEST_ABSENT') == 1)\n"
      "local kb = os.rss()\n"
      "assert(kb > 500 and kb < 2 ^ 31)\n"
      "assert(os.pid() > 0 and #os.hostname() > 0)\n"
      "assert(not os.isatty(1000))\n"
      "assert(not pcall(os.isatty, -1))");
}
END_TEST

START_TEST(random_digits_differ) {
  run("local seen = {}\n"
      "for n = 1, 256 do\n"
      "  local h = os.random_hex(n)\n"
      "  assert(#h == n and h:match '^[0-9a-f]+$')\n"
      "  if n >= 16 then\n"
      "    assert(not seen[h:sub(1, 16)])\n"
      "    seen[h:sub(1, 16)] = true\n"
      "  end\n"
      "end\n"
      "assert(not pcall(os.random_hex, 0))\n"
      "assert(not pcall(os.random_hex, 257))");
}
END_TEST

/* A full pipe that does not block, and a slow reader: all of it arrives. */
START_TEST(writes_all_of_it) {
  int pipes[2], saved = dup(STDOUT_FILENO), status;
  pid_t reader;
  fflush(NULL);
  ck_assert_int_eq(pipe(pipes), 0);
  reader = fork();
  if (reader == 0) {
    char bytes[4096];
    size_t total = 0;
    ssize_t got;
    close(pipes[1]);
    usleep(100000);
    while ((got = read(pipes[0], bytes, sizeof bytes)) > 0)
      total += (size_t)got;
    _exit(total == 1000000 ? 0 : 1);
  }
  fcntl(pipes[1], F_SETFL, O_NONBLOCK);
  dup2(pipes[1], STDOUT_FILENO);
  close(pipes[0]);
  close(pipes[1]);
  run("assert(os.write_out(('x'):rep(1000000)))");
  dup2(saved, STDOUT_FILENO);
  close(saved);
  ck_assert_int_eq(waitpid(reader, &status, 0), reader);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

START_TEST(a_reader_that_has_gone_is_an_error) {
  int pipes[2], saved = dup(STDERR_FILENO);
  fflush(NULL);
  signal(SIGPIPE, SIG_IGN);
  ck_assert_int_eq(pipe(pipes), 0);
  close(pipes[0]);
  dup2(pipes[1], STDERR_FILENO);
  close(pipes[1]);
  run("local ok, err = os.write_err 'x'\n"
      "assert(ok == nil and err.code == 'reset')\n"
      "assert(os.write_err '')\n"
      "assert(os.columns() == nil)");
  dup2(saved, STDERR_FILENO);
  close(saved);
}
END_TEST

CHECK_MAIN(os, tells_the_time, tells_of_the_process, random_digits_differ,
           writes_all_of_it, a_reader_that_has_gone_is_an_error)
