/* calls_test.c: fields that a pattern or a Lua function decides. */
#include "bind/bind.h"
#include "bind/calls_rules.h"

#include "text/regex.h"
#include "json/number.h"

#include <string.h>

struct running {
  lua_State *L;
  struct eh_calls_rules *rules;
  int index; /* of the rules on the stack */
};

struct question {
  const struct running *run;
  size_t test;
  const struct eh_json *expected;
  const struct eh_json *actual;
};

/* Calls the function in protected mode, where pushing may raise. */
static int l_ask(lua_State *L) {
  const struct question *q = lua_touserdata(L, 1);
  lua_rawgeti(L, 2, (lua_Integer)q->test + 1);
  eh_json_push(L, q->actual);
  eh_json_push(L, q->expected);
  lua_call(L, 2, 1);
  return 1;
}

/* An error stays on the stack, to be raised later. */
static int ask(struct question *q, bool *match) {
  lua_State *L = q->run->L;
  lua_pushcfunction(L, l_ask);
  lua_pushlightuserdata(L, q);
  lua_getiuservalue(L, q->run->index, 1);
  if (lua_pcall(L, 2, 1, 0) != LUA_OK)
    return EH_EINTERNAL;
  *match = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return 0;
}

/* The text that a pattern is searched in; containers and null have none. */
static const char *text_of(const struct eh_json *value, char *digits,
                           size_t *len) {
  switch (value->type) {
  case EH_JSON_STRING:
  case EH_JSON_BIG:
    *len = value->as.text.len;
    return value->as.text.ptr;
  case EH_JSON_INT:
    *len = eh_json_format_int(value->as.integer, digits);
    return digits;
  case EH_JSON_REAL:
    *len = eh_json_format_real(value->as.real, digits);
    return digits;
  case EH_JSON_BOOL:
    *len = value->as.boolean ? 4 : 5;
    return value->as.boolean ? "true" : "false";
  default:
    return NULL;
  }
}

static int test(void *arg, size_t number, const struct eh_json *expected,
                const struct eh_json *actual, bool *match) {
  struct running *run = arg;
  struct question q = {run, number, expected, actual};
  char digits[EH_JSON_NUMBER_SIZE];
  const char *text;
  size_t len;
  if (run->rules->regexes[number] == NULL)
    return ask(&q, match);
  *match = false;
  text = text_of(actual, digits, &len);
  if (text == NULL)
    return 0;
  return eh_regex_search(run->rules->regexes[number], text, len, 0, match,
                         NULL);
}

int eh_calls_rules_apply(lua_State *L, int rules, struct eh_arena *arena,
                         struct eh_calls expected, struct eh_calls actual,
                         struct eh_args_result *out) {
  struct running run = {L, lua_touserdata(L, rules), lua_absindex(L, rules)};
  struct eh_args_opts opts = run.rules->opts;
  int top = lua_gettop(L), rc;
  luaL_checkstack(L, 8, NULL);
  opts.test = test;
  opts.arg = &run;
  rc = eh_calls_args(arena, expected, actual, &opts, out);
  if (lua_gettop(L) > top)
    return lua_error(L);
  return rc;
}
