/* json_encode.c: writes Lua values as JSON text in one pass over each table.
 *
 * The members of an object are written in the order in which Lua gives them,
 * each behind a comma; then their texts are put in order, and the first comma
 * becomes the bracket. */
#include "bind/json_encode.h"

#include "bind/json_walk.h"
#include "text/utf8.h"
#include "json/number.h"
#include "json/writer.h"

#include <assert.h>
#include <lauxlib.h>
#include <stdio.h>

struct walk {
  lua_State *L;
  struct eh_json_encoder *own;
  struct eh_buf *buf; /* own->text */
  unsigned flags;
  bool repair, repaired; /* repaired: the last string was */
  size_t depth, max_depth;
  struct eh_err *err;
};

void eh_json_encoder_init(struct eh_json_encoder *encoder) {
  eh_buf_init(&encoder->text, EH_MAX_JSON_TEXT);
  eh_json_order_init(&encoder->order);
  eh_arena_init(&encoder->keys);
}

void eh_json_encoder_free(struct eh_json_encoder *encoder) {
  eh_buf_free(&encoder->text);
  eh_json_order_free(&encoder->order);
  eh_arena_free(&encoder->keys);
}

void eh_json_encoder_trim(struct eh_json_encoder *encoder, size_t keep) {
  size_t slots = encoder->order.cap * sizeof encoder->order.slots[0];
  if (encoder->text.cap + encoder->order.moved.cap + slots > keep)
    eh_json_encoder_free(encoder);
}

static int full(struct walk *w) {
  return eh_err_set(w->err, EH_ELIMIT, "the JSON text is too long");
}

static inline int add(struct walk *w, const char *text, size_t len) {
  return eh_buf_add(w->buf, text, len) == 0 ? 0 : full(w);
}

static int newline(struct walk *w) {
  int rc = add(w, "\n", 1);
  for (size_t i = 0; i < w->depth && rc == 0; i++)
    rc = add(w, "  ", 2);
  return rc;
}

/* What comes before each item and member. */
static int separate(struct walk *w) {
  int rc = add(w, ",", 1);
  return rc == 0 && (w->flags & EH_JSON_PRETTY) != 0 ? newline(w) : rc;
}

/* Ends the container whose items begin at start; its depth is left. */
static int finish(struct walk *w, size_t start, const char *brackets) {
  int rc;
  w->depth--;
  if (w->buf->len == start)
    return add(w, brackets, 2);
  w->buf->data[start] = brackets[0];
  rc = (w->flags & EH_JSON_PRETTY) != 0 ? newline(w) : 0;
  return rc == 0 ? add(w, &brackets[1], 1) : rc;
}

/* A string of a value that stands at `at`; fault is what to say if it is not
 * UTF-8. */
static int write_text(struct walk *w, const struct eh_json_frame *at,
                      const char *text, size_t len, const char *fault) {
  size_t before = w->buf->len;
  struct eh_buf repaired;
  int rc = eh_json_write_string(w->buf, text, len, w->flags, w->err);
  w->repaired = rc == EH_EUTF8;
  if (rc != EH_EUTF8)
    return rc;
  if (!w->repair)
    return eh_json_fail_in(at, rc, fault, w->err);
  w->buf->len = before;
  eh_buf_init(&repaired, EH_MAX_JSON_TEXT);
  if (eh_utf8_repair(&repaired, text, len) != 0)
    rc = eh_json_fail_in(at, EH_ELIMIT, "the string is too long", w->err);
  else
    rc = eh_json_write_string(w->buf, repaired.data, repaired.len, w->flags,
                              w->err);
  eh_buf_free(&repaired);
  return rc;
}

static int write_number(struct walk *w, const struct eh_json_frame *at) {
  char text[EH_JSON_NUMBER_SIZE];
  const char *fault;
  double value;
  if (lua_isinteger(w->L, -1))
    return add(w, text, eh_json_format_int(lua_tointeger(w->L, -1), text));
  value = lua_tonumber(w->L, -1);
  fault = eh_json_number_fault(value);
  if (fault != NULL)
    return eh_json_fail_in(at, EH_ERANGE, fault, w->err);
  return add(w, text, eh_json_format_real(value, text));
}

static int write_value(struct walk *w, const struct eh_json_frame *at);

