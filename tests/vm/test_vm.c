/* test_vm.c: a state: memory, host, spawning, draining, freeing. */
#include "check_main.h"
#include "vm/script.h"

START_TEST(memory_is_capped) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm;
  struct script_end end;
  options.memory_max = (size_t)8 << 20;
  vm = script_open(&options);
  end = script_run(vm, "local ok, err = pcall(string.rep, 'x', 1 << 26) "
                       "assert(not ok and err:find('not enough memory')) "
                       "local ok = pcall(function() local t = {} "
                       "while true do t[#t + 1] = {} end end) "
                       "assert(not ok) return #('x'):rep(1000)");
  ck_assert_msg(end.ok, "%s", end.message);
  ck_assert_uint_le(eh_vm_memory_peak(vm), (size_t)8 << 20);
  eh_vm_free(vm);
}
END_TEST

START_TEST(a_state_with_waiting_fibers_can_be_freed) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = script_open(&options);
  struct script_end end = script_run(
      vm, "for i = 1, 10 do t.spawn(function() t.sleep(100) end) end "
          "t.sleep(0)");
  ck_assert(end.ok);
  ck_assert_uint_eq(eh_vm_fibers(vm), 10);
  eh_vm_free(vm);
}
END_TEST

START_TEST(memory_is_counted) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = script_open(&options);
  lua_State *L = eh_vm_state(vm);
  size_t before, full;
  lua_gc(L, LUA_GCCOLLECT);
  lua_gc(L, LUA_GCSTOP);
  before = eh_vm_memory(vm);
  ck_assert_uint_gt(before, 10000);
  ck_assert_uint_lt(before, (size_t)1 << 20);
  lua_newuserdatauv(L, 1000000, 0);
  full = eh_vm_memory(vm);
  ck_assert_uint_ge(full, before + 1000000);
  ck_assert_uint_lt(full, before + 1100000);
  ck_assert_uint_ge(eh_vm_memory_peak(vm), full);
  lua_settop(L, 0);
  lua_gc(L, LUA_GCCOLLECT);
  ck_assert_uint_lt(eh_vm_memory(vm), before + 50000);
  ck_assert_uint_ge(eh_vm_memory_peak(vm), full);
  ck_assert_uint_eq(eh_vm_memory(vm), (size_t)lua_gc(L, LUA_GCCOUNT) * 1024 +
                                          (size_t)lua_gc(L, LUA_GCCOUNTB));
  eh_vm_free(vm);
}
END_TEST

START_TEST(too_little_memory_to_start) {
  struct eh_vm_options options = {0};
  options.memory_max = 1000;
  ck_assert_ptr_null(eh_vm_new(&options));
  options.memory_max = 10000;
  ck_assert_ptr_null(eh_vm_new(&options));
  eh_vm_free(NULL);
}
END_TEST

START_TEST(the_host_is_reached_from_every_thread) {
  struct eh_vm_options options = {0};
  int host = 5;
  struct eh_vm *vm;
  lua_State *L;
  options.host = &host;
  vm = script_open(&options);
  L = eh_vm_state(vm);
  ck_assert_ptr_eq(eh_vm_host(L), &host);
  ck_assert_ptr_eq(eh_vm_of(L), vm);
  L = lua_newthread(L);
  ck_assert_ptr_eq(eh_vm_host(L), &host);
  ck_assert_ptr_eq(eh_vm_of(L), vm);
  eh_vm_free(vm);
}
END_TEST

static void check_results(void *arg, lua_State *co, bool ok,
                          const char *message) {
  bool *called = arg;
  *called = true;
  ck_assert(ok);
  ck_assert_ptr_null(message);
  ck_assert_int_eq(lua_gettop(co), 3); /* true, results... */
  ck_assert(lua_toboolean(co, 1));
  ck_assert_int_eq(lua_tointeger(co, 2), 7);
  ck_assert_str_eq(lua_tostring(co, 3), "x");
}

