/* test_fiber.c: the scheduler: waits, deadlines, cancellation, runaway loops.
 * Each test is a Lua script with a small `t` library of adapters. */
#include "check_main.h"

#include "vm/fiber.h"
#include "vm/vm.h"

#include <lauxlib.h>

#include <string.h>
#include <time.h>

static int l_sleep(lua_State *L) {
  return eh_fiber_sleep(L, luaL_checknumber(L, 1), lua_toboolean(L, 2) != 0);
}

static int l_spawn(lua_State *L) {
  eh_fiber_spawn(L, lua_gettop(L) - 1);
  return 1;
}

static int l_join(lua_State *L) {
  return eh_fiber_join(L, 1);
}

static int l_cancel(lua_State *L) {
  eh_fiber_stop(L, 1);
  return 0;
}

static struct eh_gate gate;

static int l_admit(lua_State *L) {
  return eh_gate_acquire(L, &gate);
}

static int l_release(lua_State *L) {
  (void)L;
  eh_gate_release(&gate);
  return 0;
}

static int l_event(lua_State *L) {
  eh_event_new(L);
  return 1;
}

static int l_event_wait(lua_State *L) {
  return eh_event_wait(L, 1);
}

static int l_event_wake(lua_State *L) {
  eh_event_wake(L, 1);
  return 0;
}

static int l_clock(lua_State *L) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  lua_pushnumber(L, (double)now.tv_sec + (double)now.tv_nsec * 1e-9);
  return 1;
}

static const luaL_Reg t_library[] = {{"sleep", l_sleep},
                                     {"spawn", l_spawn},
                                     {"join", l_join},
                                     {"cancel", l_cancel},
                                     {"timeout", eh_fiber_timeout},
                                     {"admit", l_admit},
                                     {"release", l_release},
                                     {"event", l_event},
                                     {"wait", l_event_wait},
                                     {"wake", l_event_wake},
                                     {"clock", l_clock},
                                     {NULL, NULL}};

struct outcome {
  bool ended, ok;
  char message[512];
};

static void on_end(void *arg, lua_State *co, bool ok, const char *message) {
  struct outcome *outcome = arg;
  (void)co;
  outcome->ended = true;
  outcome->ok = ok;
  if (message != NULL)
    snprintf(outcome->message, sizeof outcome->message, "%s", message);
}

static struct outcome run_in(struct eh_vm *vm, const char *script) {
  struct outcome outcome = {false, false, ""};
  lua_State *L = eh_vm_state(vm);
  eh_gate_init(&gate, 2);
  eh_fiber_open_types(L);
  luaL_newlib(L, t_library);
  lua_setglobal(L, "t");
  ck_assert_msg(luaL_loadstring(L, script) == LUA_OK, "%s",
                lua_tostring(L, -1));
  eh_vm_spawn(vm, 0, on_end, &outcome);
  while (!outcome.ended) {
    uint64_t due = eh_vm_drain(vm, NULL);
    struct timespec pause;
    if (outcome.ended)
      break;
    ck_assert_msg(due != UINT64_MAX, "nothing can make progress");
    pause.tv_sec = (time_t)(due / 1000000000u);
    pause.tv_nsec = (long)(due % 1000000000u);
    nanosleep(&pause, NULL); /* the watchdog's signal may end it early */
  }
  return outcome;
}

static void expect_ok(const char *script) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = eh_vm_new(&options);
  struct outcome outcome = run_in(vm, script);
  ck_assert_msg(outcome.ok, "%s", outcome.message);
  eh_vm_free(vm);
}

static void expect_error(const char *script, const char *text) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = eh_vm_new(&options);
  struct outcome outcome = run_in(vm, script);
  ck_assert(!outcome.ok);
  ck_assert_msg(strstr(outcome.message, text) != NULL, "got: %s",
                outcome.message);
  eh_vm_free(vm);
}

