/* test_fiber.c: fibers: their ends, their errors, cancelling, what they share.
 */
#include "check_main.h"
#include "vm/script.h"

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

START_TEST(waiting_where_it_cannot_is_an_error) {
  expect_error("table.sort({3, 2, 1}, function(a, b) t.sleep(0) "
               "return a < b end)",
               "cannot wait here");
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

START_TEST(results_and_errors_can_be_joined_again) {
  expect_ok("local kid = t.spawn(function(...) return ... end, 1, nil, 3, nil) "
            "local first = table.pack(t.join(kid)) "
            "assert(first.n == 5 and first[1] == true and first[4] == 3) "
            "assert(table.pack(t.join(kid)).n == 5) "
            "local bad = t.spawn(error, 'boom') "
            "local ok, err = t.join(bad) local ok2, err2 = t.join(bad) "
            "assert(not ok and not ok2 and rawequal(err, err2)) "
            "local many = t.spawn(function() "
            "  return table.unpack({}, 1, 5000) end) "
            "assert(select('#', t.join(many)) == 5001)");
}
END_TEST

START_TEST(many_may_join_one) {
  expect_ok("local kid = t.spawn(function() t.sleep(0.01) return 7 end) "
            "local all = {} for i = 1, 5 do all[i] = t.spawn(function() "
            "  return select(2, t.join(kid)) end) end "
            "for i = 1, 5 do assert(select(2, t.join(all[i])) == 7) end "
            "assert(t.ended(kid))");
}
END_TEST

START_TEST(a_fiber_lives_on_without_its_handle) {
  expect_ok("local done = false "
            "do t.spawn(function() t.sleep(0.01) done = true end) end "
            "collectgarbage() collectgarbage() t.sleep(0.05) assert(done) "
            "for i = 1, 200 do t.spawn(function() return {} end) end "
            "t.sleep(0) collectgarbage()");
}
END_TEST

START_TEST(only_functions_are_spawned) {
  expect_error("t.spawn(5)", "function expected");
  expect_error("t.join(5)", "evalhost.fiber expected");
}
END_TEST

START_TEST(cancelling_before_the_start_and_after_the_end) {
  expect_ok("local ran = false "
            "local kid = t.spawn(function() ran = true t.sleep(1) "
            "  ran = 'through' end) "
            "t.cancel(kid) local ok, err = t.join(kid) "
            "assert(not ok and err.code == 'cancelled') "
            "assert(ran == true) "
            "t.cancel(kid) t.cancel(kid) "
            "local fine = t.spawn(function() return 1 end) t.join(fine) "
            "t.cancel(fine) assert(select(2, t.join(fine)) == 1)");
}
END_TEST

START_TEST(cancelling_is_not_inherited) {
  expect_ok("local inner "
            "local kid = t.spawn(function() "
            "  inner = t.spawn(function() t.sleep(0.05) return 'done' end) "
            "  t.join(inner) end) "
            "t.sleep(0.01) t.cancel(kid) assert(not t.join(kid)) "
            "assert(select(2, t.join(inner)) == 'done')");
}
END_TEST

START_TEST(a_settled_fiber_cannot_be_cancelled) {
  expect_ok("local kid = t.spawn(function() "
            "  pcall(t.sleep, 10) t.settle() t.sleep(0.7) return 'kept' end) "
            "t.sleep(0.01) t.cancel(kid) t.sleep(0.01) t.cancel(kid) "
            "local ok, value = t.join(kid) "
            "assert(ok and value == 'kept', tostring(value))");
}
END_TEST

START_TEST(a_cancelled_loop_is_stopped) {
  expect_ok("local kid = t.spawn(function() "
            "  pcall(t.sleep, 10) while true do end end) "
            "t.sleep(0.01) t.cancel(kid) "
            "local ok, err = t.join(kid) "
            "assert(not ok and err.code == 'cancelled', tostring(err))");
}
END_TEST

START_TEST(locals_are_shared_with_children) {
  expect_ok("t.locals().x = 1 "
            "local kid = t.spawn(function() t.locals().y = 2 "
            "  return t.locals().x end) "
            "local ok, x = t.join(kid) assert(x == 1 and t.locals().y == 2) "
            "local a = t.spawn(function() return t.locals() end) "
            "assert(select(2, t.join(a)) == t.locals())");
}
END_TEST

START_TEST(there_are_places_where_nothing_can_wait) {
  static const char *const places[] = {
      "string.gsub('x', 'x', function() t.sleep(0) end)",
      "assert(load(function() t.sleep(0) return nil end))",
      "require_me = setmetatable({}, {__gc = function() "
      "  ok, err = pcall(t.sleep, 0) end}) require_me = nil "
      "collectgarbage() error(err, 0)",
  };
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    expect_error(places[i], "cannot wait here");
  expect_ok("local ok = setmetatable({}, {__index = function() t.sleep(0) "
            "return 7 end}).x assert(ok == 7) "
            "for i in function(_, i) t.sleep(0) i = (i or 0) + 1 "
            "  return i < 3 and i or nil end do assert(i < 3) end");
}
END_TEST

CHECK_MAIN(fiber, errors_stay_in_their_fiber, cancel_ends_a_wait_and_runs_close,
           cancel_reaches_a_fiber_that_swallows_it,
           waiting_where_it_cannot_is_an_error, children_inherit_the_deadline,
           results_and_errors_can_be_joined_again, many_may_join_one,
           a_fiber_lives_on_without_its_handle, only_functions_are_spawned,
           cancelling_before_the_start_and_after_the_end,
           cancelling_is_not_inherited, a_settled_fiber_cannot_be_cancelled,
           a_cancelled_loop_is_stopped, locals_are_shared_with_children,
           there_are_places_where_nothing_can_wait)
