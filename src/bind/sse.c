/* sse.c: evalhost.native.sse, server-sent events of a reply. */
#include "net/sse.h"

#include "bind/bind.h"
#include "bind/modules.h"

#define PARSER_TYPE "evalhost.sse.parser"

/* In a userdata, since making the tables of its events may raise. */
struct parser {
  struct eh_sse sse;
  lua_State *L;
  lua_Integer count;
};

static int parser_gc(lua_State *L) {
  struct parser *parser = luaL_checkudata(L, 1, PARSER_TYPE);
  eh_sse_free(&parser->sse);
  return 0;
}

/* Appends to the list on top of the stack. */
static void on_event(void *arg, const struct eh_sse_event *event) {
  struct parser *parser = arg;
  lua_State *L = parser->L;
  lua_createtable(L, 0, 3);
  lua_pushlstring(L, event->event, event->event_len);
  lua_setfield(L, -2, "event");
  lua_pushlstring(L, event->data, event->data_len);
  lua_setfield(L, -2, "data");
  lua_pushlstring(L, event->id, event->id_len);
  lua_setfield(L, -2, "id");
  lua_rawseti(L, -2, ++parser->count);
}

static int l_parse(lua_State *L) {
  size_t len;
  const char *text = luaL_checklstring(L, 1, &len);
  struct parser *parser = lua_newuserdatauv(L, sizeof *parser, 0);
  struct eh_err err;
  int rc;
  eh_sse_init(&parser->sse, len, on_event, parser);
  parser->L = L;
  parser->count = 0;
  luaL_setmetatable(L, PARSER_TYPE);
  lua_newtable(L);
  rc = eh_sse_feed(&parser->sse, text, len, &err);
  if (rc != 0)
    return eh_push_fail(L, &err);
  lua_pushboolean(L, eh_sse_end(&parser->sse));
  eh_sse_free(&parser->sse);
  return 2;
}

int luaopen_evalhost_native_sse(lua_State *L) {
  static const luaL_Reg functions[] = {{"parse", l_parse}, {NULL, NULL}};
  luaL_newmetatable(L, PARSER_TYPE);
  lua_pushcfunction(L, parser_gc);
  lua_setfield(L, -2, "__gc");
  luaL_newlib(L, functions);
  return 1;
}
