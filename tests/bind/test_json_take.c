/* test_json_take.c: Lua values as value trees, seen from C. What encode shows
 * of it is in json_spec.lua. */
#include "bind/bind.h"
#include "bind/json.h"
#include "check_main.h"
#include "json/writer.h"

#include <lualib.h>
#include <string.h>

static lua_State *L;
static struct eh_arena arena;
static struct eh_json value;
static struct eh_err err;

/* Takes what the Lua expression gives. */
static int take(const char *expression) {
  int rc, top;
  eh_arena_free(&arena);
  lua_settop(L, 0);
  lua_pushfstring(L, "return %s", expression);
  ck_assert_int_eq(luaL_loadstring(L, lua_tostring(L, 1)), LUA_OK);
  ck_assert_int_eq(lua_pcall(L, 0, 1, 0), LUA_OK);
  top = lua_gettop(L);
  rc = eh_json_from_lua(L, -1, &arena, &value, &err);
  ck_assert_int_eq(lua_gettop(L), top);
  return rc;
}

START_TEST(values_become_trees) {
  struct eh_buf buf;
  L = luaL_newstate();
  ck_assert_int_eq(take("{b = {1, 2.5, 'x'}, a = {}, c = true}"), 0);
  lua_close(L); /* nothing of the tree is Lua's */
  eh_buf_init(&buf, 1000);
  ck_assert_int_eq(eh_json_write(&buf, &value, 0, NULL), 0);
  ck_assert_str_eq(buf.data, "{\"a\":{},\"b\":[1,2.5,\"x\"],\"c\":true}");
  eh_buf_free(&buf);
  eh_arena_free(&arena);
}
END_TEST

START_TEST(failures_leave_the_stack_as_it_was) {
  static const struct {
    const char *expression;
    int code;
  } rows[] = {{"nil", EH_ETYPE},
              {"{a = {{}, {b = function() end}}}", EH_ETYPE},
              {"{1, 2, x = 1}", EH_ETYPE},
              {"{1, nil, 3}", EH_ETYPE},
              {"{[2^53] = 1}", EH_ETYPE},
              {"{{{0/0}}}", EH_ERANGE},
              {"{a = -1/0}", EH_ERANGE},
              {"{'\\xff'}", EH_EUTF8},
              {"{['\\xff'] = 1}", EH_EUTF8},
              {"(function() local t = {} t[1] = t return t end)()", EH_ETYPE},
              {"(function() local t = {} for i = 1, 9999 do t = {t} end "
               "return t end)()",
               EH_EDEPTH}};
  L = luaL_newstate();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    ck_assert_int_eq(take(rows[i].expression), rows[i].code);
  lua_close(L);
  eh_arena_free(&arena);
}
END_TEST

START_TEST(long_paths_are_cut) {
  L = luaL_newstate();
  luaL_openlibs(L);
  ck_assert_int_eq(take("(function() local t = print; for i = 1, 500 do "
                        "t = {[('k'):rep(30)] = t} end return t end)()"),
                   EH_ETYPE);
  ck_assert_ptr_nonnull(strstr(err.msg, "a function cannot"));
  ck_assert_int_eq(take("{[('\\u{20AC}'):rep(99)] = print}"), EH_ETYPE);
  ck_assert_ptr_nonnull(strstr(err.msg, "a function cannot"));
  lua_close(L);
  eh_arena_free(&arena);
}
END_TEST

CHECK_MAIN(json_take, values_become_trees, failures_leave_the_stack_as_it_was,
           long_paths_are_cut)
