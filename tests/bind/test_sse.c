/* test_sse.c: server-sent events from Lua. */
#include "bind/modules.h"

#include "check_main.h"

#include <lauxlib.h>
#include <lualib.h>

static void run(const char *script) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_requiref(L, "sse", luaopen_evalhost_native_sse, 1);
  lua_pop(L, 1);
  if (luaL_dostring(L, script) != LUA_OK)
    ck_abort_msg("%s", luaL_tolstring(L, -1, NULL));
  lua_close(L);
}

START_TEST(test_events) {
  run("local list, whole = sse.parse('data: a\\n\\nid: 7\\nevent: x\\n'\n"
      "  .. 'data: b\\ndata: c\\n\\n')\n"
      "assert(#list == 2 and whole == true)\n"
      "assert(list[1].event == 'message' and list[1].data == 'a')\n"
      "assert(list[1].id == '')\n"
      "assert(list[2].event == 'x' and list[2].data == 'b\\nc')\n"
      "assert(list[2].id == '7')");
}
END_TEST

START_TEST(test_unfinished) {
  run("local list, whole = sse.parse('data: a\\n\\ndata: b\\n')\n"
      "assert(#list == 1 and whole == false)\n"
      "list, whole = sse.parse('')\n"
      "assert(#list == 0 and whole == true)\n"
      "assert(not pcall(sse.parse))\n"
      "assert(not pcall(sse.parse, {}))");
}
END_TEST

CHECK_MAIN(sse, test_events, test_unfinished)
