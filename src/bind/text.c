/* text.c: evalhost.native.text, the text of the world made comparable and
 * safe to show. */
#include "bind/bind.h"
#include "bind/modules.h"

#include "base/buf.h"
#include "bind/text_regex.h"
#include "text/clean.h"
#include "text/fold.h"
#include "text/nearest.h"
#include "text/sentences.h"
#include "text/utf8.h"
#include "text/words.h"

#define BUFFER_TYPE "evalhost.text.buffer"
#define MAX_TEXT    ((size_t)1 << 30)
#define KEEP        ((size_t)1 << 20)

static int buffer_gc(lua_State *L) {
  eh_buf_free(luaL_checkudata(L, 1, BUFFER_TYPE));
  return 0;
}

/* The module's own buffer (upvalue 1), empty: nothing here calls back into
 * Lua while it is in use. */
static struct eh_buf *scratch(lua_State *L) {
  struct eh_buf *buf = lua_touserdata(L, lua_upvalueindex(1));
  eh_buf_clear(buf);
  return buf;
}

/* Pushes what a function has written, or raises where the text was too
 * large. */
static int push_text(lua_State *L, struct eh_buf *buf, int rc) {
  if (rc != 0)
    return luaL_error(L, "the text is too large");
  lua_pushlstring(L, buf->data, buf->len);
  if (buf->cap > KEEP)
    eh_buf_free(buf);
  return 1;
}

static int fold(lua_State *L, unsigned flags) {
  size_t len;
  const char *text = luaL_checklstring(L, 1, &len);
  struct eh_buf *buf = scratch(L);
  return push_text(L, buf,
                   eh_fold_text(buf, text, len, flags | EH_FOLD_LAX, NULL));
}

static int l_fold(lua_State *L) {
  return fold(L, EH_FOLD_CASE);
}

static int l_normalize(lua_State *L) {
  return fold(L, EH_FOLD_ALL);
}

static bool is_graph(char c) {
  return c > ' ' && c < 0x7f;
}

/* Most texts have nothing to trim: they are given back as they are. */
static int l_trim(lua_State *L) {
  size_t len;
  const char *text = luaL_checklstring(L, 1, &len);
  if (len > 0 && is_graph(text[0]) && is_graph(text[len - 1])) {
    lua_settop(L, 1);
    return 1;
  }
  return fold(L, EH_FOLD_TRIM);
}

static int l_valid(lua_State *L) {
  size_t len, bad;
  const char *text = luaL_checklstring(L, 1, &len);
  bad = eh_utf8_check(text, len);
  lua_pushboolean(L, bad == len);
  if (bad == len)
    return 1;
  lua_pushinteger(L, (lua_Integer)bad + 1);
  return 2;
}

static int l_repair(lua_State *L) {
  size_t len;
  const char *text = luaL_checklstring(L, 1, &len);
  struct eh_buf *buf = scratch(L);
  return push_text(L, buf, eh_utf8_repair(buf, text, len));
}

static int l_clean(lua_State *L) {
  size_t len;
  const char *text = luaL_checklstring(L, 1, &len);
  unsigned flags = lua_toboolean(L, 2) ? EH_CLEAN_NEWLINES : 0;
  struct eh_buf *buf = scratch(L);
  return push_text(L, buf, eh_utf8_clean(buf, text, len, flags));
}

static int l_width(lua_State *L) {
  size_t len;
  const char *text = luaL_checklstring(L, 1, &len);
  lua_pushinteger(L, (lua_Integer)eh_utf8_width(text, len));
  return 1;
}

static int l_length(lua_State *L) {
  size_t len;
  const char *text = luaL_checklstring(L, 1, &len);
  lua_pushinteger(L, (lua_Integer)eh_utf8_count(text, len));
  return 1;
}

static int l_cut(lua_State *L) {
  size_t len, dots_len, columns, dots_width;
  const char *text = luaL_checklstring(L, 1, &len);
  lua_Integer max = luaL_checkinteger(L, 2);
  const char *dots = luaL_optlstring(L, 3, "", &dots_len);
  struct eh_buf *buf = scratch(L);
  int rc;
  luaL_argcheck(L, max >= 0, 2, "must not be negative");
  columns = (size_t)max;
  if (eh_utf8_fit(text, len, columns) == len) {
    lua_settop(L, 1);
    return 1;
  }
  dots_width = eh_utf8_width(dots, dots_len);
  if (dots_width > columns) /* no room for it */
    dots_len = dots_width = 0;
  rc = eh_buf_add(buf, text, eh_utf8_fit(text, len, columns - dots_width));
  if (rc == 0)
    rc = eh_buf_add(buf, dots, dots_len);
  return push_text(L, buf, rc);
}

static int l_words(lua_State *L) {
  size_t len, pos = 0;
  const char *text = luaL_checklstring(L, 1, &len);
  struct eh_span word;
  lua_newtable(L);
  for (lua_Integer i = 1; eh_words_next(text, len, &pos, &word); i++) {
    lua_pushlstring(L, text + word.first, word.end - word.first);
    lua_rawseti(L, -2, i);
  }
  return 1;
}

static int l_sentences(lua_State *L) {
  size_t len, pos = 0;
  const char *text = luaL_checklstring(L, 1, &len);
  struct eh_span span;
  lua_newtable(L);
  for (lua_Integer i = 1; eh_sentences_next(text, len, &pos, &span); i++) {
    lua_createtable(L, 0, 3);
    lua_pushlstring(L, text + span.first, span.end - span.first);
    lua_setfield(L, -2, "text");
    lua_pushinteger(L, (lua_Integer)span.first + 1);
    lua_setfield(L, -2, "first");
    lua_pushinteger(L, (lua_Integer)span.end);
    lua_setfield(L, -2, "last");
    lua_rawseti(L, -2, i);
  }
  return 1;
}

static int l_nearest(lua_State *L) {
  size_t len, least = EH_NEAREST_NONE;
  const char *name = luaL_checklstring(L, 1, &len);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  lua_pushnil(L); /* the nearest so far, at 3 */
  for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
    size_t size, distance;
    const char *candidate;
    if (lua_type(L, -1) != LUA_TSTRING)
      return luaL_argerror(L, 2, "a list of strings is expected");
    candidate = lua_tolstring(L, -1, &size);
    distance = eh_nearest_distance(name, len, candidate, size);
    if (distance < least) {
      least = distance;
      lua_copy(L, -1, 3);
    }
    lua_pop(L, 1);
  }
  lua_settop(L, 3);
  return 1;
}

static const luaL_Reg functions[] = {{"clean", l_clean},
                                     {"cut", l_cut},
                                     {"fold", l_fold},
                                     {"length", l_length},
                                     {"nearest", l_nearest},
                                     {"normalize", l_normalize},
                                     {"regex", eh_text_regex_new},
                                     {"repair", l_repair},
                                     {"sentences", l_sentences},
                                     {"trim", l_trim},
                                     {"valid", l_valid},
                                     {"width", l_width},
                                     {"words", l_words},
                                     {NULL, NULL}};

int luaopen_evalhost_native_text(lua_State *L) {
  struct eh_buf *buf;
  eh_text_regex_open(L);
  luaL_newlibtable(L, functions);
  buf = lua_newuserdatauv(L, sizeof *buf, 0);
  eh_buf_init(buf, MAX_TEXT);
  if (luaL_newmetatable(L, BUFFER_TYPE)) {
    lua_pushcfunction(L, buffer_gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  luaL_setfuncs(L, functions, 1);
  return 1;
}
