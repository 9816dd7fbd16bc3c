/* test_coroutine.c: coroutines of users: as Lua's own, and they may wait. */
#include "check_main.h"
#include "vm/script.h"

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

START_TEST(they_behave_as_they_always_do) {
  expect_ok("local co = coroutine.create(function(a, b) "
            "  local c = coroutine.yield(a + b) "
            "  local d, e = coroutine.yield(c * 2) return d + e end) "
            "assert(select(2, coroutine.resume(co, 1, 2)) == 3) "
            "assert(select(2, coroutine.resume(co, 5)) == 10) "
            "assert(coroutine.status(co) == 'suspended') "
            "assert(select(2, coroutine.resume(co, 3, 4)) == 7) "
            "assert(coroutine.status(co) == 'dead') "
            "local n = 0 for x in coroutine.wrap(function() "
            "  for i = 1, 3 do coroutine.yield(i) end end) do n = n + x end "
            "assert(n == 6) "
            "local main, is_main = coroutine.running() assert(not is_main) "
            "assert(coroutine.isyieldable())");
}
END_TEST

START_TEST(errors_are_those_of_lua) {
  expect_ok(
      "local ok, err = coroutine.resume(coroutine.create(error), {1}) "
      "assert(not ok and err[1] == 1) "
      "local ok, err = pcall(coroutine.wrap(function() error('deep', 0) end)) "
      "assert(not ok and err:find('deep')) "
      "local ok, err = pcall(coroutine.resume, 5) "
      "assert(not ok and err:find('coroutine expected')) "
      "local ok, err = pcall(coroutine.wrap, 5) "
      "assert(not ok and err:find('function expected')) "
      "local wrapped = coroutine.wrap(function() end) wrapped() "
      "local ok, err = pcall(wrapped) "
      "assert(not ok and err:find('cannot resume dead coroutine')) "
      "local co co = coroutine.create(function() "
      "  return coroutine.resume(co) end) "
      "local ok, inner, err = coroutine.resume(co) "
      "assert(ok and not inner and err:find('non%-suspended'))");
}
END_TEST

START_TEST(closing_runs_close_variables) {
  expect_ok(
      "local closed = 0 local function new() local co = "
      "  coroutine.create(function() "
      "    local x <close> = setmetatable({}, {__close = function() "
      "      closed = closed + 1 end}) coroutine.yield() end) "
      "  coroutine.resume(co) return co end "
      "local co = new() assert(coroutine.close(co) and closed == 1) "
      "assert(coroutine.status(co) == 'dead' and coroutine.close(co)) "
      "local bad = coroutine.create(function() "
      "  local x <close> = setmetatable({}, {__close = function() "
      "    error('no') end}) coroutine.yield() end) coroutine.resume(bad) "
      "local ok, err = coroutine.close(bad) "
      "assert(ok == false and tostring(err):find('no')) "
      "local ok, err = pcall(coroutine.close, coroutine.running()) "
      "assert(not ok and err:find('cannot close')) "
      "local outer outer = coroutine.create(function() "
      "  return coroutine.resume(coroutine.create(function() "
      "    return pcall(coroutine.close, outer) end)) end) "
      "local _, _, ok, err = coroutine.resume(outer) "
      "assert(not ok and err:find('normal'), err)");
}
END_TEST

START_TEST(waits_pass_through_several) {
  expect_ok(
      "local function deep(n) if n == 0 then t.sleep(0.01) return 'end' end "
      "  return coroutine.wrap(deep)(n - 1) end "
      "assert(deep(20) == 'end') "
      "local gen = coroutine.wrap(function() for i = 1, 3 do t.sleep(0.001) "
      "  coroutine.yield(i, i * i) end end) "
      "local seen = {} for i, sq in gen do seen[#seen + 1] = sq end "
      "assert(table.concat(seen, ' ') == '1 4 9')");
}
END_TEST

START_TEST(a_deadline_inside_closes_them) {
  expect_ok("local closed = false "
            "local ok, err = t.timeout(0.03, function() "
            "  coroutine.wrap(function() "
            "    local x <close> = setmetatable({}, {__close = function() "
            "      closed = true end}) t.sleep(10) end)() end) "
            "assert(not ok and err.code == 'timeout' and closed) "
            "local co = coroutine.create(function() t.sleep(10) end) "
            "local kid = t.spawn(function() return coroutine.resume(co) end) "
            "t.sleep(0.01) t.cancel(kid) "
            "local joined, ok, err = t.join(kid) "
            "assert(coroutine.status(co) == 'dead')");
}
END_TEST

START_TEST(one_that_waits_cannot_be_resumed_by_another) {
  expect_ok("local co = coroutine.create(function() t.sleep(0.05) "
            "  return 'mine' end) "
            "local kid = t.spawn(function() return coroutine.resume(co) end) "
            "t.sleep(0.01) "
            "local ok, err = coroutine.resume(co) "
            "assert(not ok and err:find('waits'), tostring(err)) "
            "local ok, err = pcall(coroutine.close, co) "
            "assert(not ok and err:find('waits'), tostring(err)) "
            "local _, ok, value = t.join(kid) "
            "assert(ok and value == 'mine', tostring(value))");
}
END_TEST

START_TEST(none_is_left_in_the_middle_of_a_deadline) {
  expect_ok("local ok, err = coroutine.wrap(function() "
            "  return t.timeout(5, function() coroutine.yield(1) end) end)() "
            "assert(ok == false and err.message:find('has a deadline')) "
            "local sum = coroutine.wrap(function() "
            "  local ok, all = t.timeout(5, function() local all = 0 "
            "    for i in coroutine.wrap(function() for i = 1, 3 do "
            "      t.sleep(0) coroutine.yield(i) end end) do "
            "      all = all + i end return all end) "
            "  coroutine.yield(ok and all) end)() "
            "assert(sum == 6) collectgarbage() t.timeout(1, t.sleep, 0)");
}
END_TEST

CHECK_MAIN(coroutine, users_coroutines_may_wait,
           raw_yield_is_an_error_with_a_name, they_behave_as_they_always_do,
           errors_are_those_of_lua, closing_runs_close_variables,
           waits_pass_through_several, a_deadline_inside_closes_them,
           one_that_waits_cannot_be_resumed_by_another,
           none_is_left_in_the_middle_of_a_deadline)
