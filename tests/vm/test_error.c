/* test_error.c: the one shape of errors, and safe texts of anything. */
#include "check_main.h"
#include "vm/script.h"

START_TEST(an_error_has_a_code_and_a_text) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = script_open(&options);
  lua_State *L = eh_vm_state(vm);
  eh_vm_push_error(L, "timeout", "no result");
  ck_assert_int_eq(lua_getfield(L, -1, "code"), LUA_TSTRING);
  ck_assert_str_eq(lua_tostring(L, -1), "timeout");
  lua_pop(L, 1);
  ck_assert_str_eq(luaL_tolstring(L, -1, NULL), "no result");
  lua_pop(L, 1);
  lua_pushnil(L);
  lua_setfield(L, -2, "message");
  ck_assert_str_eq(luaL_tolstring(L, -1, NULL), "error");
  lua_pop(L, 1);
  eh_vm_push_error(L, "other", "again");
  ck_assert(lua_getmetatable(L, -1) && lua_getmetatable(L, -3));
  ck_assert(lua_rawequal(L, -1, -2));
  eh_vm_free(vm);
}
END_TEST

/* The text of the value that a chunk returns; nothing else moves. */
static void check_text(lua_State *L, const char *chunk, const char *wanted) {
  int top = lua_gettop(L);
  const char *text;
  ck_assert_int_eq(luaL_dostring(L, chunk), LUA_OK);
  text = eh_vm_push_text(L, -1);
  ck_assert_ptr_nonnull(strstr(text, wanted));
  ck_assert_int_eq(lua_gettop(L), top + 2);
  lua_settop(L, top);
}

START_TEST(there_is_a_text_for_anything) {
  struct eh_vm_options options = {0};
  struct eh_vm *vm = script_open(&options);
  lua_State *L = eh_vm_state(vm);
  check_text(L, "return 'x'", "x");
  check_text(L, "return 5", "5");
  check_text(L, "return nil", "nil");
  check_text(L, "return true", "true");
  check_text(L, "return {}", "table: ");
  check_text(L,
             "return setmetatable({}, {__tostring = function() "
             "return 'mine' end})",
             "mine");
  check_text(L,
             "return setmetatable({}, {__tostring = function() "
             "error('no') end})",
             "(a table as error, whose __tostring failed)");
  check_text(L,
             "return setmetatable({}, {__tostring = function() "
             "return {} end})",
             "__tostring failed");
  check_text(L, "return setmetatable({}, {__name = 'Thing'})", "Thing: ");
  eh_vm_free(vm);
}
END_TEST

START_TEST(whatever_is_thrown_becomes_such_an_error) {
  expect_ok("local function thrown(...) "
            "  local ok, err = t.timeout(1, error, ...) assert(not ok) "
            "  return err end "
            "assert(thrown('x').message == 'x') "
            "assert(thrown(5).message == '5') "
            "assert(thrown(nil).message == 'error(nil)') "
            "assert(thrown(false).message == 'false') "
            "local odd = thrown({message = 'no code'}) "
            "assert(odd.code == 'lua_error') "
            "local mine = {code = 'mine'} "
            "assert(rawequal(thrown(mine), mine) and mine.traceback) "
            "local strict = setmetatable({code = 'mine'}, "
            "  {__index = error, __newindex = error}) "
            "assert(rawequal(thrown(strict), strict)) "
            "local kept = {code = 'mine', traceback = 'own'} "
            "assert(thrown(kept).traceback == 'own')");
}
END_TEST

START_TEST(the_traceback_begins_where_it_was_raised) {
  expect_ok("local function inner() error('boom') end "
            "local ok, err = t.timeout(1, function() inner() return 1 end) "
            "assert(err.traceback:find('^traceback') or "
            "  err.traceback:find('^stack traceback')) "
            "assert(err.traceback:find(\"in upvalue 'inner'\", 1, true) or "
            "  err.traceback:find(\"'inner'\", 1, true), err.traceback)");
}
END_TEST

CHECK_MAIN(error, an_error_has_a_code_and_a_text, there_is_a_text_for_anything,
           whatever_is_thrown_becomes_such_an_error,
           the_traceback_begins_where_it_was_raised)
