/* test_watchdog.c: Lua that does not come back is stopped. */
#include "check_main.h"
#include "vm/script.h"

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

START_TEST(a_loop_does_not_keep_others_from_their_results) {
  expect_ok("local kid = t.spawn(function() return t.timeout(0.2, function() "
            "  t.sleep(0.05) return 'fine' end) end) "
            "t.timeout(0.3, function() while true do end end) "
            "local _, ok, value = t.join(kid) "
            "assert(ok and value == 'fine', tostring(value))");
}
END_TEST

START_TEST(long_work_within_its_time_is_left_alone) {
  expect_ok("local ok, n = t.timeout(5, function() "
            "  local t0, n = t.clock(), 0 "
            "  while t.clock() - t0 < 0.3 do n = n + 1 end return n end) "
            "assert(ok and n > 0)");
}
END_TEST

START_TEST(nothing_stays_armed_after_a_deadline) {
  expect_ok("for i = 1, 3 do "
            "  local ok = t.timeout(0.06, function() while true do end end) "
            "  assert(not ok) "
            "  local sum = 0 for k = 1, 100000 do sum = sum + k end "
            "  assert(sum == 5000050000) end t.sleep(0.06)");
}
END_TEST

START_TEST(loops_in_close_variables_end_too) {
  expect_ok("local t0 = t.clock() "
            "local ok, err = t.timeout(0.05, function() "
            "  local x <close> = setmetatable({}, {__close = function() "
            "    while true do end end}) "
            "  t.sleep(10) end) "
            "assert(not ok and t.clock() - t0 < 5)");
}
END_TEST

START_TEST(two_states_have_their_own_watchdog) {
  struct eh_vm_options options = {0};
  struct eh_vm *a = script_open(&options), *b = script_open(&options);
  struct script_end first = script_run(
      a, "local ok, err = t.timeout(0.1, function() while true do end end) "
         "assert(err.code == 'timeout')");
  struct script_end second = script_run(
      b, "local ok, err = t.timeout(0.1, function() while true do end end) "
         "assert(err.code == 'timeout')");
  ck_assert_msg(first.ok, "%s", first.message);
  ck_assert_msg(second.ok, "%s", second.message);
  eh_vm_free(a);
  second = script_run(b, "assert(not t.timeout(0.06, function() "
                         "while true do end end))");
  ck_assert_msg(second.ok, "%s", second.message);
  eh_vm_free(b);
}
END_TEST

CHECK_MAIN(watchdog, deadline_stops_a_loop, deadline_stops_pcall_loops,
           deadline_stops_loops_in_coroutines,
           a_loop_does_not_keep_others_from_their_results,
           long_work_within_its_time_is_left_alone,
           nothing_stays_armed_after_a_deadline,
           loops_in_close_variables_end_too, two_states_have_their_own_watchdog)