START_TEST(sleeps_run_side_by_side) {
  expect_ok("local t0 = t.clock() local kids = {} "
            "for i = 1, 100 do kids[i] = t.spawn(function(x) t.sleep(0.05) "
            "return x * 2 end, i) end "
            "for i = 1, 100 do local ok, v = t.join(kids[i]) "
            "assert(ok and v == i * 2) end "
            "local d = t.clock() - t0 assert(d >= 0.05, d)");
}
END_TEST

START_TEST(errors_stay_in_their_fiber) {
  expect_ok(
      "local ok, err = t.join(t.spawn(function() error('boom') end)) "
      "assert(ok == false and err.code == 'lua_error') "
      "assert(tostring(err):find('boom') and err.traceback) "
      "local ok, err = t.join(t.spawn(function() error() end)) "
      "assert(not ok and tostring(err) == 'error(nil)') "
      "local bad = setmetatable({}, {__tostring = function() error('x') end}) "
      "local ok, err = t.join(t.spawn(function() error(bad) end)) "
      "assert(not ok and tostring(err):find('__tostring failed')) "
      "local ok, err = t.join(t.spawn(function() error({code = 'mine'}) end)) "
      "assert(not ok and err.code == 'mine')");
}
END_TEST

START_TEST(deadline_ends_a_wait) {
  expect_ok("local t0 = t.clock() "
            "local ok, err = t.timeout(0.05, function() t.sleep(10) end) "
            "assert(not ok and err.code == 'timeout', tostring(err)) "
            "assert(err.phase == 'sleep', err.phase) "
            "assert(t.clock() - t0 < 5) "
            "local ok, a, b = t.timeout(5, function(x) return x, 7 end, 6) "
            "assert(ok and a == 6 and b == 7)");
}
END_TEST

START_TEST(deadline_stops_a_loop) {
  expect_ok("local ok, err = t.timeout(0.1, function() while true do end end) "
            "assert(not ok and err.code == 'timeout' and err.phase == 'lua') "
            "t.sleep(0.01)");
}
END_TEST

START_TEST(deadline_stops_pcall_loops) {
  expect_ok("local ok, err = t.timeout(0.1, function() "
            "while true do pcall(function() while true do end end) end end) "
            "assert(not ok and err.code == 'timeout', tostring(err)) "
            "local ok, err = t.timeout(0.1, function() "
            "while true do pcall(t.sleep, 0.01) end end) "
            "assert(not ok and err.code == 'timeout', tostring(err))");
}
END_TEST

START_TEST(deadline_stops_loops_in_coroutines) {
  expect_ok("local function loop() while true do end end "
            "local ok, err = t.timeout(0.1, function() "
            "  while true do pcall(coroutine.wrap(loop)) end end) "
            "assert(not ok and err.code == 'timeout', tostring(err)) "
            "local ok, err = t.timeout(0.1, function() while true do "
            "  coroutine.resume(coroutine.create(function() "
            "    coroutine.wrap(loop)() end)) end end) "
            "assert(not ok and err.code == 'timeout', tostring(err)) "
            "local ok, err = t.timeout(0.1, function() while true do "
            "  local co = coroutine.create(function() "
            "    local x <close> = setmetatable({}, {__close = loop}) "
            "    coroutine.yield() end) "
            "  coroutine.resume(co) coroutine.close(co) end end) "
            "assert(not ok and err.code == 'timeout', tostring(err))");
}
END_TEST

START_TEST(swallowing_the_error_changes_nothing) {
  expect_ok("local ok, err = t.timeout(0.05, function() "
            "pcall(t.sleep, 10) return 'fine' end) "
            "assert(not ok and err.code == 'timeout')");
}
END_TEST

START_TEST(inner_deadline_does_not_swallow_the_outer) {
  expect_ok("local reached "
            "local ok, err = t.timeout(0.05, function() "
            "  t.timeout(10, function() t.sleep(10) end) reached = true end) "
            "assert(not ok and err.code == 'timeout' and not reached)");
}
END_TEST

