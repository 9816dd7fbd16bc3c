/* test_fs.c: files from Lua: written whole or not at all, and read back. */
#include "bind/bind.h"
#include "bind/modules.h"

#include "check_main.h"

#include <fcntl.h>
#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A state with `fs`, `os2` (ours), `dir` (an empty folder) and
 * `code(nil, err)`; the script must run to its end. */
static void run(const char *script) {
  lua_State *L = luaL_newstate();
  char folder[] = "/tmp/evalhost-test-XXXXXX";
  ck_assert_ptr_nonnull(mkdtemp(folder));
  luaL_openlibs(L);
  luaL_requiref(L, "evalhost.native.fs", luaopen_evalhost_native_fs, 0);
  lua_setglobal(L, "fs");
  luaL_requiref(L, "evalhost.native.os", luaopen_evalhost_native_os, 0);
  lua_setglobal(L, "os2");
  lua_pushstring(L, folder);
  lua_setglobal(L, "dir");
  ck_assert_int_eq(luaL_dostring(L, "function code(v, err)\n"
                                    "  assert(v == nil and err.message)\n"
                                    "  return err.code\nend"),
                   LUA_OK);
  if (luaL_dostring(L, script) != LUA_OK)
    ck_abort_msg("%s", luaL_tolstring(L, -1, NULL));
  lua_close(L);
  /* What a script leaves behind it must remove itself. */
  ck_assert_msg(rmdir(folder) == 0, "%s is not empty", folder);
}

START_TEST(writes_and_reads_back) {
  run("local f = dir .. '/a/b/x.txt'\n"
      "local text = 'nul \\0 and \\xff' .. ('y'):rep(200000)\n"
      "assert(fs.write_atomic(f, text))\n"
      "assert(fs.read(f) == text)\n"
      "assert(fs.write_atomic(f, ''))\n"
      "assert(fs.read(f) == '')\n"
      "assert(#fs.list(dir .. '/a/b') == 1)\n" /* nothing temporary */
      "assert(fs.remove(f))\n"
      "assert(code(fs.read(f)) == 'not_found')\n"
      "assert(os.remove(dir .. '/a/b') and os.remove(dir .. '/a'))");
}
END_TEST

START_TEST(reads_up_to_the_limit) {
  run("local f = dir .. '/x'\n"
      "assert(fs.write_atomic(f, '12345'))\n"
      "assert(fs.read(f, 5) == '12345')\n"
      "assert(code(fs.read(f, 4)) == 'too_large')\n"
      "assert(code(fs.read(f, 0)) == 'too_large')\n"
      "assert(fs.write_atomic(f, ''))\n"
      "assert(fs.read(f, 0) == '')\n"
      "assert(#fs.read('/proc/self/stat') > 10)\n" /* stat says 0 bytes */
      "assert(code(fs.read(dir)) == 'io')\n"
      "assert(fs.remove(f))");
}
END_TEST

START_TEST(keeps_mode_and_follows_links) {
  mode_t old = umask(027);
  run("local f, l = dir .. '/x', dir .. '/link'\n"
      "assert(fs.write_atomic(f, '1'))\n"
      "assert(io.popen('stat -c %a ' .. f):read() == '640')\n"
      "os.execute('chmod 604 ' .. f .. '; ln -s x ' .. l)\n"
      "assert(fs.write_atomic(l, '2'))\n"
      "assert(fs.read(f) == '2')\n"
      "assert(io.popen('stat -c %a ' .. f):read() == '604')\n"
      "assert(io.popen('readlink ' .. l):read() == 'x')\n"
      "assert(fs.remove(l) and fs.remove(f))");
  umask(old);
}
END_TEST

START_TEST(writer_leaves_no_trace_without_commit) {
  run("local f = dir .. '/x'\n"
      "assert(fs.write_atomic(f, 'old'))\n"
      "do local w <close> = assert(fs.writer(f)); w:write('new') end\n"
      "assert(fs.read(f) == 'old' and #fs.list(dir) == 1)\n"
      "local w = fs.writer(f); w:write('new'); w = nil; collectgarbage()\n"
      "assert(fs.read(f) == 'old' and #fs.list(dir) == 1)\n"
      "w = fs.writer(f); w:write('new'); w:abort(); w:abort()\n"
      "assert(not pcall(w.write, w, 'x') and not pcall(w.commit, w))\n"
      "assert(fs.read(f) == 'old' and #fs.list(dir) == 1)\n"
      "assert(fs.remove(f))");
}
END_TEST

START_TEST(writer_streams) {
  run("local f = dir .. '/x'\n"
      "local w <close> = assert(fs.writer(f))\n"
      "local parts = {}\n"
      "for i = 1, 2000 do\n"
      "  parts[i] = ('%d,'):rep(i % 97):format(table.unpack(\n"
      "    setmetatable({}, {__index = function() return i end}), 1, i % 97))\n"
      "  assert(w:write(parts[i]))\n"
      "end\n"
      "local big = ('z'):rep(100000)\n"
      "assert(w:write(big) and w:write('end'))\n"
      "assert(not fs.exists(f))\n"
      "assert(w:commit())\n"
      "assert(fs.read(f) == table.concat(parts) .. big .. 'end')\n"
      "assert(fs.remove(f))");
}
END_TEST

