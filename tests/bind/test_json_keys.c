/* test_json_keys.c: keys that are kept, and keys that share a place. */
#include "bind/json.h"
#include "check_main.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

START_TEST(every_key_is_pushed_as_it_is) {
  lua_State *L = luaL_newstate();
  static struct eh_json_keys keys;
  char text[64], *copy;
  eh_json_keys_init(L, &keys);
  for (int round = 0; round < 2; round++) {
    for (size_t i = 0; i < 5000; i++) {
      size_t len = i % 50;
      memset(text, 'a' + (int)(i % 26), sizeof text);
      snprintf(text, sizeof text, "%zu", i);
      text[strlen(text)] = 'x';
      copy = malloc(len + 1); /* exact, for the sanitizer */
      ck_assert_ptr_nonnull(copy);
      memcpy(copy, text, len);
      for (int again = 0; again < 2; again++) {
        size_t got_len;
        const char *got;
        eh_json_key_push(L, &keys, 1, eh_json_key_hash(copy, len), copy, len);
        got = lua_tolstring(L, -1, &got_len);
        ck_assert_uint_eq(got_len, len);
        ck_assert(memcmp(got, copy, len) == 0);
        lua_pop(L, 1);
      }
      free(copy);
    }
  }
  lua_close(L);
}
END_TEST

START_TEST(keys_with_nul_differ) {
  ck_assert(eh_json_key_hash("", 0) != eh_json_key_hash("\0", 1));
  ck_assert(eh_json_key_hash("a\0", 2) != eh_json_key_hash("a", 1));
  ck_assert(eh_json_key_hash("abcdefgh1", 9) !=
            eh_json_key_hash("abcdefgh2", 9));
}
END_TEST

CHECK_MAIN(json_keys, every_key_is_pushed_as_it_is, keys_with_nul_differ)
