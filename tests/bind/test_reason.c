/* test_reason.c: buffers that the collector frees, and lists that grow. */
#include "bind/reason.h"

#include "check_main.h"

#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

START_TEST(buffers_are_collected) {
  lua_State *L = luaL_newstate();
  struct eh_buf *a = eh_push_reason(L), *b = eh_push_reason(L);
  ck_assert_int_eq(eh_buf_adds(a, "text"), 0);
  ck_assert_uint_eq(b->len, 0);
  ck_assert_str_eq(a->data, "text");
  lua_close(L); /* a leak would be the sanitizer's to see */
}
END_TEST

START_TEST(lists_grow) {
  lua_State *L = luaL_newstate();
  lua_newtable(L);
  eh_append_text(L, "names", "a", 1);
  eh_append_text(L, "names", "b\0c", 3);
  ck_assert_int_eq(lua_gettop(L), 1);
  lua_getfield(L, 1, "names");
  ck_assert_uint_eq(lua_rawlen(L, -1), 2);
  lua_rawgeti(L, -1, 2);
  ck_assert_uint_eq(lua_rawlen(L, -1), 3);
  lua_close(L);
}
END_TEST

CHECK_MAIN(reason, buffers_are_collected, lists_grow)
