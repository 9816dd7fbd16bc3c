/* test_store.c: the store from Lua: fibers of several states wait for shared
 * commits, and what they are told is what is in the file. */
#include "bind/store.h"

#include "base/clock.h"
#include "bind/bind.h"
#include "bind/host.h"
#include "bind/modules.h"
#include "bind/store_batch.h"
#include "net/loop.h"
#include "vm/vm.h"

#include "check_main.h"

#include <dirent.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct world {
  struct eh_host host;
  struct eh_vm *vms[2];
  char folder[64];
  uint64_t now; /* the time that the store is told */
  int failed;
};

/* What the scripts share: `open()`, `row(run, idx)`, `rows(run)`. */
static const char prelude[] =
    "store = require_store\n"
    "function open() return assert(store.open(dir .. '/s.db')) end\n"
    "function begin(s) return s:begin { suite = 'su', target = 'ta' } end\n"
    "function put(run, idx, record)\n"
    "  return run:put(idx, 1, 'c' .. idx, 'pass', 0.5, '[1]',\n"
    "    record or '{}')\n"
    "end\n"
    "function rows(run)\n"
    "  local n = 0\n"
    "  for _ in run:results { records = false } do n = n + 1 end\n"
    "  return n\n"
    "end\n";

static void world_make(struct world *w) {
  memset(w, 0, sizeof *w);
  strcpy(w->folder, "/tmp/evalhost-test-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(w->folder));
  w->now = eh_clock_mono();
  w->host.loop = eh_loop_new();
  w->host.store = eh_store_bind_new(w->host.loop);
  for (int i = 0; i < 2; i++) {
    struct eh_vm_options options = {.host = &w->host};
    lua_State *L;
    w->vms[i] = eh_vm_new(&options);
    L = eh_vm_state(w->vms[i]);
    luaL_requiref(L, "evalhost.native.store", luaopen_evalhost_native_store, 0);
    lua_setglobal(L, "require_store");
    luaL_requiref(L, "evalhost.native.fiber", luaopen_evalhost_native_fiber, 0);
    lua_setglobal(L, "fiber");
    lua_pushstring(L, w->folder);
    lua_setglobal(L, "dir");
    ck_assert_int_eq(luaL_dostring(L, prelude), LUA_OK);
  }
}

static void world_free(struct world *w) {
  DIR *dir;
  const struct dirent *entry;
  eh_vm_free(w->vms[0]);
  eh_vm_free(w->vms[1]);
  eh_store_bind_free(w->host.store);
  eh_loop_free(w->host.loop);
  dir = opendir(w->folder);
  while ((entry = readdir(dir)) != NULL)
    unlinkat(dirfd(dir), entry->d_name, 0);
  closedir(dir);
  ck_assert_int_eq(rmdir(w->folder), 0);
}

static void ended(void *arg, lua_State *co, bool ok, const char *message) {
  struct world *w = arg;
  (void)co;
  if (!ok) {
    w->failed++;
    fprintf(stderr, "script: %s\n", message);
  }
}

/* Starts a fiber in state i. */
static void start(struct world *w, int i, const char *script) {
  lua_State *L = eh_vm_state(w->vms[i]);
  if (luaL_loadstring(L, script) != LUA_OK)
    ck_abort_msg("%s", lua_tostring(L, -1));
  eh_vm_spawn(w->vms[i], 0, ended, w);
}

static void drain(struct world *w) {
  eh_vm_drain(w->vms[0], NULL);
  eh_vm_drain(w->vms[1], NULL);
}

/* Waits for a commit that is under way, as another user of the file would. */
static void join(struct world *w) {
  char path[96];
  struct eh_batch *batch;
  snprintf(path, sizeof path, "%s/s.db", w->folder);
  if (access(path, F_OK) != 0 ||
      eh_batch_open(w->host.store, path, &batch, NULL) != 0)
    return;
  (void)eh_batch_store(batch);
  ck_assert_int_eq(eh_batch_close(batch, NULL), 0);
}

static uint64_t turn(struct world *w, size_t in_flight) {
  uint64_t next;
  drain(w);
  next = eh_store_bind_turn(w->host.store, w->now, in_flight);
  join(w);
  drain(w);
  return next;
}

/* Turns until all fibers have ended. */
static void finish(struct world *w) {
  for (int i = 0; i < 10000; i++) {
    size_t fibers = eh_vm_fibers(w->vms[0]) + eh_vm_fibers(w->vms[1]);
    if (fibers == 0)
      break;
    turn(w, fibers);
    w->now += EH_NS_PER_MS;
  }
  ck_assert_uint_eq(eh_vm_fibers(w->vms[0]) + eh_vm_fibers(w->vms[1]), 0);
  ck_assert_int_eq(w->failed, 0);
}

static long global(struct world *w, int i, const char *name) {
  lua_State *L = eh_vm_state(w->vms[i]);
  long value;
  lua_getglobal(L, name);
  value = (long)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return value;
}

START_TEST(a_run_through_its_life) {
  struct world w;
  world_make(&w);
  start(
      &w, 0,
      "local s <close> = open()\n"
      "local run = s:begin { suite = 'su', target = 'ta',\n"
      "  header = '{\"seed\":1}', started_at = 5 }\n"
      "assert(run.id:match '^19700101T000000%-%x%x%x%x%x%x$')\n"
      "assert(run.status == 'running' and run.exit_code == nil)\n"
      "assert(run:put(2, 1, 'b', 'fail', nil, '', '{\"b\":1}') == true)\n"
      "assert(run:put(1, 2, 'a', 'pass', 1, '[2]', '{\"a\":2}'))\n"
      "assert(run:put(1, 1, 'a', 'pass', 0.25, '[1]', '{\"a\":1}'))\n"
      "local out = {}\n"
      "for idx, rep, id, verdict, score, figures, record in run:results() do\n"
      "  out[#out + 1] = table.concat({ idx, rep, id, verdict,\n"
      "    tostring(score), figures, record }, ' ')\n"
      "end\n"
      "assert(out[1] == '1 1 a pass 0.25 [1] {\"a\":1}', out[1])\n"
      "assert(out[2] == '1 2 a pass 1.0 [2] {\"a\":2}')\n"
      "assert(out[3] == '2 1 b fail nil  {\"b\":1}')\n"
      "assert(select('#', run:results { records = false }()) == 6)\n"
      "local counts = run:count()\n"
      "assert(counts.pass == 2 and counts.fail == 1)\n"
      "assert(run:finish { status = 'failed', exit_code = 1,\n"
      "  finished_at = 9, summary = '{}' })\n"
      "assert(run.status == 'failed' and run.finished_at == 9)\n"
      "local again = s:run('last')\n"
      "assert(again.id == run.id and again.exit_code == 1)\n"
      "assert(again.header == '{\"seed\":1}' and again.suite == 'su')\n"
      "assert(s:run(run.id:sub(1, 12)).id == run.id)\n"
      "assert(s:trouble() == nil)\n");
  finish(&w);
  world_free(&w);
}
END_TEST

START_TEST(failures_are_told) {
  struct world w;
  world_make(&w);
  start(&w, 0,
        "local function code(v, e) assert(v == nil) return e.code end\n"
        "assert(code(store.open(dir .. '/no/s.db')) == 'not_found')\n"
        "assert(code(store.open(dir)) == 'corrupt')\n"
        "assert(not pcall(store.open, ''))\n"
        "local s = open()\n"
        "assert(code(s:run('nope')) == 'not_found')\n"
        "assert(code(s:run('last')) == 'not_found')\n"
        "local run = s:begin { id = 'x', suite = 's', target = 't' }\n"
        "assert(code(s:begin { id = 'x', suite = 's', target = 't' })\n"
        "  == 'exists')\n"
        "assert(not pcall(s.begin, s, { suite = 's' }))\n"
        "assert(not pcall(s.begin, s, { suite = 's', target = 't',\n"
        "  started_at = 1.5 }))\n"
        "assert(not pcall(put, run, 1.5))\n"
        "assert(not pcall(run.put, run, 1, 1, 'c', 'pass', 0/0, '', ''))\n"
        "assert(put(run, 1))\n"
        "assert(code(put(run, 1)) == 'exists')\n"
        "local next, _, _, cursor = run:results()\n"
        "assert(next() == 1 and next() == nil and next() == nil)\n"
        "cursor:close() cursor:close()\n"
        "assert(not pcall(next))\n"
        "assert(s:close() and s:close())\n"
        "local ok, e = pcall(s.run, s, 'x')\n"
        "assert(not ok and e:find 'closed')\n"
        "ok, e = pcall(run.count, run)\n"
        "assert(not ok and e:find 'closed')\n");
  finish(&w);
  /* Outside a fiber nothing can wait. */
  lua_State *L = eh_vm_state(w.vms[0]);
  ck_assert_int_ne(luaL_dostring(L, "local r = begin(open()) put(r, 1)"),
                   LUA_OK);
  ck_assert_ptr_nonnull(strstr(eh_vm_push_text(L, -1), "run:put"));
  lua_settop(L, 0);
  world_free(&w);
}
END_TEST

START_TEST(commits_are_shared) {
  struct world w;
  uint64_t next;
  world_make(&w);
  start(&w, 0, "s = open() run = begin(s) done = 0");
  drain(&w);
  for (int i = 0; i < 10; i++)
    start(&w, 0, "n = (n or 0) + 1 assert(put(run, n)) done = done + 1");
  drain(&w);
  ck_assert_int_eq(global(&w, 0, "done"), 0);
  turn(&w, 100); /* the first commit is not held back */
  ck_assert_int_eq(global(&w, 0, "done"), 10);
  ck_assert(eh_store_bind_turn(w.host.store, w.now, 100) == UINT64_MAX);
  w.now += 10 * EH_NS_PER_MS; /* the next one is */
  start(&w, 0, "assert(put(run, 11)) done = done + 1");
  next = turn(&w, 100);
  ck_assert_int_eq(global(&w, 0, "done"), 10); /* others may join */
  ck_assert(next > 0 && next < 1000 * EH_NS_PER_MS);
  start(&w, 0, "assert(put(run, 12)) done = done + 1");
  turn(&w, 100);
  ck_assert_int_eq(global(&w, 0, "done"), 10);
  turn(&w, 2); /* nobody else can */
  ck_assert_int_eq(global(&w, 0, "done"), 12);
  start(&w, 0, "assert(put(run, 13)) done = done + 1");
  next = turn(&w, 100);
  ck_assert_int_eq(global(&w, 0, "done"), 12);
  w.now += next;
  turn(&w, 100); /* it is time */
  ck_assert_int_eq(global(&w, 0, "done"), 13);
  for (int i = 0; i < 1000; i++)
    start(&w, 0, "n = n + 1 assert(put(run, n + 100)) done = done + 1");
  turn(&w, 5000); /* enough rows */
  ck_assert_int_eq(global(&w, 0, "done"), 1013);
  start(&w, 0, "assert(rows(run) == 1013) s:close()");
  finish(&w);
  world_free(&w);
}
END_TEST

START_TEST(states_share_a_file) {
  struct world w;
  struct eh_batch *one, *two;
  char path[96];
  world_make(&w);
  snprintf(path, sizeof path, "%s/s.db", w.folder);
  ck_assert_int_eq(eh_batch_open(w.host.store, path, &one, NULL), 0);
  snprintf(path, sizeof path, "%s/./s.db", w.folder);
  ck_assert_int_eq(eh_batch_open(w.host.store, path, &two, NULL), 0);
  ck_assert_ptr_eq(one, two);
  ck_assert_int_eq(eh_batch_close(one, NULL), 0);
  ck_assert_int_eq(eh_batch_close(two, NULL), 0);
  start(&w, 0,
        "local s <close> = open() local run = begin(s)\n"
        "for i = 1, 50 do assert(put(run, i)) end\n"
        "assert(rows(run) == 50)\n"
        "assert(run:finish { status = 'passed' })");
  start(&w, 1,
        "local s <close> = open() local run = begin(s)\n"
        "for i = 1, 70 do assert(put(run, i)) end\n"
        "assert(rows(run) == 70)\n"
        "assert(#s:runs() == 2 and #s:runs { limit = 1 } == 1)\n"
        "assert(s:runs()[1].id == run.id)");
  finish(&w);
  world_free(&w);
}
END_TEST

START_TEST(a_cancelled_wait_keeps_its_row) {
  struct world w;
  world_make(&w);
  start(&w, 0,
        "s = open() run = begin(s)\n"
        "assert(put(run, 1))\n"
        "local ok, err = fiber.timeout(0.02, put, run, 2)\n"
        "assert(not ok and err.code == 'timeout', err.message)\n"
        "collectgarbage()\n"
        "cancelled = 1");
  turn(&w, 1);
  w.now = 0; /* never time for a commit, and others might join */
  for (int i = 0; i < 200 && global(&w, 0, "cancelled") == 0; i++) {
    turn(&w, 100);
    usleep(1000);
  }
  ck_assert_int_eq(global(&w, 0, "cancelled"), 1);
  start(&w, 0,
        "assert(rows(run) == 1) s:close()\n"
        "s = open() assert(rows(s:run('last')) == 2)");
  finish(&w);
  world_free(&w); /* with s open: the state closes it */
}
END_TEST

/* Whoever has been cancelled does not count among those who wait. */
START_TEST(a_cancelled_wait_is_not_counted) {
  struct world w;
  world_make(&w);
  start(&w, 0,
        "collectgarbage 'stop'\n"
        "s = open() run = begin(s) done = 0\n"
        "assert(put(run, 1))\n"
        "fiber.timeout(0.02, put, run, 2)\n"
        "cancelled = 1\n"
        "assert(put(run, 3))\n"
        "done = 1");
  turn(&w, 1);
  for (int i = 0; i < 200 && global(&w, 0, "cancelled") == 0; i++) {
    turn(&w, 100);
    usleep(1000);
  }
  turn(&w, 2);
  ck_assert_int_eq(global(&w, 0, "cancelled"), 1);
  ck_assert_int_eq(global(&w, 0, "done"), 0);
  turn(&w, 1);
  ck_assert_int_eq(global(&w, 0, "done"), 1);
  start(&w, 0, "assert(rows(run) == 3)");
  finish(&w);
  world_free(&w);
}
END_TEST

START_TEST(a_state_may_end_while_rows_wait) {
  struct world w;
  world_make(&w);
  start(&w, 0, "s = open() run = begin(s) put(run, 1)");
  start(&w, 1, "s = open()");
  drain(&w);
  eh_vm_free(w.vms[0]);
  w.vms[0] = eh_vm_new(&(struct eh_vm_options){.host = &w.host});
  turn(&w, 0);
  start(&w, 1, "assert(rows(s:run('last')) == 1)");
  finish(&w);
  world_free(&w);
}
END_TEST

/* A file size limit stands for a full disk. */
static void limit_files(rlim_t bytes) {
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static const char fill[] = "s = open() run = begin(s) done = 0\n"
                           "for i = 1, 200 do\n"
                           "  local ok, err = put(run, i, ('x'):rep(4000))\n"
                           "  if not ok then why = err.code break end\n"
                           "  done = i\n"
                           "end\n"
                           "full = why == 'disk_full' and 1 or 0";

START_TEST(a_full_disk_is_waited_for) {
  struct world w;
  long done;
  world_make(&w);
  limit_files(300000);
  start(&w, 0, fill);
  for (int i = 0; i < 500; i++) { /* 50 seconds */
    turn(&w, 1);
    w.now += 100 * EH_NS_PER_MS;
  }
  done = global(&w, 0, "done");
  ck_assert(done > 10 && done < 200);
  start(&w, 0,
        "assert(s:trouble().code == 'disk_full')\n"
        "assert(rows(run) == done)");
  turn(&w, 1);
  limit_files(RLIM_INFINITY);
  finish(&w); /* the rest goes in */
  ck_assert_int_eq(global(&w, 0, "done"), 200);
  start(&w, 0, "assert(s:trouble() == nil) assert(rows(run) == 200)");
  finish(&w);
  world_free(&w);
}
END_TEST

START_TEST(a_disk_that_stays_full_ends_the_run) {
  struct world w;
  world_make(&w);
  limit_files(300000);
  start(&w, 0, fill);
  for (int i = 0; i < 800; i++) {
    turn(&w, 1);
    w.now += 100 * EH_NS_PER_MS;
  }
  limit_files(RLIM_INFINITY);
  ck_assert_int_eq(global(&w, 0, "full"), 1);
  start(&w, 0,
        "assert(rows(run) == done)\n"
        "local ok, err = put(run, 999)\n" /* no later success */
        "assert(ok == nil and err.code == 'disk_full')\n"
        "ok, err = run:finish { status = 'passed' }\n"
        "assert(ok == nil and err.code == 'disk_full')\n"
        "assert(s:trouble().code == 'disk_full')");
  finish(&w);
  world_free(&w);
}
END_TEST

START_TEST(damage_ends_the_loop_loudly) {
  struct world w;
  char path[96];
  int fd;
  world_make(&w);
  start(&w, 0,
        "local s <close> = open() local run = begin(s)\n"
        "for i = 1, 100 do\n"
        "  assert(put(run, i, ('x'):rep(3000)))\n"
        "end");
  finish(&w);
  snprintf(path, sizeof path, "%s/s.db", w.folder);
  fd = open(path, O_WRONLY | O_CLOEXEC);
  for (off_t at = 20 * 4096; at < 30 * 4096; at += 4096)
    ck_assert_int_eq(pwrite(fd, "################", 16, at), 16);
  close(fd);
  start(&w, 0,
        "local s <close> = open() local run = s:run('last')\n"
        "local ok, err = pcall(rows, run)\n"
        "assert(not ok and err.code == 'corrupt', tostring(err))");
  finish(&w);
  world_free(&w);
}
END_TEST

CHECK_MAIN(store, a_run_through_its_life, failures_are_told, commits_are_shared,
           states_share_a_file, a_cancelled_wait_keeps_its_row,
           a_cancelled_wait_is_not_counted, a_state_may_end_while_rows_wait,
           a_full_disk_is_waited_for, a_disk_that_stays_full_ends_the_run,
           damage_ends_the_loop_loudly)
