/* test_json_encode.c: the encoder writes what the value tree's writer does:
 * the same bytes, the same errors. */
#include "bind/bind.h"
#include "bind/json_encode.h"
#include "bind/modules.h"
#include "check_main.h"
#include "json/writer.h"

#include <lualib.h>
#include <string.h>

static lua_State *L;
static struct eh_json_encoder encoder;

/* Makes the n-th random value: make(n). At most one thing in it is a fault,
 * since the two may name different ones of several. */
static const char maker[] =
    "local json = require 'evalhost.native.json'\n"
    "local R = json.record { 'id', 'score', 'name', 'z', 'a long key name' }\n"
    "local random, value, fault = math.random\n"
    "local pieces = { 'a', 'id', 'plain text of some length', '\\n', '\"',\n"
    "  '\\\\', '\\0', '\\31', '\\127', '/', '</', '\\u{e9}', '\\u{20ac}',\n"
    "  '\\u{2028}', '\\u{2029}', '\\u{1f600}', 'score', 'name', '\\u{2027}' }\n"
    "local function text()\n"
    "  local t = {}\n"
    "  for i = 1, random(0, 6) do t[i] = pieces[random(#pieces)] end\n"
    "  t = table.concat(t)\n"
    "  if random(60) == 1 and fault ~= 'text' then\n"
    "    t = t .. '\\xff' fault = 'text'\n"
    "  end\n"
    "  return t\n"
    "end\n"
    "local function number()\n"
    "  local n = random(6)\n"
    "  if n == 1 then return random(-9, 9) end\n"
    "  if n == 2 then return random(0) end\n"
    "  if n == 3 then return random(-99, 99) / 8 end\n"
    "  if n == 4 then return random() * 10.0 ^ random(-320, 300) end\n"
    "  if n == 5 then return random(0, 99) * 1.0 end\n"
    "  return ({ -0.0, 2.0 ^ 53, 1e308, 0.1, math.mininteger })[random(5)]\n"
    "end\n"
    "local faults = { function(t) t.f = print end,\n"
    "  function(t) t.f = 0 / 0 end, function(t) t[1] = -1 / 0 end,\n"
    "  function(t) t[1.5] = 1 end, function(t) t[0] = 1 end,\n"
    "  function(t) t[#t + 2] = 1 end, function(t) t.a = 1 t[1] = 1 end,\n"
    "  function(t) t.f = t end, function(t) t[true] = 1 end,\n"
    "  function(t) t[math.mininteger] = 1 end, function(t) t[7] = 7 end,\n"
    "  function(t) t.f = io.stdout end, function(t) t.x = { { t } } end }\n"
    "local function array(depth)\n"
    "  local t, n = {}, random(0, 9)\n"
    "  if random(3) == 1 then\n"
    "    for i = n, 1, -1 do t[i] = value(depth) end\n"
    "  else\n"
    "    for i = 1, n do t[i] = value(depth) end\n"
    "  end\n"
    "  if n > 2 and random(4) == 1 then t[n] = nil end\n"
    "  return random(2) == 1 and json.array(t) or t\n"
    "end\n"
    "local function object(depth)\n"
    "  local t = {}\n"
    "  for _ = 1, random(20) == 1 and 60 or random(0, 7) do\n"
    "    t[text()] = value(depth)\n"
    "  end\n"
    "  if random(5) == 1 then t[text()] = nil end\n"
    "  return random(3) == 1 and R(t) or t\n"
    "end\n"
    "function value(depth)\n"
    "  local n = random(depth > 4 and 4 or 8)\n"
    "  if n == 1 then return text() elseif n == 2 then return number()\n"
    "  elseif n == 3 then return random(2) == 1\n"
    "  elseif n == 4 then return random(9) == 1 and\n"
    "    json.decode '123456789012345678901' or json.null end\n"
    "  local t = n < 7 and object(depth + 1) or array(depth + 1)\n"
    "  if random(150) == 1 and not fault then\n"
    "    fault = 'shape' faults[random(#faults)](t)\n"
    "  end\n"
    "  return t\n"
    "end\n"
    "function make(n)\n"
    "  math.randomseed(n) fault = n % 3 == 0 and 'none' or nil\n"
    "  if n % 3 == 1 then fault = 'text' end\n"
    "  local depth = n % 50 == 0 and 600 or 0\n"
    "  local v = value(0)\n"
    "  for i = 1, depth do v = i % 2 == 0 and { v } or { k = v } end\n"
    "  return v\n"
    "end\n";

static void start(void) {
  L = luaL_newstate();
  luaL_openlibs(L);
  luaL_requiref(L, "evalhost.native.json", luaopen_evalhost_native_json, 0);
  ck_assert_msg(luaL_dostring(L, maker) == LUA_OK, "%s", lua_tostring(L, -1));
  lua_settop(L, 0);
  eh_json_encoder_init(&encoder);
}

static void stop(void) {
  eh_json_encoder_free(&encoder);
  lua_close(L);
}

/* What the tree and its writer make of the value on top. */
static int write_tree(struct eh_buf *buf, const struct eh_json_take *how,
                      unsigned flags, struct eh_err *err) {
  struct eh_arena arena;
  struct eh_json value;
  int rc;
  eh_arena_init(&arena);
  rc = eh_json_take(L, -1, &arena, how, &value, err);
  if (rc == 0)
    rc = eh_json_write(buf, &value, flags, err);
  eh_arena_free(&arena);
  return rc;
}