/* The items from at->index + 1 to n of the table on top. */
static int write_items(struct walk *w, struct eh_json_frame *at, size_t n) {
  int rc = 0;
  while (rc == 0 && (size_t)at->index < n) {
    lua_rawgeti(w->L, -1, ++at->index);
    rc = separate(w);
    if (rc == 0)
      rc = write_value(w, at);
    lua_pop(w->L, 1);
  }
  return rc;
}

/* An array, as long as its keys come as 1, 2, 3...: all others are counted
 * before it goes on. */
static int write_array(struct walk *w, const struct eh_json_frame *up) {
  lua_State *L = w->L;
  struct eh_json_frame at = {.up = up, .table = lua_topointer(L, -1)};
  size_t n, start = w->buf->len;
  bool array;
  int rc = 0;
  for (lua_pushnil(L); rc == 0 && lua_next(L, -2); lua_pop(L, 1)) {
    if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) != at.index + 1) {
      lua_pop(L, 2);
      rc = eh_json_shape(L, up, &array, &n, w->err);
      if (rc == 0)
        rc = write_items(w, &at, n);
      break;
    }
    at.index++;
    rc = separate(w);
    if (rc == 0)
      rc = write_value(w, &at);
  }
  return rc == 0 ? finish(w, start, "[]") : rc;
}

/* The last key was not UTF-8: gives at its repaired bytes. */
static void keep_repaired(struct walk *w, struct eh_json_frame *at) {
  struct eh_buf repaired;
  eh_buf_init(&repaired, EH_MAX_JSON_TEXT);
  eh_utf8_repair(&repaired, at->key, at->key_len);
  at->key = eh_arena_strndup(&w->own->keys, repaired.data, repaired.len);
  at->key_len = repaired.len;
  eh_buf_free(&repaired);
}

/* Writes what comes before a member's value; its key is at idx. */
static int write_key(struct walk *w, struct eh_json_frame *at, int idx) {
  static const char fault[] = "a key is not valid UTF-8";
  int rc = separate(w);
  at->key = lua_tolstring(w->L, idx, &at->key_len);
  if (rc == 0)
    rc = write_text(w, at->up, at->key, at->key_len, fault);
  if (rc != 0)
    return rc;
  if (w->repaired)
    keep_repaired(w, at);
  return (w->flags & EH_JSON_PRETTY) != 0 ? add(w, ": ", 2) : add(w, ":", 1);
}

/* The member whose key is at -2 and value on top, into slot i. */
static int write_member(struct walk *w, struct eh_json_frame *at, size_t i) {
  size_t start = w->buf->len;
  int rc = write_key(w, at, -2);
  if (rc == 0)
    rc = write_value(w, at);
  if (rc == 0)
    eh_json_order_set(&w->own->order, i, at->key, at->key_len, start,
                      w->buf->len);
  return rc;
}

/* The table at index `table` has a key that is no string: says what is wrong
 * with it. */
static int not_object(struct walk *w, const struct eh_json_frame *up,
                      int table) {
  bool array;
  size_t n;
  int rc;
  lua_settop(w->L, table);
  rc = eh_json_shape(w->L, up, &array, &n, w->err);
  assert(rc != 0); /* arrays have an item 1, which write_table has seen */
  return rc;
}

/* Writes the keys of the record (a stack index) that the table does not have;
 * its slots are from first on. */
static int write_absent(struct walk *w, struct eh_json_frame *at, int record,
                        size_t first, size_t n) {
  struct eh_json_order *order = &w->own->order;
  int rc = 0;
  for (size_t i = 0; i < n && rc == 0; i++) {
    size_t start = w->buf->len;
    if (order->slots[first + i].len > 0)
      continue;
    lua_rawgeti(w->L, record, (lua_Integer)i + 1);
    rc = write_key(w, at, -1);
    if (rc == 0)
      rc = add(w, "null", 4);
    eh_json_order_set(order, first + i, at->key, at->key_len, start,
                      w->buf->len);
    lua_pop(w->L, 1);
  }
  return rc;
}

