/* json.c: evalhost.native.json, the engine's one JSON codec for scripts. */
#include "bind/bind.h"
#include "bind/json_encode.h"
#include "bind/json_options.h"
#include "bind/modules.h"
#include "json/lines.h"

#define KEEP_MAX ((size_t)256 << 10) /* bytes kept between two calls */

/* Memory that the functions of one state use again and again: upvalue 1, a
 * userdata whose user value is the table of keys. */
struct codec {
  bool busy; /* in a decode; a finalizer may call another one */
  struct eh_buf scratch;
  struct eh_json_keys keys;
  struct eh_json_encoder encoder;
};

static int l_codec_gc(lua_State *L) {
  struct codec *codec = lua_touserdata(L, 1);
  eh_buf_free(&codec->scratch);
  eh_json_encoder_free(&codec->encoder);
  return 0;
}

static struct codec *push_codec(lua_State *L) {
  struct codec *codec = lua_newuserdatauv(L, sizeof *codec, 1);
  codec->busy = false;
  eh_buf_init(&codec->scratch, EH_MAX_JSON_TEXT);
  eh_json_encoder_init(&codec->encoder);
  eh_json_keys_init(L, &codec->keys);
  lua_setiuservalue(L, -2, 1);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, l_codec_gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  return codec;
}

/* Pushes the codec: the state's own, or a new one while that is busy (or
 * for ever, should a decode have run out of memory). */
static struct codec *free_codec(lua_State *L) {
  struct codec *codec = lua_touserdata(L, lua_upvalueindex(1));
  if (codec->busy)
    return push_codec(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  return codec;
}

static void trim(struct codec *codec) {
  if (codec->scratch.cap > KEEP_MAX)
    eh_buf_free(&codec->scratch);
}

/* Pushes nil and the error of a text, with a hint. */
static int push_fault(lua_State *L, const char *text, size_t len,
                      const struct eh_err *err) {
  const char *hint = eh_json_hint(text, len, err);
  eh_push_fail(L, err);
  if (hint != NULL) {
    lua_pushstring(L, hint);
    lua_setfield(L, -2, "hint");
  }
  return 2;
}

/* decode with its codec on top: pushes the value, or nil and an error. */
static int decode(lua_State *L, struct codec *codec,
                  struct eh_json_opts *opts) {
  struct eh_err err;
  size_t len;
  const char *text = lua_tolstring(L, 1, &len);
  int rc;
  opts->scratch = &codec->scratch;
  lua_getiuservalue(L, -1, 1);
  codec->busy = true;
  rc = eh_json_decode(L, text, len, opts, &codec->keys, lua_gettop(L), &err);
  codec->busy = false;
  trim(codec);
  return rc == 0 ? 1 : push_fault(L, text, len, &err);
}

static int l_decode(lua_State *L) {
  struct eh_json_opts opts;
  luaL_checktype(L, 1, LUA_TSTRING);
  eh_json_decode_options(L, 2, &opts);
  return decode(L, free_codec(L), &opts);
}

static int l_valid(lua_State *L) {
  struct codec *codec;
  const char *text;
  size_t len;
  struct eh_err err;
  int rc;
  luaL_checktype(L, 1, LUA_TSTRING);
  codec = free_codec(L);
  text = lua_tolstring(L, 1, &len);
  rc = eh_json_valid(text, len, &codec->scratch, &err);
  trim(codec);
  if (rc != 0)
    return push_fault(L, text, len, &err);
  lua_pushboolean(L, true);
  return 1;
}

static int l_encode(lua_State *L) {
  struct eh_json_encoder *encoder;
  struct eh_json_take how;
  struct eh_err err;
  unsigned flags;
  int rc;
  luaL_checkany(L, 1);
  eh_json_encode_options(L, 2, &how, &flags);
  encoder = &free_codec(L)->encoder;
  rc = eh_json_encode(L, 1, encoder, &how, flags, &err);
  if (rc == 0)
    lua_pushlstring(L, encoder->text.data, encoder->text.len);
  eh_json_encoder_trim(encoder, KEEP_MAX);
  return rc == 0 ? 1 : eh_push_fail(L, &err);
}

static int l_array(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_settop(L, 0);
    lua_newtable(L);
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  eh_json_push_array_meta(L);
  lua_setmetatable(L, 1);
  return 1;
}

static int l_is_array(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, lua_istable(L, 1) && eh_json_marked_array(L, 1));
  return 1;
}

/* What json.record returns; its upvalue is the metatable. */
static int l_record_mark(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_setmetatable(L, 1);
  return 1;
}

static int l_record(lua_State *L) {
  lua_Integer n;
  luaL_checktype(L, 1, LUA_TTABLE);
  n = (lua_Integer)lua_rawlen(L, 1);
  lua_createtable(L, (int)n, (int)n); /* keys[i] = name, keys[name] = i */
  for (lua_Integer i = 1; i <= n; i++) {
    if (lua_rawgeti(L, 1, i) != LUA_TSTRING)
      return luaL_argerror(L, 1, "a list of names expected");
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) != LUA_TNIL)
      return luaL_argerror(L, 1, "a name occurs twice");
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, i);
    lua_pushinteger(L, i);
    lua_rawset(L, -3);
  }
  eh_json_push_record_meta(L);
  lua_pushcclosure(L, l_record_mark, 1);
  return 1;
}

#define LINES "evalhost.json.lines"

struct lines {
  struct eh_lines *open; /* NULL when closed */
};

static struct lines *check_lines(lua_State *L) {
  return luaL_checkudata(L, 1, LINES);
}

static int l_lines_close(lua_State *L) {
  struct lines *lines = check_lines(L);
  struct eh_lines *open = lines->open;
  lines->open = NULL;
  eh_lines_close(open);
  return 0;
}

static int l_lines_next(lua_State *L) {
  struct lines *lines = check_lines(L);
  struct eh_line line;
  struct eh_err err;
  luaL_argcheck(L, lines->open != NULL, 1, "the file is closed");
  if (eh_lines_next(lines->open, &line, &err) != 0)
    return eh_push_fail(L, &err);
  if (line.text == NULL) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushlstring(L, line.text, line.len);
  lua_pushinteger(L, (lua_Integer)line.number);
  lua_pushinteger(L, (lua_Integer)line.offset);
  return 3;
}

static int l_lines(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  struct lines *lines = lua_newuserdatauv(L, sizeof *lines, 0);
  struct eh_err err;
  lines->open = NULL;
  luaL_setmetatable(L, LINES);
  if (eh_lines_open(&lines->open, path, 0, &err) != 0)
    return eh_push_fail(L, &err);
  return 1;
}

static void make_lines_type(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"next", l_lines_next}, {"close", l_lines_close}, {NULL, NULL}};
  static const luaL_Reg meta[] = {
      {"__gc", l_lines_close}, {"__close", l_lines_close}, {NULL, NULL}};
  luaL_newmetatable(L, LINES);
  luaL_setfuncs(L, meta, 0);
  luaL_newlib(L, methods);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}

int luaopen_evalhost_native_json(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"decode", l_decode},     {"valid", l_valid},
      {"encode", l_encode},     {"array", l_array},
      {"is_array", l_is_array}, {"record", l_record},
      {"lines", l_lines},       {NULL, NULL}};
  make_lines_type(L);
  luaL_newlibtable(L, functions);
  push_codec(L);
  luaL_setfuncs(L, functions, 1);
  eh_json_push_null(L);
  lua_setfield(L, -2, "null");
  return 1;
}