START_TEST(writes_straight_to_what_is_no_file) {
  run("assert(fs.write_atomic('/dev/null', 'x'))\n"
      "assert(fs.stat('/dev/null').type == 'other')\n"
      "assert(code(fs.write_atomic(dir, 'x')) == 'io')\n"
      "assert(code(fs.write_atomic('/dev/null/x', 'x')) == 'exists')\n"
      "assert(code(fs.write_atomic(dir .. '/x/', 'x')) == 'argument')");
}
END_TEST

START_TEST(failure_keeps_the_old_text) {
  struct rlimit was, small;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &was);
  small = was;
  small.rlim_cur = 1000;
  setrlimit(RLIMIT_FSIZE, &small);
  run("local f = dir .. '/x'\n"
      "assert(fs.write_atomic(f, 'old'))\n"
      "assert(code(fs.write_atomic(f, ('y'):rep(5000))) == 'io')\n"
      "local w = fs.writer(f)\n"
      "w:write(('y'):rep(5000))\n"
      "assert(code(w:commit()) == 'io')\n"
      "assert(fs.read(f) == 'old' and #fs.list(dir) == 1)\n"
      "assert(fs.remove(f))");
  setrlimit(RLIMIT_FSIZE, &was);
}
END_TEST

START_TEST(works_on_paths) {
  run("local function is(got, want) assert(got == want, got) end\n"
      "is(fs.absolute('/a/./b//../c/'), '/a/c')\n"
      "is(fs.absolute('/../..'), '/')\n"
      "is(fs.absolute('x/../y', '/base/'), '/base/y')\n"
      "is(fs.absolute('../../../y', '/base'), '/y')\n"
      "is(fs.absolute('..hidden', '/b'), '/b/..hidden')\n"
      "is(fs.absolute('x'), fs.absolute('.') .. '/x')\n"
      "is(fs.absolute('x', 'sub'), fs.absolute('.') .. '/sub/x')\n"
      "is(fs.dirname('/a/b'), '/a') is(fs.dirname('a'), '.')\n"
      "is(fs.dirname('/a'), '/') is(fs.dirname('a//b/'), 'a')\n"
      "is(fs.dirname('/'), '/')\n"
      "is(fs.basename('/a/b.txt'), 'b.txt') is(fs.basename('a/'), 'a')\n"
      "is(fs.basename('/'), '/')\n"
      "is(fs.join('a', 'b'), 'a/b') is(fs.join('a/', 'b'), 'a/b')\n"
      "is(fs.join('a', '/b'), '/b')\n"
      "assert(not pcall(fs.read, ''))\n"
      "assert(not pcall(fs.read, 'a\\0b'))\n"
      "assert(not pcall(fs.absolute, ('a'):rep(5000)))\n"
      "assert(code(fs.absolute(('a'):rep(3000), '/' .. ('b'):rep(3000)))\n"
      "  == 'too_large')");
}
END_TEST

START_TEST(lists_and_describes) {
  run("for _, n in ipairs { 'b', 'a', '.h', 'Z' } do\n"
      "  assert(fs.write_atomic(dir .. '/' .. n, n))\n"
      "end\n"
      "assert(table.concat(fs.list(dir), ' ') == '.h Z a b')\n"
      "local s = fs.stat(dir .. '/b')\n"
      "assert(s.type == 'file' and s.size == 1)\n"
      "assert(math.abs(s.mtime - os2.wall()) < 60e6)\n"
      "assert(fs.stat(dir).type == 'folder')\n"
      "assert(fs.is_regular(dir .. '/b') and not fs.is_regular(dir))\n"
      "assert(not fs.exists(dir .. '/c'))\n"
      "assert(code(fs.stat(dir .. '/c')) == 'not_found')\n"
      "assert(code(fs.list(dir .. '/c')) == 'not_found')\n"
      "for _, n in ipairs(fs.list(dir)) do fs.remove(dir .. '/' .. n) end\n"
      "assert(#fs.list(dir) == 0)\n"
      "assert(fs.mkdir(dir .. '/p/q//r/') and fs.mkdir(dir .. '/p/q/r'))\n"
      "assert(code(fs.mkdir('/dev/null')) == 'exists')\n"
      "os.remove(dir .. '/p/q/r') os.remove(dir .. '/p/q')\n"
      "os.remove(dir .. '/p')");
}
END_TEST

START_TEST(spools_pipes) {
  int pipes[2], saved = dup(STDIN_FILENO);
  ck_assert_int_eq(pipe(pipes), 0);
  ck_assert_int_eq(write(pipes[1], "a\0b", 3), 3);
  close(pipes[1]);
  dup2(pipes[0], STDIN_FILENO);
  close(pipes[0]);
  run("local p = assert(fs.spool('-'))\n"
      "assert(fs.read(p) == 'a\\0b' and fs.is_regular(p))\n"
      "local q = assert(fs.spool(p))\n"
      "assert(p ~= q and fs.read(q) == 'a\\0b')\n"
      "assert(fs.remove(p) and fs.remove(q))\n"
      "assert(code(fs.spool(p)) == 'not_found')");
  dup2(saved, STDIN_FILENO);
  close(saved);
}
END_TEST

CHECK_MAIN(fs, writes_and_reads_back, reads_up_to_the_limit,
           keeps_mode_and_follows_links, writer_leaves_no_trace_without_commit,
           writer_streams, writes_straight_to_what_is_no_file,
           failure_keeps_the_old_text, works_on_paths, lists_and_describes,
           spools_pipes)
