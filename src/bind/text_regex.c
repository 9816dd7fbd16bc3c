/* text_regex.c: regular expressions as Lua objects. */
#include "bind/text_regex.h"

#include "bind/bind.h"
#include "text/regex.h"

#define TYPE "evalhost.text.regex"

/* The box of an expression; empty until it is compiled. */
static struct eh_regex **to_box(lua_State *L) {
  return luaL_checkudata(L, 1, TYPE);
}

static struct eh_regex *to_regex(lua_State *L) {
  struct eh_regex **box = to_box(L);
  luaL_argcheck(L, *box != NULL, 1, "a closed regular expression");
  return *box;
}

static int l_close(lua_State *L) {
  struct eh_regex **box = to_box(L);
  eh_regex_free(*box);
  *box = NULL;
  return 0;
}

/* options.name as a limit; 0 where it is absent. */
static uint32_t get_limit(lua_State *L, int arg, const char *name) {
  int is_integer;
  lua_Integer value;
  if (lua_getfield(L, arg, name) == LUA_TNIL) {
    lua_pop(L, 1);
    return 0;
  }
  value = lua_tointegerx(L, -1, &is_integer);
  lua_pop(L, 1);
  if (!is_integer || value < 1 || value > UINT32_MAX)
    luaL_error(L, "%s must be an integer from 1 to 2^32 - 1", name);
  return (uint32_t)value;
}

static void get_options(lua_State *L, int arg,
                        struct eh_regex_options *options) {
  if (lua_isnoneornil(L, arg))
    return;
  luaL_checktype(L, arg, LUA_TTABLE);
  lua_getfield(L, arg, "icase");
  options->icase = lua_toboolean(L, -1);
  lua_pop(L, 1);
  options->match_limit = get_limit(L, arg, "match_limit");
  options->depth_limit = get_limit(L, arg, "depth_limit");
  options->heap_kib = get_limit(L, arg, "heap_kib");
}

/* The usual failure; its place is an offset without a line. */
static int push_fail(lua_State *L, const struct eh_err *err) {
  eh_push_fail(L, err);
  if (err->code == EH_EPARSE || err->code == EH_EUTF8) {
    lua_pushinteger(L, (lua_Integer)err->offset);
    lua_setfield(L, -2, "offset");
  }
  return 2;
}

int eh_text_regex_new(lua_State *L) {
  size_t len;
  const char *pattern = luaL_checklstring(L, 1, &len);
  struct eh_regex_options options = {0};
  struct eh_regex **box;
  struct eh_err err;
  get_options(L, 2, &options);
  box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = NULL;
  luaL_setmetatable(L, TYPE);
  if (eh_regex_compile(box, pattern, len, &options, &err) != 0)
    return push_fail(L, &err);
  return 1;
}

/* The byte where the search starts, from the optional argument 3 as in
 * string.find; len + 1 when it is behind the text. */
static size_t get_start(lua_State *L, size_t len) {
  lua_Integer init = luaL_optinteger(L, 3, 1);
  if (init < 0)
    init = init + (lua_Integer)len + 1;
  if (init < 1)
    init = 1;
  return init > (lua_Integer)len + 1 ? len + 1 : (size_t)init - 1;
}

static void push_group(lua_State *L, const struct eh_regex *regex, size_t i,
                       const char *text) {
  struct eh_span span;
  if (eh_regex_group(regex, i, &span))
    lua_pushlstring(L, text + span.first, span.end - span.first);
  else
    lua_pushboolean(L, 0);
}

static int l_find(lua_State *L) {
  struct eh_regex *regex = to_regex(L);
  size_t len, start, groups = eh_regex_groups(regex);
  const char *text = luaL_checklstring(L, 2, &len);
  struct eh_span span;
  struct eh_err err;
  bool found;
  start = get_start(L, len);
  if (start > len)
    return lua_pushnil(L), 1;
  if (eh_regex_search(regex, text, len, start, &found, &err) != 0)
    return push_fail(L, &err);
  if (!found)
    return lua_pushnil(L), 1;
  luaL_checkstack(L, (int)groups + 2, "too many captures");
  eh_regex_group(regex, 0, &span);
  lua_pushinteger(L, (lua_Integer)span.first + 1);
  lua_pushinteger(L, (lua_Integer)span.end);
  for (size_t i = 1; i <= groups; i++)
    push_group(L, regex, i, text);
  return (int)groups + 2;
}

static int l_test(lua_State *L) {
  struct eh_regex *regex = to_regex(L);
  size_t len;
  const char *text = luaL_checklstring(L, 2, &len);
  struct eh_err err;
  bool found;
  if (eh_regex_search(regex, text, len, 0, &found, &err) != 0)
    return push_fail(L, &err);
  lua_pushboolean(L, found);
  return 1;
}

static const luaL_Reg methods[] = {
    {"find", l_find}, {"test", l_test}, {NULL, NULL}};

static const luaL_Reg metamethods[] = {
    {"__gc", l_close}, {"__close", l_close}, {NULL, NULL}};

void eh_text_regex_open(lua_State *L) {
  luaL_newmetatable(L, TYPE);
  luaL_setfuncs(L, metamethods, 0);
  luaL_newlib(L, methods);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}
