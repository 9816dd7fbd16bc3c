/* ground.c: evalhost.native.ground, the model-free judge. */
#include "bind/bind.h"
#include "bind/modules.h"

#include "bind/json.h"
#include "bind/reason.h"
#include "metric/ground.h"

#include <math.h>
#include <string.h>

static const char *const part_names[] = {"keywords", "facts", "coverage"};

/* The string on the top of the stack, copied into the arena; pops it. */
static struct eh_ground_text take_text(lua_State *L, struct eh_arena *arena,
                                       const char *what) {
  struct eh_ground_text out = {NULL, NULL, 0};
  const char *text;
  if (lua_type(L, -1) != LUA_TSTRING)
    luaL_error(L, "%s: expected a string, got %s", what, luaL_typename(L, -1));
  text = lua_tolstring(L, -1, &out.len);
  out.text = eh_arena_strndup(arena, text, out.len);
  lua_pop(L, 1);
  return out;
}

/* An item of evidence, a text or { id, text }, on the top; pops it. */
static struct eh_ground_text take_item(lua_State *L, struct eh_arena *arena) {
  struct eh_ground_text out;
  const char *id = NULL;
  if (lua_type(L, -1) != LUA_TTABLE)
    return take_text(L, arena, "evidence");
  if (lua_getfield(L, -1, "id") != LUA_TNIL) {
    size_t len;
    id = luaL_tolstring(L, -1, &len);
    id = eh_arena_strndup(arena, id, len);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  lua_getfield(L, -1, "text");
  out = take_text(L, arena, "evidence.text");
  out.id = id;
  lua_pop(L, 1);
  return out;
}

/* The list on the top of the stack (nil is empty); pops it. */
static struct eh_ground_text *take_list(lua_State *L, struct eh_arena *arena,
                                        bool items, size_t *count) {
  struct eh_ground_text *out = NULL;
  *count = 0;
  if (!lua_isnil(L, -1)) {
    if (lua_type(L, -1) != LUA_TTABLE)
      luaL_error(L, "expected a list, got %s", luaL_typename(L, -1));
    *count = lua_rawlen(L, -1);
    out = eh_arena_alloc(arena, *count * sizeof *out);
  }
  for (size_t i = 0; i < *count; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    out[i] = items ? take_item(L, arena) : take_text(L, arena, "keywords");
  }
  lua_pop(L, 1);
  return out;
}

static void take_input(lua_State *L, int idx, struct eh_arena *arena,
                       struct eh_ground_input *in) {
  memset(in, 0, sizeof *in);
  lua_getfield(L, idx, "answer");
  in->answer = take_text(L, arena, "answer");
  if (lua_getfield(L, idx, "query") == LUA_TNIL)
    lua_pop(L, 1);
  else
    in->query = take_text(L, arena, "query");
  lua_getfield(L, idx, "keywords");
  in->keywords = take_list(L, arena, false, &in->keyword_count);
  lua_getfield(L, idx, "evidence");
  in->evidence = take_list(L, arena, true, &in->evidence_count);
}

/* The weights in field `weights`; those that are not given stay. */
static void take_weights(lua_State *L, int idx, struct eh_ground_weights *out) {
  static const struct eh_ground_weights defaults = EH_GROUND_WEIGHTS;
  double sum = 0;
  *out = defaults;
  if (lua_getfield(L, idx, "weights") != LUA_TNIL) {
    luaL_checktype(L, -1, LUA_TTABLE);
    for (size_t i = 0; i < 3; i++) {
      if (lua_getfield(L, -1, part_names[i]) != LUA_TNIL)
        out->of[i] = luaL_checknumber(L, -1);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
  for (size_t i = 0; i < 3; i++) {
    if (!(out->of[i] >= 0 && isfinite(out->of[i])))
      luaL_error(L, "weights.%s must not be negative", part_names[i]);
    sum += out->of[i];
  }
  if (!(sum > 0))
    luaL_error(L, "weights must not all be 0");
}

static void push_fact(lua_State *L, const struct eh_ground_input *in,
                      const struct eh_fact *fact) {
  static const char *const kinds[] = {"number", "percent", "bps",
                                      "date",   "code",    "name"};
  static const char *const statuses[] = {"unsupported", "supported", "known"};
  lua_createtable(L, 0, 6);
  lua_pushlstring(L, in->answer.text + fact->first, fact->end - fact->first);
  lua_setfield(L, -2, "text");
  lua_pushinteger(L, (lua_Integer)fact->first + 1);
  lua_setfield(L, -2, "first");
  lua_pushinteger(L, (lua_Integer)fact->end);
  lua_setfield(L, -2, "last");
  lua_pushstring(L, kinds[fact->kind]);
  lua_setfield(L, -2, "kind");
  lua_pushstring(L, statuses[fact->status]);
  lua_setfield(L, -2, "status");
  if (fact->status != EH_FACT_SUPPORTED)
    return;
  if (in->evidence[fact->evidence].id != NULL)
    lua_pushstring(L, in->evidence[fact->evidence].id);
  else
    lua_pushinteger(L, (lua_Integer)fact->evidence + 1);
  lua_setfield(L, -2, "evidence");
}

static void push_detail(lua_State *L, const struct eh_ground_input *in,
                        const struct eh_ground *ground) {
  lua_createtable(L, 0, 5);
  for (size_t i = 0; i < 3; i++)
    if (ground->parts[i].applies) {
      lua_pushnumber(L, ground->parts[i].value);
      lua_setfield(L, -2, part_names[i]);
    }
  for (size_t i = 0; i < in->keyword_count; i++)
    if (!ground->present[i])
      eh_append_text(L, "absent", in->keywords[i].text, in->keywords[i].len);
  if (ground->facts.count == 0)
    return;
  lua_createtable(L, (int)ground->facts.count, 0);
  for (size_t i = 0; i < ground->facts.count; i++) {
    push_fact(L, in, &ground->facts.items[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "claims");
}

static int l_grounded(lua_State *L) {
  struct eh_ground_input in;
  struct eh_ground_weights weights;
  struct eh_ground ground;
  struct eh_arena *arena;
  struct eh_buf *reason;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  arena = eh_push_arena(L);
  reason = eh_push_reason(L);
  take_input(L, 1, arena, &in);
  take_weights(L, 1, &weights);
  if (eh_ground_judge(arena, &in, &weights, &ground) != 0) {
    lua_pushnil(L);
    lua_pushliteral(L, "nothing_to_check");
    return 2;
  }
  eh_ground_reason(&in, &ground, reason);
  lua_pushnumber(L, ground.value);
  lua_pushlstring(L, reason->data, reason->len);
  push_detail(L, &in, &ground);
  return 3;
}

static int l_keywords(lua_State *L) {
  size_t len, count, found, absent = 0;
  const char *answer = luaL_checklstring(L, 1, &len);
  bool any = lua_toboolean(L, 3), *present;
  struct eh_ground_text *list;
  struct eh_arena *arena;
  luaL_checktype(L, 2, LUA_TTABLE);
  arena = eh_push_arena(L);
  lua_pushvalue(L, 2);
  list = take_list(L, arena, false, &count);
  if (count == 0) {
    lua_pushnil(L);
    lua_pushliteral(L, "no_keywords");
    return 2;
  }
  present = eh_arena_alloc(arena, count);
  found = eh_ground_keywords(answer, len, list, count, present);
  lua_pushnumber(L, any ? found > 0 : (double)found / (double)count);
  lua_newtable(L);
  eh_json_push_array_meta(L);
  lua_setmetatable(L, -2);
  for (size_t i = 0; i < count; i++)
    if (!present[i]) {
      lua_pushlstring(L, list[i].text, list[i].len);
      lua_rawseti(L, -2, (lua_Integer)++absent);
    }
  return 2;
}

static const luaL_Reg functions[] = {
    {"grounded", l_grounded}, {"keywords", l_keywords}, {NULL, NULL}};

int luaopen_evalhost_native_ground(lua_State *L) {
  luaL_newlib(L, functions);
  return 1;
}
