/* json_decode.c: the sink that builds Lua values. Nothing is kept outside the
 * Lua stack, so a raise (out of memory) leaks nothing. */
#include "bind/json.h"

#include <lauxlib.h>

/* What a new table is sized for: what the last one at its depth needed. */
#define MAX_GUESS 64

struct decoder {
  lua_State *L;
  int array_meta; /* stack index */
  struct eh_json_keys *keys;
  int key_table; /* stack index */
  bool last_wins;
  size_t depth;
  struct {
    bool object;
    lua_Integer count;
    uint64_t hashes;    /* a bit for each hash of a key */
    int items, members; /* of the last array and object at this depth */
  } frames[EH_JSON_DEPTH_MAX + 1];
  size_t known; /* frames whose guesses are set */
};

/* Stores the value on top in the innermost container: -1, or for a member
 * (with its key) -2. */
static int put(struct decoder *d) {
  if (d->depth == 0)
    return 0;
  if (d->frames[d->depth].object)
    lua_rawset(d->L, -3);
  else
    lua_rawseti(d->L, -2, d->frames[d->depth].count);
  return 0;
}

/* Counts a value that will be put. */
static lua_State *next(struct decoder *d) {
  d->frames[d->depth].count++;
  return d->L;
}

static int on_null(void *ctx) {
  lua_pushlightuserdata(next(ctx), NULL);
  return put(ctx);
}

static int on_boolean(void *ctx, bool value) {
  lua_pushboolean(next(ctx), value);
  return put(ctx);
}

static int on_integer(void *ctx, int64_t value) {
  lua_pushinteger(next(ctx), value);
  return put(ctx);
}

static int on_real(void *ctx, double value) {
  lua_pushnumber(next(ctx), value);
  return put(ctx);
}

static int on_big(void *ctx, const char *digits, size_t len) {
  eh_json_push_big(next(ctx), digits, len);
  return put(ctx);
}

static int on_string(void *ctx, const char *text, size_t len) {
  lua_pushlstring(next(ctx), text, len);
  return put(ctx);
}

static void enter(struct decoder *d, bool object) {
  luaL_checkstack(d->L, 6, "JSON text nested too deeply");
  d->frames[d->depth].count++;
  d->depth++;
  while (d->known <= d->depth) {
    d->frames[d->known].items = 1;
    d->frames[d->known++].members = 4;
  }
  d->frames[d->depth].object = object;
  d->frames[d->depth].count = 0;
  d->frames[d->depth].hashes = 0;
}

static int on_begin_array(void *ctx) {
  struct decoder *d = ctx;
  enter(d, false);
  lua_createtable(d->L, d->frames[d->depth].items, 0);
  lua_pushvalue(d->L, d->array_meta);
  lua_setmetatable(d->L, -2);
  return 0;
}

static int on_begin_object(void *ctx) {
  struct decoder *d = ctx;
  enter(d, true);
  lua_createtable(d->L, 0, d->frames[d->depth].members);
  return 0;
}

static int guess(lua_Integer count) {
  return count < MAX_GUESS ? (int)count : MAX_GUESS;
}

static int on_end_array(void *ctx) {
  struct decoder *d = ctx;
  d->frames[d->depth].items = guess(d->frames[d->depth].count);
  d->depth--;
  return put(d);
}

static int on_end_object(void *ctx) {
  struct decoder *d = ctx;
  d->frames[d->depth].members = guess(d->frames[d->depth].count);
  d->depth--;
  return put(d);
}

/* Keys with the same hash may be equal; others cannot. */
static int on_key(void *ctx, const char *text, size_t len, size_t offset) {
  struct decoder *d = ctx;
  uint64_t hash = eh_json_key_hash(text, len);
  uint64_t bit = UINT64_C(1) << (hash >> 58);
  bool seen;
  (void)offset;
  eh_json_key_push(d->L, d->keys, d->key_table, hash, text, len);
  if (d->last_wins || (d->frames[d->depth].hashes & bit) == 0) {
    d->frames[d->depth].hashes |= bit;
    return 0;
  }
  lua_pushvalue(d->L, -1);
  seen = lua_rawget(d->L, -3) != LUA_TNIL;
  lua_pop(d->L, 1);
  return seen ? EH_EEXIST : 0;
}

int eh_json_decode(lua_State *L, const char *text, size_t len,
                   const struct eh_json_opts *opts, struct eh_json_keys *keys,
                   int key_table, struct eh_err *err) {
  static const struct eh_json_sink sink = {
      .null = on_null,
      .boolean = on_boolean,
      .integer = on_integer,
      .real = on_real,
      .big = on_big,
      .string = on_string,
      .begin_array = on_begin_array,
      .end_array = on_end_array,
      .begin_object = on_begin_object,
      .key = on_key,
      .end_object = on_end_object,
  };
  struct decoder d;
  int rc, base = lua_gettop(L);
  luaL_checkstack(L, 8, NULL);
  eh_json_push_array_meta(L);
  d.L = L;
  d.array_meta = base + 1;
  d.keys = keys;
  d.key_table = key_table;
  d.last_wins = opts->last_wins;
  d.depth = d.known = 0;
  d.frames[0].count = 0;
  rc = eh_json_read(text, len, opts, &sink, &d, err);
  if (rc == 0)
    lua_replace(L, base + 1);
  else
    lua_settop(L, base);
  return rc;
}
