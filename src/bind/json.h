/* json.h: how JSON looks in Lua. Shared by json.c (the module),
 * json_decode.c, json_encode.c, json_take.c and json_types.c.
 *
 *   null    the light userdata NULL, which is cjson.null too
 *   array   a table with the array metatable, or a sequence 1..n, n > 0
 *   object  any other table whose keys are strings, also the empty one
 *   record  an object whose metatable says which keys it always has, and in
 *           which order they are written
 *   big     an integer outside int64: a userdata with its digits */
#ifndef EH_BIND_JSON_H
#define EH_BIND_JSON_H

#include "base/arena.h"
#include "base/err.h"
#include "json/reader.h"

#include <lua.h>

/* Push one value each. */
void eh_json_push_null(lua_State *L);
void eh_json_push_big(lua_State *L, const char *digits, size_t len);

/* Pushes the metatable that all arrays share. */
void eh_json_push_array_meta(lua_State *L);

/* Pushes a new metatable of records; pops the list of keys. */
void eh_json_push_record_meta(lua_State *L);

/* How the table at idx is marked. For a record its keys are pushed: [i] is
 * the i-th name, [name] is i. Never raises. */
enum eh_json_mark {
  EH_JSON_MARK_NONE,
  EH_JSON_MARK_ARRAY,
  EH_JSON_MARK_RECORD
};
enum eh_json_mark eh_json_push_mark(lua_State *L, int idx);
bool eh_json_marked_array(lua_State *L, int idx);

/* The digits of the big integer at idx, or NULL. Never raises. */
const char *eh_json_big_at(lua_State *L, int idx, size_t *len);

/* The object keys seen last: their bytes here, the strings in a Lua table. */
#define EH_JSON_KEYS 256
struct eh_json_keys {
  struct eh_json_key {
    unsigned char len;
    char text[31];
  } slots[EH_JSON_KEYS];
};

/* Pushes the table. */
void eh_json_keys_init(lua_State *L, struct eh_json_keys *keys);

/* Pushes the string; table is the index of the table. */
uint64_t eh_json_key_hash(const char *text, size_t len);
void eh_json_key_push(lua_State *L, struct eh_json_keys *keys, int table,
                      uint64_t hash, const char *text, size_t len);

/* Pushes what text says and returns 0, or pushes nothing. opts->scratch must
 * be memory that a raise cannot leak; key_table is a stack index. */
int eh_json_decode(lua_State *L, const char *text, size_t len,
                   const struct eh_json_opts *opts, struct eh_json_keys *keys,
                   int key_table, struct eh_err *err);

/* Is the text one value, as eh_json_decode without options sees it? 0, or
 * what is wrong with it. */
int eh_json_valid(const char *text, size_t len, struct eh_buf *scratch,
                  struct eh_err *err);

struct eh_json_take {
  size_t max_depth; /* 0: EH_JSON_DEPTH */
  bool repair;      /* invalid UTF-8 becomes U+FFFD; else it is an error */
};

/* eh_json_from_lua with options. The error's message names the path. */
int eh_json_take(lua_State *L, int idx, struct eh_arena *arena,
                 const struct eh_json_take *how, struct eh_json *out,
                 struct eh_err *err);

#endif