/* Compares both for the value on top; returns the encoder's code. */
static int compare(const struct eh_json_take *how, unsigned flags) {
  struct eh_err want_err, err;
  struct eh_buf want;
  int top = lua_gettop(L), want_rc, rc;
  eh_buf_init(&want, EH_MAX_JSON_TEXT);
  want_rc = write_tree(&want, how, flags, &want_err);
  rc = eh_json_encode(L, -1, &encoder, how, flags, &err);
  ck_assert_int_eq(lua_gettop(L), top);
  ck_assert_msg(rc == want_rc, "%s / %s", rc != 0 ? err.msg : "",
                want_rc != 0 ? want_err.msg : "");
  if (rc != 0) {
    ck_assert_str_eq(err.msg, want_err.msg);
  } else {
    ck_assert_uint_eq(encoder.text.len, want.len);
    ck_assert_str_eq(encoder.text.data, want.data);
  }
  eh_buf_free(&want);
  return rc;
}

START_TEST(it_writes_what_the_tree_gives) {
  size_t written = 0, failed = 0;
  start();
  for (int n = 1; n <= 800; n++) {
    struct eh_json_take how = {.repair = n % 2 == 0,
                               .max_depth = n % 100 == 0 ? 1000 : 0};
    lua_getglobal(L, "make");
    lua_pushinteger(L, n);
    ck_assert_msg(lua_pcall(L, 1, 1, 0) == LUA_OK, "%s", lua_tostring(L, -1));
    for (unsigned flags = 0; flags < 8; flags++)
      (*(compare(&how, flags) == 0 ? &written : &failed))++;
    lua_settop(L, 0);
    if (n % 64 == 0)
      eh_json_encoder_trim(&encoder, 0);
  }
  ck_assert_uint_gt(written, 3000);
  ck_assert_uint_gt(failed, 200);
  stop();
}
END_TEST

/* Puts what the expression gives on top. */
static void push(const char *expression) {
  lua_settop(L, 0);
  lua_pushfstring(L, "return %s", expression);
  ck_assert_int_eq(luaL_dostring(L, lua_tostring(L, 1)), LUA_OK);
}

START_TEST(every_fault_is_the_same) {
  static const char *rows[] = {
      "print",
      "{1, 2, x = 1}",
      "{x = 1, [3] = 1}",
      "{1, nil, 3}",
      "{nil, 2}",
      "{[2^53] = 1}",
      "{[0] = 1}",
      "{[1] = 1, [-1] = 1}",
      "{{{0/0}}}",
      "{a = -1/0}",
      "{'\\xff'}",
      "{a = {['\\xff'] = 1}}",
      "{['x y'] = {{f = print}}}",
      "require 'evalhost.native.json'.array {n = 1}",
      "{require 'evalhost.native.json'.record {'a'} {1}}",
      "require 'evalhost.native.json'.record {'a'} {a = 1, [2] = 1}",
      "(function() local t = {} t[1] = t return t end)()",
      "(function() local t = {} for i = 1, 9999 do t = {t} end return t end)()",
      "(function() local t for i = 1, 512 do t = {t} end return t end)()"};
  static const struct eh_json_take how;
  size_t n = sizeof rows / sizeof rows[0];
  start();
  for (size_t i = 0; i < n; i++) {
    push(rows[i]);
    ck_assert_msg((compare(&how, 0) == 0) == (i == n - 1), "%s", rows[i]);
  }
  stop();
}
END_TEST

START_TEST(keys_are_repaired_before_they_are_sorted) {
  static const struct eh_json_take how = {.repair = true};
  struct eh_err err;
  start();
  push("{['\\xff'] = 1, ['\\u{fffe}'] = 2, ['\\u{fffc}'] = 3, z = 4}");
  ck_assert_int_eq(eh_json_encode(L, -1, &encoder, &how, 0, &err), 0);
  ck_assert_str_eq(encoder.text.data,
                   "{\"z\":4,\"\xef\xbf\xbc\":3,\"\xef\xbf\xbd\":1,"
                   "\"\xef\xbf\xbe\":2}");
  compare(&how, EH_JSON_PRETTY);
  stop();
}
END_TEST

START_TEST(the_text_is_bounded) {
  static const struct eh_json_take how;
  struct eh_err err;
  size_t len;
  start();
  push("{b = {1, 2, {c = 'text \"x\" \\n'}}, a = true, {} and nil}");
  ck_assert_int_eq(eh_json_encode(L, -1, &encoder, &how, 0, &err), 0);
  len = encoder.text.len;
  for (size_t max = 0; max <= len; max++) {
    eh_buf_free(&encoder.text);
    encoder.text.max = max;
    ck_assert_int_eq(eh_json_encode(L, -1, &encoder, &how, 0, &err),
                     max < len ? EH_ELIMIT : 0);
  }
  stop();
}
END_TEST

CHECK_MAIN(json_encode, it_writes_what_the_tree_gives, every_fault_is_the_same,
           keys_are_repaired_before_they_are_sorted, the_text_is_bounded)
