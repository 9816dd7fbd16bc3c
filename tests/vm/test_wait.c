/* test_wait.c: sleeps, deadlines around a call, gates, events. */
#include "check_main.h"
#include "vm/script.h"

START_TEST(sleeps_run_side_by_side) {
  expect_ok("local t0 = t.clock() local kids = {} "
            "for i = 1, 100 do kids[i] = t.spawn(function(x) t.sleep(0.05) "
            "return x * 2 end, i) end "
            "for i = 1, 100 do local ok, v = t.join(kids[i]) "
            "assert(ok and v == i * 2) end "
            "local d = t.clock() - t0 assert(d >= 0.05, d)");
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

START_TEST(time_left_is_that_of_the_innermost) {
  expect_ok("assert(t.time_left() == math.huge) "
            "t.timeout(10, function() "
            "  local left = t.time_left() assert(left > 9 and left <= 10) "
            "  t.timeout(5, function() assert(t.time_left() <= 5) end) "
            "  t.timeout(50, function() assert(t.time_left() <= 10) end) "
            "  t.timeout(math.huge, function() "
            "    assert(t.time_left() <= 10) end) "
            "  assert(t.time_left() > 9) end) "
            "assert(t.time_left() == math.huge)");
}
END_TEST

START_TEST(a_timeout_is_a_protected_call) {
  expect_ok("local ok, err = t.timeout(1, error, 'boom') "
            "assert(not ok and err.code == 'lua_error' and err.traceback) "
            "local ok, err = t.timeout(1, error, {code = 'mine', x = 1}) "
            "assert(not ok and err.code == 'mine' and err.x == 1) "
            "local all = table.pack(t.timeout(1, function(...) "
            "  return ... end, nil, 2, nil)) "
            "assert(all.n == 4 and all[1] == true and all[3] == 2) "
            "local callable = setmetatable({}, {__call = function(self, x) "
            "  return x end}) "
            "local ok, x = t.timeout(1, callable, 5) assert(ok and x == 5) "
            "local ok, err = t.timeout(0, function() t.sleep(1) end) "
            "assert(not ok and err.code == 'timeout') "
            "assert(t.timeout(math.huge, t.sleep, 0))");
  expect_error("t.timeout(-1, print)", "must not be negative");
  expect_error("t.timeout(1, {})", "function expected");
}
END_TEST

START_TEST(the_message_of_a_timeout_says_how_long_and_what) {
  expect_ok("local ok, err = t.timeout(0.05, t.sleep, 10) "
            "assert(tostring(err) == 'no result within 0.05 s (phase: sleep)', "
            "  tostring(err)) "
            "local kid = t.spawn(t.sleep, 10) "
            "local ok, err = t.timeout(0.05, t.join, kid) "
            "assert(err.phase == 'wait' and not t.ended(kid)) t.cancel(kid)");
}
END_TEST

START_TEST(an_error_in_the_wake_of_a_deadline_is_reported) {
  expect_ok("local ok, err = t.timeout(0.02, function() "
            "  pcall(t.sleep, 10) error({code = 'other'}) end) "
            "assert(not ok and err.code == 'timeout')");
}
END_TEST

START_TEST(booked_waits_move_every_deadline) {
  expect_ok("assert(t.timeout(0.15, function() "
            "  return t.timeout(0.1, function() t.sleep(0.3, true) "
            "    t.sleep(0.02) end) end)) "
            "t.admit() t.admit() "
            "t.spawn(function() t.sleep(0.3) t.release() end) "
            "assert(t.timeout(0.1, function() t.admit() end))");
}
END_TEST

START_TEST(work_before_a_booked_wait_counts_once) {
  expect_ok("local ok, err = t.timeout(0.5, function() "
            "  local till = t.clock() + 0.3 while t.clock() < till do end "
            "  t.sleep(0.05, true) t.sleep(0.05) end) "
            "assert(ok, tostring(err))");
}
END_TEST

static int cancels;

static void stub_cancel(struct eh_op *op) {
  (void)op;
  cancels++;
}

static int stub(lua_State *L) {
  struct eh_op *op;
  eh_await_check(L, "stub");
  op = lua_newuserdatauv(L, sizeof *op, 0);
  memset(op, 0, sizeof *op);
  op->cancel = stub_cancel;
  return eh_await(L, op);
}

/* The deadline ends all three waits at once; then the parent cancels. */
START_TEST(a_wait_is_cancelled_once) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = script_open(&options);
  struct script_end end;
  cancels = 0;
  lua_register(eh_vm_state(vm), "stub", stub);
  end = script_run(vm, "local kids = {} "
                       "assert(not t.timeout(0.03, function() "
                       "  kids[1], kids[2] = t.spawn(stub), t.spawn(stub) "
                       "  t.sleep(5) end)) "
                       "t.cancel(kids[1]) t.cancel(kids[2]) "
                       "t.join(kids[1]) t.join(kids[2]) t.spawn(stub) "
                       "t.sleep(0)");
  ck_assert_msg(end.ok, "%s", end.message);
  ck_assert_int_eq(cancels, 2);
  eh_vm_free(vm);
  ck_assert_int_eq(cancels, 3);
}
END_TEST

START_TEST(sleeps_end_in_the_order_of_their_time) {
  expect_ok("local order, kids = {}, {} "
            "for i, s in ipairs{0.05, 0.01, 0.03, 0} do "
            "  kids[i] = t.spawn(function() t.sleep(s) "
            "    order[#order + 1] = i end) end "
            "for i = 1, 4 do t.join(kids[i]) end "
            "assert(table.concat(order) == '4231', table.concat(order))");
}
END_TEST

START_TEST(a_gate_can_be_resized) {
  expect_ok("local now, most, kids = 0, 0, {} t.resize(1) "
            "for i = 1, 8 do kids[i] = t.spawn(function() t.admit() "
            "  now = now + 1 most = math.max(most, now) t.sleep(0.01) "
            "  now = now - 1 t.release() end) end "
            "t.sleep(0.005) assert(now == 1) t.resize(4) assert(most == 1) "
            "t.sleep(0) assert(now == 4) t.resize(1) "
            "for i = 1, 8 do assert(t.join(kids[i])) end "
            "assert(most == 4, most) t.release() t.release() "
            "t.admit()");
}
END_TEST

START_TEST(an_event_remembers_nothing) {
  expect_ok("local e = t.event() t.wake(e) "
            "local ok, err = t.timeout(0.02, t.wait, e) "
            "assert(not ok and err.code == 'timeout') t.wake(e)");
  expect_error("t.wait(5)", "evalhost.event expected");
}
END_TEST

CHECK_MAIN(wait, sleeps_run_side_by_side, deadline_ends_a_wait,
           swallowing_the_error_changes_nothing,
           inner_deadline_does_not_swallow_the_outer,
           close_variables_may_wait_after_a_deadline,
           booked_waits_are_not_active_work,
           a_busy_fiber_does_not_time_out_others, the_gate_admits_in_order,
           a_cancelled_waiter_leaves_the_gate, events_wake_all,
           time_left_is_that_of_the_innermost, a_timeout_is_a_protected_call,
           the_message_of_a_timeout_says_how_long_and_what,
           an_error_in_the_wake_of_a_deadline_is_reported,
           booked_waits_move_every_deadline,
           work_before_a_booked_wait_counts_once, a_wait_is_cancelled_once,
           sleeps_end_in_the_order_of_their_time, a_gate_can_be_resized,
           an_event_remembers_nothing)