START_TEST(spawn_takes_its_arguments_and_gives_results) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = script_open(&options);
  lua_State *L = eh_vm_state(vm);
  bool called = false;
  int top = lua_gettop(L);
  ck_assert_int_eq(luaL_loadstring(L, "return ..."), LUA_OK);
  lua_pushinteger(L, 7);
  lua_pushliteral(L, "x");
  eh_vm_spawn(vm, 2, check_results, &called);
  ck_assert_int_eq(lua_gettop(L), top);
  ck_assert_uint_eq(eh_vm_fibers(vm), 1);
  ck_assert(eh_vm_ready(vm));
  ck_assert(!called); /* nothing runs before it is drained */
  ck_assert_uint_eq(eh_vm_drain(vm, NULL), UINT64_MAX);
  ck_assert(called);
  ck_assert(!eh_vm_ready(vm));
  ck_assert_uint_eq(eh_vm_fibers(vm), 0);
  eh_vm_free(vm);
}
END_TEST

START_TEST(drain_says_when_it_must_be_called_again) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = script_open(&options);
  lua_State *L = eh_vm_state(vm);
  uint64_t due, stalled = 1;
  ck_assert_uint_eq(eh_vm_drain(vm, &stalled), UINT64_MAX);
  ck_assert_uint_eq(stalled, 0);
  ck_assert_int_eq(luaL_loadstring(L, "t.sleep(5)"), LUA_OK);
  eh_vm_spawn(vm, 0, NULL, NULL);
  due = eh_vm_drain(vm, &stalled);
  ck_assert_uint_gt(due, 4 * EH_NS_PER_S);
  ck_assert_uint_le(due, 5 * EH_NS_PER_S);
  ck_assert_int_eq(luaL_loadstring(L, "t.timeout(2, t.sleep, 9)"), LUA_OK);
  eh_vm_spawn(vm, 0, NULL, NULL);
  due = eh_vm_drain(vm, &stalled);
  ck_assert_uint_gt(due, EH_NS_PER_S);
  ck_assert_uint_le(due, 2 * EH_NS_PER_S);
  ck_assert_int_eq(luaL_loadstring(L, "local t0 = t.clock() "
                                      "while t.clock() - t0 < 0.1 do end"),
                   LUA_OK);
  eh_vm_spawn(vm, 0, NULL, NULL);
  eh_vm_drain(vm, &stalled);
  ck_assert_uint_ge(stalled, 100 * EH_NS_PER_MS);
  eh_vm_free(vm);
}
END_TEST

START_TEST(credit_moves_deadlines) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = script_open(&options);
  struct script_end end = {false, false, ""};
  lua_State *L = eh_vm_state(vm);
  struct timespec pause = {0, 200000000};
  ck_assert_int_eq(luaL_loadstring(L, "assert(t.timeout(0.1, function() "
                                      "t.sleep(0.05) end))"),
                   LUA_OK);
  eh_vm_spawn(vm, 0, script_on_end, &end);
  eh_vm_drain(vm, NULL);
  nanosleep(&pause, NULL); /* as if another state had run */
  eh_vm_credit(vm, 200 * EH_NS_PER_MS);
  script_turn(vm, &end);
  ck_assert_msg(end.ok, "%s", end.message);
  eh_vm_free(vm);
}
END_TEST

START_TEST(an_end_without_a_listener_does_no_harm) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = script_open(&options);
  ck_assert_int_eq(luaL_loadstring(eh_vm_state(vm), "error('x')"), LUA_OK);
  eh_vm_spawn(vm, 0, NULL, NULL);
  eh_vm_drain(vm, NULL);
  ck_assert_uint_eq(eh_vm_fibers(vm), 0);
  eh_vm_free(vm);
}
END_TEST

START_TEST(recursion_without_end_is_an_error) {
  expect_ok("local function f() return 1 + f() end "
            "local ok, err = pcall(f) "
            "assert(not ok and tostring(err):find('stack overflow')) "
            "local ok, err = t.timeout(5, f) assert(not ok) "
            "local ok, err = t.timeout(5, string.gsub, ('x'):rep(10), '.', "
            "  function() return f() end) assert(not ok) "
            "assert(t.join(t.spawn(function() return 1 end)))");
}
END_TEST

CHECK_MAIN(vm, memory_is_capped, a_state_with_waiting_fibers_can_be_freed,
           memory_is_counted, too_little_memory_to_start,
           the_host_is_reached_from_every_thread,
           spawn_takes_its_arguments_and_gives_results,
           drain_says_when_it_must_be_called_again, credit_moves_deadlines,
           an_end_without_a_listener_does_no_harm,
           recursion_without_end_is_an_error)
