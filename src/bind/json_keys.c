/* json_keys.c: object keys come again and again, so the last few hundred are
 * kept: pushing one of them costs a comparison instead of Lua's hash of every
 * byte. */
#include "bind/json.h"

#include <lua.h>
#include <string.h>

static uint64_t load(const char *p, size_t len) {
  uint64_t word = 0;
  if (len >= 8) {
    memcpy(&word, p, 8);
  } else if (len >= 4) {
    uint32_t first, last;
    memcpy(&first, p, 4);
    memcpy(&last, p + len - 4, 4);
    word = (uint64_t)last << 32 | first;
  } else {
    for (size_t i = 0; i < len; i++)
      word = word << 8 | (unsigned char)p[i];
  }
  return word;
}

uint64_t eh_json_key_hash(const char *text, size_t len) {
  uint64_t hash = load(text, len) * UINT64_C(0x9e3779b97f4a7c15);
  if (len > 8)
    hash ^= load(text + len - 8, 8) * UINT64_C(0xc2b2ae3d27d4eb4f);
  hash = (hash ^ (hash >> 29) ^ len) * UINT64_C(0xff51afd7ed558ccd);
  return hash ^ (hash >> 32);
}

void eh_json_keys_init(lua_State *L, struct eh_json_keys *keys) {
  memset(keys, 0, sizeof *keys);
  lua_createtable(L, EH_JSON_KEYS, 0);
  for (int i = 1; i <= EH_JSON_KEYS; i++) {
    lua_pushliteral(L, "");
    lua_rawseti(L, -2, i);
  }
}

void eh_json_key_push(lua_State *L, struct eh_json_keys *keys, int table,
                      uint64_t hash, const char *text, size_t len) {
  size_t i = hash % EH_JSON_KEYS;
  struct eh_json_key *slot = &keys->slots[i];
  if (slot->len == len && memcmp(slot->text, text, len) == 0) {
    lua_rawgeti(L, table, (lua_Integer)i + 1);
    return;
  }
  lua_pushlstring(L, text, len);
  if (len > sizeof slot->text)
    return;
  memcpy(slot->text, lua_tostring(L, -1), len);
  slot->len = (unsigned char)len;
  lua_pushvalue(L, -1);
  lua_rawseti(L, table, (lua_Integer)i + 1);
}
