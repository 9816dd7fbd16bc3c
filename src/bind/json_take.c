/* json_take.c: Lua values as value trees. Nothing here raises, and no Lua code
 * runs: tables are read raw. */
#include "bind/bind.h"
#include "bind/json_walk.h"
#include "text/utf8.h"
#include "json/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct taker {
  lua_State *L;
  struct eh_arena *arena;
  const struct eh_json_take *how;
  size_t max_depth, depth;
  struct eh_err *err;
};

static int fail(struct taker *t, const struct eh_json_frame *at, int code,
                const char *what) {
  return eh_json_fail_in(at, code, what, t->err);
}

static int take_value(struct taker *t, const struct eh_json_frame *at,
                      struct eh_json *out);

/* Copies the string on top; wrong is what to say if it is not
 * UTF-8. */
static int take_text(struct taker *t, const struct eh_json_frame *at,
                     const char *wrong, const char **ptr, size_t *len) {
  const char *text = lua_tolstring(t->L, -1, len);
  struct eh_buf repaired;
  if (eh_utf8_valid(text, *len)) {
    *ptr = eh_arena_strndup(t->arena, text, *len);
    return 0;
  }
  if (!t->how->repair)
    return fail(t, at, EH_EUTF8, wrong);
  eh_buf_init(&repaired, EH_MAX_JSON_TEXT);
  if (eh_utf8_repair(&repaired, text, *len) != 0) {
    eh_buf_free(&repaired);
    return fail(t, at, EH_ELIMIT, "the string is too long");
  }
  *len = repaired.len;
  *ptr = eh_arena_strndup(t->arena, repaired.data, repaired.len);
  eh_buf_free(&repaired);
  return 0;
}

static int take_number(struct taker *t, const struct eh_json_frame *at,
                       struct eh_json *out) {
  const char *fault;
  if (lua_isinteger(t->L, -1)) {
    out->type = EH_JSON_INT;
    out->as.integer = lua_tointeger(t->L, -1);
    return 0;
  }
  out->type = EH_JSON_REAL;
  out->as.real = lua_tonumber(t->L, -1);
  fault = eh_json_number_fault(out->as.real);
  return fault == NULL ? 0 : fail(t, at, EH_ERANGE, fault);
}

static int take_array(struct taker *t, const struct eh_json_frame *up, size_t n,
                      struct eh_json *out) {
  struct eh_json_frame at = {.up = up, .table = lua_topointer(t->L, -1)};
  struct eh_json *items = NULL;
  int rc = 0;
  if (n > 0)
    items = eh_arena_alloc(t->arena, n * sizeof *items);
  for (size_t i = 0; i < n && rc == 0; i++) {
    at.index = (lua_Integer)i + 1;
    lua_rawgeti(t->L, -1, at.index);
    rc = take_value(t, &at, &items[i]);
    lua_pop(t->L, 1);
  }
  out->type = EH_JSON_ARRAY;
  out->as.array.items = items;
  out->as.array.count = n;
  return rc;
}

/* The member whose key is at -2 and whose value is on top. */
static int take_member(struct taker *t, struct eh_json_frame *at,
                       struct eh_json_member *out) {
  int rc;
  lua_pushvalue(t->L, -2);
  rc = take_text(t, at->up, "a key is not valid UTF-8", &out->key,
                 &out->key_len);
  lua_pop(t->L, 1);
  at->key = out->key;
  at->key_len = out->key_len;
  return rc == 0 ? take_value(t, at, &out->value) : rc;
}

static int by_key(const void *a, const void *b) {
  return eh_json_compare_keys(&a, &b);
}

/* Fills members with those of the table on top whose keys are not among the
 * record's (at index `record` if that is not 0), sorted by key. */
static int take_rest(struct taker *t, const struct eh_json_frame *up,
                     int record, struct eh_json_member *members,
                     size_t *count) {
  lua_State *L = t->L;
  struct eh_json_frame at = {.up = up, .table = lua_topointer(L, -1)};
  size_t n = 0;
  int rc = 0;
  for (lua_pushnil(L); rc == 0 && lua_next(L, -2); lua_pop(L, 1)) {
    if (record != 0) {
      lua_pushvalue(L, -2);
      if (lua_rawget(L, record) != LUA_TNIL) {
        lua_pop(L, 1);
        continue;
      }
      lua_pop(L, 1);
    }
    rc = take_member(t, &at, &members[n++]);
  }
  if (rc == 0 && n > 1)
    qsort(members, n, sizeof *members, by_key);
  *count = n;
  return rc;
}

/* The record's keys in their order; absent ones are null. The record's key
 * list is at index `record`, the table on top. */