/* The slot of the member whose key is at -2: the record's, or a new one. */
static size_t find_slot(struct walk *w, int record, size_t first) {
  lua_Integer place = 0;
  if (record != 0) {
    lua_pushvalue(w->L, -2);
    lua_rawget(w->L, record);
    place = lua_tointeger(w->L, -1);
    lua_pop(w->L, 1);
  }
  if (place > 0)
    return first + (size_t)place - 1;
  eh_json_order_add(&w->own->order, 1);
  return w->own->order.count - 1;
}

/* The object at index table; record is the index of its key list, or 0. */
static int write_object(struct walk *w, const struct eh_json_frame *up,
                        int table, int record) {
  lua_State *L = w->L;
  struct eh_json_frame at = {.up = up, .table = lua_topointer(L, table)};
  struct eh_json_order *order = &w->own->order;
  size_t first = order->count, start = w->buf->len, n = 0;
  int rc = 0;
  if (record != 0)
    n = lua_rawlen(L, record);
  eh_json_order_add(order, n);
  for (lua_pushnil(L); rc == 0 && lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      return not_object(w, up, table);
    rc = write_member(w, &at, find_slot(w, record, first));
  }
  if (rc == 0)
    rc = write_absent(w, &at, record, first, n);
  if ((w->flags & EH_JSON_CANONICAL) != 0)
    n = 0; /* all are sorted */
  if (rc == 0 && eh_json_order_apply(order, first, n, w->buf, start) != 0)
    rc = full(w);
  return rc == 0 ? finish(w, start, "{}") : rc;
}

static int write_table(struct walk *w, const struct eh_json_frame *at) {
  lua_State *L = w->L;
  int rc, table = lua_gettop(L);
  enum eh_json_mark mark;
  rc = eh_json_enter(L, at, w->depth, w->max_depth, w->err);
  if (rc != 0)
    return rc;
  w->depth++;
  mark = eh_json_push_mark(L, table);
  if (mark == EH_JSON_MARK_ARRAY ||
      (mark == EH_JSON_MARK_NONE && lua_rawlen(L, table) > 0))
    rc = write_array(w, at);
  else
    rc =
        write_object(w, at, table, mark == EH_JSON_MARK_RECORD ? table + 1 : 0);
  lua_settop(L, table);
  return rc;
}

static int refuse(struct walk *w, const struct eh_json_frame *at) {
  char what[64];
  snprintf(what, sizeof what, "a %s cannot be written as JSON",
           luaL_typename(w->L, -1));
  return eh_json_fail_in(at, EH_ETYPE, what, w->err);
}

/* The value on top. */
static int write_value(struct walk *w, const struct eh_json_frame *at) {
  const char *text;
  size_t len;
  switch (lua_type(w->L, -1)) {
  case LUA_TBOOLEAN:
    return lua_toboolean(w->L, -1) ? add(w, "true", 4) : add(w, "false", 5);
  case LUA_TNUMBER:
    return write_number(w, at);
  case LUA_TSTRING:
    text = lua_tolstring(w->L, -1, &len);
    return write_text(w, at, text, len, "the string is not valid UTF-8");
  case LUA_TTABLE:
    return write_table(w, at);
  case LUA_TUSERDATA:
    text = eh_json_big_at(w->L, -1, &len);
    return text != NULL ? add(w, text, len) : refuse(w, at);
  case LUA_TLIGHTUSERDATA:
    if (lua_touserdata(w->L, -1) == NULL)
      return add(w, "null", 4);
  }
  return refuse(w, at);
}

int eh_json_encode(lua_State *L, int idx, struct eh_json_encoder *encoder,
                   const struct eh_json_take *how, unsigned flags,
                   struct eh_err *err) {
  static const struct eh_json_frame root;
  struct walk w = {.L = L, .own = encoder, .buf = &encoder->text, .err = err};
  int rc, top = lua_gettop(L);
  w.flags = flags;
  if ((flags & EH_JSON_CANONICAL) != 0)
    w.flags &= ~(unsigned)EH_JSON_PRETTY;
  w.repair = how->repair;
  w.max_depth = eh_json_depth_limit(how->max_depth);
  eh_buf_clear(&encoder->text);
  encoder->order.count = 0;
  if (!lua_checkstack(L, 12))
    return eh_err_set(err, EH_EDEPTH, NULL);
  lua_pushvalue(L, idx);
  rc = write_value(&w, &root);
  lua_settop(L, top);
  eh_arena_free(&encoder->keys);
  return rc;
}