START_TEST(close_variables_may_wait_after_a_deadline) {
  expect_ok("local closed "
            "local ok, err = t.timeout(0.05, function() "
            "  local x <close> = setmetatable({}, {__close = function() "
            "    t.sleep(0.02) closed = true end}) "
            "  t.sleep(10) end) "
            "assert(not ok and err.code == 'timeout' and closed)");
}
END_TEST

START_TEST(cancel_ends_a_wait_and_runs_close) {
  expect_ok("local closed "
            "local kid = t.spawn(function() "
            "  local x <close> = setmetatable({}, {__close = function() "
            "    closed = true end}) "
            "  t.sleep(100) end) "
            "t.sleep(0.01) t.cancel(kid) "
            "local ok, err = t.join(kid) "
            "assert(not ok and err.code == 'cancelled' and closed)");
}
END_TEST

START_TEST(cancel_reaches_a_fiber_that_swallows_it) {
  expect_ok("local kid = t.spawn(function() "
            "  while true do pcall(t.sleep, 100) end end) "
            "t.sleep(0.01) t.cancel(kid) "
            "local ok, err = t.join(kid) "
            "assert(not ok and err.code == 'cancelled', tostring(err))");
}
END_TEST

START_TEST(booked_waits_are_not_active_work) {
  expect_ok("local ok = t.timeout(0.1, function() t.sleep(0.3, true) end) "
            "assert(ok) "
            "local ok, err = t.timeout(0.1, function() "
            "  t.sleep(0.05, true) t.sleep(0.3) end) "
            "assert(not ok and err.code == 'timeout')");
}
END_TEST

START_TEST(a_busy_fiber_does_not_time_out_others) {
  expect_ok("local kid = t.spawn(function() return t.timeout(0.2, function() "
            "  t.sleep(0.15) t.sleep(0.01) return 'done' end) end) "
            "t.sleep(0) local t0 = t.clock() "
            "while t.clock() - t0 < 0.3 do end "
            "local _, ok, v = t.join(kid) assert(ok and v == 'done')");
}
END_TEST

START_TEST(users_coroutines_may_wait) {
  expect_ok(
      "local co = coroutine.wrap(function(a) t.sleep(0.01) "
      "  local b = coroutine.yield(a + 1) t.sleep(0.01) return b * 2 end) "
      "assert(co(1) == 2) assert(co(21) == 42) "
      "local inner = coroutine.create(function() "
      "  local ok, err = pcall(function() "
      "    coroutine.wrap(function() t.sleep(0.01) error('deep') end)() end) "
      "  return tostring(err) end) "
      "local ok, text = coroutine.resume(inner) "
      "assert(ok and text:find('deep')) "
      "assert(coroutine.status(inner) == 'dead') "
      "local ok, text = coroutine.resume(inner) "
      "assert(not ok and text:find('dead coroutine'))");
}
END_TEST

START_TEST(raw_yield_is_an_error_with_a_name) {
  expect_error("coroutine.yield(1)", "coroutine.yield outside");
}
END_TEST

START_TEST(waiting_where_it_cannot_is_an_error) {
  expect_error("table.sort({3, 2, 1}, function(a, b) t.sleep(0) "
               "return a < b end)",
               "cannot wait here");
}
END_TEST

START_TEST(the_gate_admits_in_order) {
  expect_ok("local most, now, order, kids = 0, 0, {}, {} "
            "for i = 1, 6 do kids[i] = t.spawn(function() t.admit() "
            "  now = now + 1 if now > most then most = now end "
            "  order[#order + 1] = i t.sleep(0.01) now = now - 1 "
            "  t.release() end) end "
            "for i = 1, 6 do assert(t.join(kids[i])) end "
            "assert(most == 2, most) "
            "for i = 1, 6 do assert(order[i] == i) end");
}
END_TEST

START_TEST(a_cancelled_waiter_leaves_the_gate) {
  expect_ok("t.admit() t.admit() "
            "local a = t.spawn(function() t.admit() end) "
            "local b = t.spawn(function() t.admit() return 'in' end) "
            "t.sleep(0) t.cancel(a) t.sleep(0) t.release() "
            "local ok, v = t.join(b) assert(ok and v == 'in')");
}
END_TEST

