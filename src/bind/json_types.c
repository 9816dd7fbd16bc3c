/* json_types.c: the values that JSON has and Lua does not; value trees as Lua
 * values; arenas that Lua owns. */
#include "bind/bind.h"
#include "bind/json.h"

#include <string.h>

/* Registry keys. */
static const char array_key, big_key, arena_key;

/* The key of a mark in a metatable: true for arrays, the keys for records. */
static const char mark_key;

void eh_json_push_null(lua_State *L) {
  lua_pushlightuserdata(L, NULL);
}

/* Pushes the metatable kept under key and returns false, or pushes a new one
 * with that name, keeps it, and returns true. */
static bool push_meta(lua_State *L, const void *key, const char *name) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) == LUA_TTABLE)
    return false;
  lua_pop(L, 1);
  lua_createtable(L, 0, 4);
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, key);
  return true;
}

/* Has the value at idx the metatable kept under key? */
static bool has_meta(lua_State *L, int idx, const void *key) {
  bool same;
  if (!lua_getmetatable(L, idx))
    return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, key);
  same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

void eh_json_push_array_meta(lua_State *L) {
  if (push_meta(L, &array_key, "evalhost.json.array")) {
    lua_pushboolean(L, true);
    lua_rawsetp(L, -2, &mark_key);
  }
}

void eh_json_push_record_meta(lua_State *L) { /* keys -> metatable */
  lua_createtable(L, 0, 2);
  lua_pushliteral(L, "evalhost.json.record");
  lua_setfield(L, -2, "__name");
  lua_insert(L, -2);
  lua_rawsetp(L, -2, &mark_key);
}

enum eh_json_mark eh_json_push_mark(lua_State *L, int idx) {
  int type;
  if (!lua_getmetatable(L, idx))
    return EH_JSON_MARK_NONE;
  type = lua_rawgetp(L, -1, &mark_key);
  if (type == LUA_TTABLE) {
    lua_replace(L, -2);
    return EH_JSON_MARK_RECORD;
  }
  lua_pop(L, 2);
  return type == LUA_TBOOLEAN ? EH_JSON_MARK_ARRAY : EH_JSON_MARK_NONE;
}

bool eh_json_marked_array(lua_State *L, int idx) {
  int top = lua_gettop(L);
  bool marked = eh_json_push_mark(L, idx) == EH_JSON_MARK_ARRAY;
  lua_settop(L, top);
  return marked;
}

const char *eh_json_big_at(lua_State *L, int idx, size_t *len) {
  if (lua_type(L, idx) != LUA_TUSERDATA || !has_meta(L, idx, &big_key))
    return NULL;
  *len = lua_rawlen(L, idx);
  return lua_touserdata(L, idx);
}

static int l_big_tostring(lua_State *L) {
  size_t len;
  const char *digits = eh_json_big_at(L, 1, &len);
  luaL_argexpected(L, digits != NULL, 1, "evalhost.json.big");
  lua_pushlstring(L, digits, len);
  return 1;
}

static int l_big_eq(lua_State *L) {
  size_t a_len, b_len;
  const char *a = eh_json_big_at(L, 1, &a_len);
  const char *b = eh_json_big_at(L, 2, &b_len);
  lua_pushboolean(L, a != NULL && b != NULL && a_len == b_len &&
                         memcmp(a, b, a_len) == 0);
  return 1;
}

void eh_json_push_big(lua_State *L, const char *digits, size_t len) {
  static const luaL_Reg meta[] = {
      {"__tostring", l_big_tostring}, {"__eq", l_big_eq}, {NULL, NULL}};
  memcpy(lua_newuserdatauv(L, len, 0), digits, len);
  if (push_meta(L, &big_key, "evalhost.json.big"))
    luaL_setfuncs(L, meta, 0);
  lua_setmetatable(L, -2);
}

static void push_array(lua_State *L, const struct eh_json *value) {
  size_t n = value->as.array.count;
  lua_createtable(L, n < 1024 ? (int)n : 1024, 0);
  eh_json_push_array_meta(L);
  lua_setmetatable(L, -2);
  for (size_t i = 0; i < n; i++) {
    eh_json_push(L, &value->as.array.items[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
}

static void push_object(lua_State *L, const struct eh_json *value) {
  size_t n = value->as.object.count;
  lua_createtable(L, 0, n < 1024 ? (int)n : 1024);
  for (size_t i = 0; i < n; i++) {
    const struct eh_json_member *member = &value->as.object.members[i];
    lua_pushlstring(L, member->key, member->key_len);
    eh_json_push(L, &member->value);
    lua_rawset(L, -3);
  }
}

void eh_json_push(lua_State *L, const struct eh_json *value) {
  luaL_checkstack(L, 6, "JSON value nested too deeply");
  switch (value->type) {
  case EH_JSON_NULL:
    eh_json_push_null(L);
    break;
  case EH_JSON_BOOL:
    lua_pushboolean(L, value->as.boolean);
    break;
  case EH_JSON_INT:
    lua_pushinteger(L, value->as.integer);
    break;
  case EH_JSON_REAL:
    lua_pushnumber(L, value->as.real);
    break;
  case EH_JSON_BIG:
    eh_json_push_big(L, value->as.text.ptr, value->as.text.len);
    break;
  case EH_JSON_STRING:
    lua_pushlstring(L, value->as.text.ptr, value->as.text.len);
    break;
  case EH_JSON_ARRAY:
    push_array(L, value);
    break;
  case EH_JSON_OBJECT:
    push_object(L, value);
    break;
  }
}

static int l_arena_gc(lua_State *L) {
  eh_arena_free(lua_touserdata(L, 1));
  return 0;
}

struct eh_arena *eh_push_arena(lua_State *L) {
  static const luaL_Reg meta[] = {
      {"__gc", l_arena_gc}, {"__close", l_arena_gc}, {NULL, NULL}};
  struct eh_arena *arena = lua_newuserdatauv(L, sizeof *arena, 0);
  eh_arena_init(arena);
  if (push_meta(L, &arena_key, "evalhost.arena"))
    luaL_setfuncs(L, meta, 0);
  lua_setmetatable(L, -2);
  return arena;
}
