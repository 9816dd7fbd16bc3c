/* test_random.c: numbers as Lua's own, but a generator for each fiber. */
#include "check_main.h"
#include "vm/script.h"

#include <lualib.h>

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

/* What Lua's own math.random draws for the same calls. */
#define DRAWS                                                                  \
  "local v = {} for _, s in ipairs{0, 1, 42, -7, math.maxinteger} do "         \
  "math.randomseed(s) v[#v + 1] = math.random() "                              \
  "v[#v + 1] = math.random(6) v[#v + 1] = math.random(-5, 5) "                 \
  "v[#v + 1] = math.random(0) "                                                \
  "v[#v + 1] = math.random(math.mininteger, math.maxinteger) "                 \
  "v[#v + 1] = math.random(1 << 40) v[#v + 1] = math.random(3, 3) "            \
  "math.randomseed(s, 9) v[#v + 1] = math.random(0) end "                      \
  "drawn = table.concat(v, ' ') "

START_TEST(the_numbers_are_those_of_lua) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = script_open(&options);
  lua_State *plain = luaL_newstate(), *L = eh_vm_state(vm);
  struct script_end end;
  luaL_openlibs(plain);
  ck_assert_int_eq(luaL_dostring(plain, DRAWS), LUA_OK);
  end = script_run(vm, DRAWS);
  ck_assert_msg(end.ok, "%s", end.message);
  lua_getglobal(plain, "drawn");
  lua_getglobal(L, "drawn");
  ck_assert_str_eq(lua_tostring(L, -1), lua_tostring(plain, -1));
  lua_close(plain);
  eh_vm_free(vm);
}
END_TEST

START_TEST(any_number_is_a_seed) {
  expect_ok("local seen = {} "
            "for _, s in ipairs{2.0^63, -2.0^80, math.huge, 0.5, 0/0, 1e15, "
            "  (1 << 53) + 1, 1 << 53} do math.randomseed(s) "
            "  local v = math.random(0) assert(not seen[v], s) "
            "  seen[v] = true math.randomseed(s) "
            "  assert(math.random(0) == v) end "
            "math.randomseed(3) local a = math.random(0) "
            "math.randomseed(3.0) assert(math.random(0) == a) "
            "math.randomseed() math.randomseed()");
  expect_error("math.randomseed('x')", "number expected");
}
END_TEST

START_TEST(impossible_intervals_are_errors) {
  expect_error("math.random(0.5)", "no integer representation");
  expect_error("math.random(-1)", "interval is empty");
  expect_error("math.random(2, 1)", "interval is empty");
  expect_error("math.random(1, 2, 3)", "wrong number of arguments");
}
END_TEST

START_TEST(a_fiber_without_a_seed_draws_the_same_every_time) {
  expect_ok("local a = t.spawn(function() return math.random(0) end) "
            "local b = t.spawn(function() return math.random(0) end) "
            "local _, x = t.join(a) local _, y = t.join(b) assert(x == y)");
}
END_TEST

START_TEST(outside_of_a_run_there_is_none) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = script_open(&options);
  lua_State *L = eh_vm_state(vm);
  ck_assert_int_ne(luaL_dostring(L, "return math.random()"), LUA_OK);
  ck_assert_ptr_nonnull(strstr(lua_tostring(L, -1), "inside a run"));
  eh_vm_free(vm);
}
END_TEST

CHECK_MAIN(random, random_is_per_fiber, the_numbers_are_those_of_lua,
           any_number_is_a_seed, impossible_intervals_are_errors,
           a_fiber_without_a_seed_draws_the_same_every_time,
           outside_of_a_run_there_is_none)
