/* json_walk.c: the path of a value, and what a table is. Nothing here raises,
 * and no Lua code runs: tables are read raw. */
#include "bind/json_walk.h"

#include "base/buf.h"
#include "text/utf8.h"

#include <math.h>

static bool is_name(const char *text, size_t len) {
  for (size_t i = 0; i < len; i++) {
    char c = text[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
          (i > 0 && c >= '0' && c <= '9')))
      return false;
  }
  return len > 0;
}

static void add_path(struct eh_buf *buf, const struct eh_json_frame *at) {
  if (at->table == NULL)
    return;
  add_path(buf, at->up);
  if (at->key == NULL)
    eh_buf_addf(buf, "[%lld]", (long long)at->index);
  else if (is_name(at->key, at->key_len))
    eh_buf_addf(buf, "%s%.*s", buf->len > 0 ? "." : "", (int)at->key_len,
                at->key);
  else
    eh_buf_addf(buf, "[\"%.*s\"]", (int)eh_utf8_cut(at->key, at->key_len, 40),
                at->key);
}

int eh_json_fail_in(const struct eh_json_frame *at, int code, const char *what,
                    struct eh_err *err) {
  struct eh_buf path;
  eh_buf_init(&path, 200);
  add_path(&path, at);
  if (path.len > 0)
    eh_err_set(err, code, "%s: %s", path.data, what);
  else
    eh_err_set(err, code, "%s", what);
  eh_buf_free(&path);
  return code;
}

int eh_json_enter(lua_State *L, const struct eh_json_frame *at, size_t depth,
                  size_t max_depth, struct eh_err *err) {
  const void *table = lua_topointer(L, -1);
  for (const struct eh_json_frame *f = at; f->table != NULL; f = f->up)
    if (f->table == table)
      return eh_json_fail_in(at, EH_ETYPE, "a table that contains itself", err);
  if (depth >= max_depth || !lua_checkstack(L, 12))
    return eh_json_fail_in(at, EH_EDEPTH, "nested too deeply", err);
  return 0;
}

/* The keys of the table on top. */
struct census {
  size_t names, indexes;
  lua_Integer highest; /* index */
};

/* Counts them; returns what is wrong, or NULL. */
static const char *count_keys(lua_State *L, struct census *keys) {
  *keys = (struct census){0};
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    if (lua_type(L, -2) == LUA_TSTRING) {
      keys->names++;
    } else if (lua_isinteger(L, -2)) {
      lua_Integer index = lua_tointeger(L, -2);
      keys->indexes++;
      if (index > keys->highest)
        keys->highest = index;
      if (index < 1)
        return "a table with an index below 1";
    } else {
      return "a table with a key that is neither a string nor an index";
    }
  }
  if (keys->names > 0 && keys->indexes > 0)
    return "a table with both names and indexes as keys";
  if ((size_t)keys->highest != keys->indexes)
    return "an array with holes; put json.null where nothing is";
  return NULL;
}

int eh_json_shape(lua_State *L, const struct eh_json_frame *at, bool *array,
                  size_t *count, struct eh_err *err) {
  int top = lua_gettop(L);
  struct census keys;
  const char *fault = count_keys(L, &keys);
  enum eh_json_mark mark;
  lua_settop(L, top);
  mark = eh_json_push_mark(L, -1);
  lua_settop(L, top);
  if (fault == NULL && mark == EH_JSON_MARK_ARRAY && keys.names > 0)
    fault = "an array with a name as key";
  if (fault == NULL && mark == EH_JSON_MARK_RECORD && keys.indexes > 0)
    fault = "a record with an index as key";
  if (fault != NULL)
    return eh_json_fail_in(at, EH_ETYPE, fault, err);
  *array = mark == EH_JSON_MARK_ARRAY || keys.indexes > 0;
  *count = keys.names + keys.indexes;
  return 0;
}

const char *eh_json_number_fault(double value) {
  if (isnan(value))
    return "NaN cannot be written as JSON; use null";
  if (isinf(value))
    return "an infinite number cannot be written as JSON; use null";
  return NULL;
}

size_t eh_json_depth_limit(size_t asked) {
  if (asked == 0)
    return EH_JSON_DEPTH;
  return asked < EH_JSON_DEPTH_MAX ? asked : EH_JSON_DEPTH_MAX;
}