static int take_record(struct taker *t, const struct eh_json_frame *up,
                       int record, struct eh_json_member *members, size_t n) {
  lua_State *L = t->L;
  struct eh_json_frame at = {.up = up, .table = lua_topointer(L, -1)};
  int rc = 0;
  for (size_t i = 0; i < n && rc == 0; i++) {
    lua_rawgeti(L, record, (lua_Integer)i + 1);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) == LUA_TNIL) {
      lua_pop(L, 1);
      eh_json_push_null(L);
    }
    rc = take_member(t, &at, &members[i]);
    lua_pop(L, 2);
  }
  return rc;
}

static int take_object(struct taker *t, const struct eh_json_frame *up,
                       size_t names, struct eh_json *out) {
  lua_State *L = t->L;
  struct eh_json_member *members;
  size_t fixed = 0, rest;
  int rc = 0, record = 0;
  if (eh_json_push_mark(L, -1) == EH_JSON_MARK_RECORD) {
    lua_insert(L, -2);
    record = lua_gettop(L) - 1;
    fixed = lua_rawlen(L, record);
  }
  members = eh_arena_alloc(t->arena, (fixed + names) * sizeof *members);
  if (record != 0)
    rc = take_record(t, up, record, members, fixed);
  if (rc == 0)
    rc = take_rest(t, up, record, members + fixed, &rest);
  if (rc != 0)
    return rc;
  if (record != 0)
    lua_remove(L, record);
  out->type = EH_JSON_OBJECT;
  out->as.object.members = members;
  out->as.object.count = fixed + rest;
  return 0;
}

static int take_table(struct taker *t, const struct eh_json_frame *at,
                      struct eh_json *out) {
  bool array;
  size_t count;
  int rc = eh_json_enter(t->L, at, t->depth, t->max_depth, t->err);
  if (rc == 0)
    rc = eh_json_shape(t->L, at, &array, &count, t->err);
  if (rc != 0)
    return rc;
  t->depth++;
  rc = array ? take_array(t, at, count, out) : take_object(t, at, count, out);
  t->depth--;
  return rc;
}

static int take_userdata(struct taker *t, const struct eh_json_frame *at,
                         struct eh_json *out) {
  size_t len;
  const char *digits = eh_json_big_at(t->L, -1, &len);
  if (digits == NULL)
    return fail(t, at, EH_ETYPE, "a userdata cannot be written as JSON");
  out->type = EH_JSON_BIG;
  out->as.text.ptr = eh_arena_strndup(t->arena, digits, len);
  out->as.text.len = len;
  return 0;
}

static int take_value(struct taker *t, const struct eh_json_frame *at,
                      struct eh_json *out) {
  char what[64];
  int type = lua_type(t->L, -1);
  switch (type) {
  case LUA_TBOOLEAN:
    out->type = EH_JSON_BOOL;
    out->as.boolean = lua_toboolean(t->L, -1);
    return 0;
  case LUA_TNUMBER:
    return take_number(t, at, out);
  case LUA_TSTRING:
    out->type = EH_JSON_STRING;
    return take_text(t, at, "the string is not valid UTF-8", &out->as.text.ptr,
                     &out->as.text.len);
  case LUA_TTABLE:
    return take_table(t, at, out);
  case LUA_TUSERDATA:
    return take_userdata(t, at, out);
  case LUA_TLIGHTUSERDATA:
    out->type = EH_JSON_NULL;
    if (lua_touserdata(t->L, -1) == NULL)
      return 0;
    break;
  }
  snprintf(what, sizeof what, "a %s cannot be written as JSON",
           lua_typename(t->L, type));
  return fail(t, at, EH_ETYPE, what);
}

int eh_json_take(lua_State *L, int idx, struct eh_arena *arena,
                 const struct eh_json_take *how, struct eh_json *out,
                 struct eh_err *err) {
  struct taker t = {.L = L, .arena = arena, .how = how, .err = err};
  struct eh_json_frame root = {0};
  int rc, top = lua_gettop(L);
  t.max_depth = eh_json_depth_limit(how->max_depth);
  if (!lua_checkstack(L, 12))
    return eh_err_set(err, EH_EDEPTH, NULL);
  lua_pushvalue(L, idx);
  rc = take_value(&t, &root, out);
  lua_settop(L, top);
  return rc;
}

int eh_json_from_lua(lua_State *L, int idx, struct eh_arena *arena,
                     struct eh_json *out, struct eh_err *err) {
  static const struct eh_json_take how;
  return eh_json_take(L, idx, arena, &how, out, err);
}
