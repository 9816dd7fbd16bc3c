/* test_json_types.c: value trees and JSON's own values in Lua. */
#include "bind/bind.h"
#include "bind/json.h"
#include "check_main.h"

#include <string.h>

static lua_State *L;

static void open_state(void) {
  L = luaL_newstate();
  ck_assert_ptr_nonnull(L);
}

static void push_text(const char *text) {
  struct eh_arena *arena = eh_push_arena(L);
  struct eh_json value;
  ck_assert_int_eq(eh_json_parse(arena, text, strlen(text), NULL, &value, NULL),
                   0);
  eh_json_push(L, &value);
  lua_remove(L, -2);
}

START_TEST(trees_become_lua_values) {
  open_state();
  push_text("{\"a\": [1, 0.5, true, null, \"x\\u0000y\"], \"b\": {}}");
  lua_getfield(L, 1, "a");
  ck_assert(eh_json_marked_array(L, 2));
  ck_assert_uint_eq(lua_rawlen(L, 2), 5);
  lua_rawgeti(L, 2, 1);
  ck_assert(lua_isinteger(L, -1));
  lua_rawgeti(L, 2, 4);
  ck_assert(lua_islightuserdata(L, -1) && lua_touserdata(L, -1) == NULL);
  lua_rawgeti(L, 2, 5);
  ck_assert_uint_eq(lua_rawlen(L, -1), 3);
  lua_getfield(L, 1, "b");
  ck_assert(lua_istable(L, -1) && !eh_json_marked_array(L, -1));
  lua_close(L);
}
END_TEST

START_TEST(deep_trees_are_pushed) {
  char text[2 * EH_JSON_DEPTH + 1];
  open_state();
  memset(text, '[', EH_JSON_DEPTH);
  memset(text + EH_JSON_DEPTH, ']', EH_JSON_DEPTH);
  text[2 * EH_JSON_DEPTH] = '\0';
  push_text(text);
  ck_assert_int_eq(lua_gettop(L), 1);
  ck_assert(eh_json_marked_array(L, 1));
  lua_close(L);
}
END_TEST

START_TEST(big_integers_compare_by_digits) {
  size_t len;
  open_state();
  eh_json_push_big(L, "9223372036854775808", 19);
  eh_json_push_big(L, "9223372036854775808", 19);
  eh_json_push_big(L, "9223372036854775809", 19);
  ck_assert(lua_compare(L, 1, 2, LUA_OPEQ));
  ck_assert(!lua_compare(L, 1, 3, LUA_OPEQ));
  ck_assert_str_eq(luaL_tolstring(L, 3, NULL), "9223372036854775809");
  ck_assert_ptr_nonnull(eh_json_big_at(L, 1, &len));
  ck_assert_uint_eq(len, 19);
  lua_newuserdatauv(L, 4, 0);
  ck_assert_ptr_null(eh_json_big_at(L, -1, &len));
  ck_assert_ptr_null(eh_json_big_at(L, 4, &len)); /* a string */
  lua_close(L);
}
END_TEST

START_TEST(arenas_are_released_with_the_state) {
  open_state();
  for (int i = 0; i < 100; i++) {
    eh_arena_alloc(eh_push_arena(L), 5000);
    lua_pop(L, 1);
  }
  lua_close(L); /* the leak checker says the rest */
}
END_TEST

CHECK_MAIN(json_types, trees_become_lua_values, deep_trees_are_pushed,
           big_integers_compare_by_digits, arenas_are_released_with_the_state)