START_TEST(events_wake_all) {
  expect_ok("local e, n, kids = t.event(), 0, {} "
            "for i = 1, 3 do kids[i] = t.spawn(function() t.wait(e) "
            "n = n + 1 end) end "
            "t.sleep(0) t.wake(e) "
            "for i = 1, 3 do assert(t.join(kids[i])) end assert(n == 3)");
}
END_TEST

START_TEST(children_inherit_the_deadline) {
  expect_ok("local kid_err "
            "local ok, err = t.timeout(0.05, function() "
            "  local kid = t.spawn(function() t.sleep(10) end) "
            "  local _, e = t.join(kid) kid_err = e end) "
            "assert(not ok)");
}
END_TEST

START_TEST(random_is_per_fiber) {
  expect_ok("local function draw() local v = {} for i = 1, 5 do "
            "  v[i] = math.random(1000) t.sleep(0) end "
            "  return table.concat(v, ' ') end "
            "math.randomseed(42) local alone = draw() "
            "math.randomseed(42) "
            "local a, b = t.spawn(draw), t.spawn(draw) "
            "local _, va = t.join(a) local _, vb = t.join(b) "
            "assert(va == alone and vb == alone) "
            "local x = math.random() assert(x >= 0 and x < 1)");
}
END_TEST

START_TEST(memory_is_capped) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm;
  struct outcome outcome;
  options.memory_max = (size_t)8 << 20;
  vm = eh_vm_new(&options);
  outcome = run_in(vm, "local ok, err = pcall(string.rep, 'x', 1 << 26) "
                       "assert(not ok and err:find('not enough memory')) "
                       "local ok = pcall(function() local t = {} "
                       "while true do t[#t + 1] = {} end end) "
                       "assert(not ok) return #('x'):rep(1000)");
  ck_assert_msg(outcome.ok, "%s", outcome.message);
  ck_assert_uint_le(eh_vm_memory_peak(vm), (size_t)8 << 20);
  eh_vm_free(vm);
}
END_TEST

START_TEST(forbidden_functions_name_the_alternative) {
  expect_error("os.exit(0)", "os.exit is not available in a suite: return");
  expect_error("os.execute('true')", "eval.process.run");
  expect_error("io.popen('true')", "eval.process.run");
  expect_error("io.read()", "io.open");
  expect_error("package.loadlib('x', 'y')", "write Lua");
}
END_TEST

START_TEST(a_state_with_waiting_fibers_can_be_freed) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = eh_vm_new(&options);
  struct outcome outcome =
      run_in(vm, "for i = 1, 10 do t.spawn(function() t.sleep(100) end) end "
                 "t.sleep(0)");
  ck_assert(outcome.ok);
  ck_assert_uint_eq(eh_vm_fibers(vm), 10);
  eh_vm_free(vm);
}
END_TEST

CHECK_MAIN(fiber, sleeps_run_side_by_side, errors_stay_in_their_fiber,
           deadline_ends_a_wait, deadline_stops_a_loop,
           deadline_stops_pcall_loops, deadline_stops_loops_in_coroutines,
           swallowing_the_error_changes_nothing,
           inner_deadline_does_not_swallow_the_outer,
           close_variables_may_wait_after_a_deadline,
           cancel_ends_a_wait_and_runs_close,
           cancel_reaches_a_fiber_that_swallows_it,
           booked_waits_are_not_active_work,
           a_busy_fiber_does_not_time_out_others, users_coroutines_may_wait,
           raw_yield_is_an_error_with_a_name,
           waiting_where_it_cannot_is_an_error, the_gate_admits_in_order,
           a_cancelled_waiter_leaves_the_gate, events_wake_all,
           children_inherit_the_deadline, random_is_per_fiber, memory_is_capped,
           forbidden_functions_name_the_alternative,
           a_state_with_waiting_fibers_can_be_freed)
