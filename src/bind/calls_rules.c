/* calls_rules.c: reads the options of argument_match. */
#include "bind/calls_rules.h"
#include "bind/bind.h"

#include "base/alloc.h"
#include "text/regex.h"

#include <math.h>
#include <string.h>

#define RULES_TYPE "evalhost.calls.rules"

static int rules_close(lua_State *L) {
  struct eh_calls_rules *rules = luaL_checkudata(L, 1, RULES_TYPE);
  for (size_t i = 0; i < rules->test_count; i++)
    eh_regex_free(rules->regexes[i]);
  eh_free(rules->regexes);
  eh_free(rules->rules);
  eh_arena_free(&rules->arena);
  memset(rules, 0, sizeof *rules);
  return 0;
}

void eh_calls_rules_open(lua_State *L) {
  static const luaL_Reg meta[] = {
      {"__gc", rules_close}, {"__close", rules_close}, {NULL, NULL}};
  if (luaL_newmetatable(L, RULES_TYPE))
    luaL_setfuncs(L, meta, 0);
  lua_pop(L, 1);
}

/* Adds an empty rule for a tool and a path. */
static struct eh_field_rule *add_rule(struct eh_calls_rules *rules,
                                      const char *tool, const char *path) {
  struct eh_field_rule *rule;
  if (rules->opts.rule_count == rules->rule_room) {
    rules->rule_room = rules->rule_room > 0 ? rules->rule_room * 2 : 8;
    rules->rules =
        eh_realloc(rules->rules, rules->rule_room * sizeof *rules->rules);
    rules->opts.rules = rules->rules;
  }
  rule = &rules->rules[rules->opts.rule_count++];
  memset(rule, 0, sizeof *rule);
  rule->tool = tool;
  rule->path = path;
  return rule;
}

/* Adds a test: a regular expression, or the function at the top of the stack.
 * Index 2 of the stack is the rules. */
static size_t add_test(lua_State *L, struct eh_calls_rules *rules,
                       struct eh_regex *regex) {
  if (rules->test_count == rules->test_room) {
    rules->test_room = rules->test_room > 0 ? rules->test_room * 2 : 4;
    rules->regexes =
        eh_realloc(rules->regexes, rules->test_room * sizeof *rules->regexes);
  }
  rules->regexes[rules->test_count++] = regex;
  if (regex == NULL) {
    lua_getiuservalue(L, 2, 1);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, (lua_Integer)rules->test_count);
    lua_pop(L, 1);
  }
  return rules->test_count - 1;
}

/* --- one option: the value is at the top of the stack --- */

struct reading {
  struct eh_calls_rules *rules;
  const char *tool;
  const char *path;
  const char *name; /* of the option, for messages */
};

static bool read_boolean(lua_State *L, const struct reading *r) {
  if (lua_type(L, -1) != LUA_TBOOLEAN)
    luaL_error(L, "%s: expected a boolean, got %s", r->name,
               luaL_typename(L, -1));
  return lua_toboolean(L, -1);
}

static double read_bound(lua_State *L, const struct reading *r) {
  double x = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  if (!(x >= 0 && isfinite(x)))
    luaL_error(L, "%s: expected a number that is not negative", r->name);
  return x;
}

static int read_choice(lua_State *L, const char *name,
                       const char *const *choices) {
  const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  for (int i = 0; choices[i] != NULL; i++)
    if (strcmp(choices[i], text) == 0)
      return i;
  return luaL_error(L, "%s: not one of the choices (%s, ...)", name,
                    choices[0]);
}

static const struct eh_json *read_value(lua_State *L, const struct reading *r) {
  struct eh_json *value = eh_arena_alloc(&r->rules->arena, sizeof *value);
  struct eh_err err;
  if (eh_json_from_lua(L, -1, &r->rules->arena, value, &err) != 0)
    luaL_error(L, "%s: %s", r->name, err.msg);
  return value;
}

static void set_case(lua_State *L, const struct reading *r,
                     struct eh_field_rule *rule) {
  rule->exact_case = read_boolean(L, r);
  rule->set |= EH_RULE_CASE;
}

static void set_tolerance(lua_State *L, const struct reading *r,
                          struct eh_field_rule *rule) {
  rule->tolerance = read_bound(L, r);
  rule->set |= EH_RULE_TOLERANCE;
}

static void set_relative(lua_State *L, const struct reading *r,
                         struct eh_field_rule *rule) {
  rule->relative = read_bound(L, r);
  rule->set |= EH_RULE_RELATIVE;
}

static void set_arrays(lua_State *L, const struct reading *r,
                       struct eh_field_rule *rule) {
  static const char *const choices[] = {"ordered", "any_order", "subset", NULL};
  rule->arrays = (enum eh_arrays)read_choice(L, r->name, choices);
  rule->set |= EH_RULE_ARRAYS;
}

static void set_coerce(lua_State *L, const struct reading *r,
                       struct eh_field_rule *rule) {
  rule->coerce = read_boolean(L, r);
  rule->set |= EH_RULE_COERCE;
}

static void set_extra(lua_State *L, const struct reading *r,
                      struct eh_field_rule *rule) {
  static const char *const choices[] = {"free", "forbidden", NULL};
  rule->no_extra = read_choice(L, r->name, choices) == 1;
  rule->set |= EH_RULE_EXTRA;
}

static void set_accept(lua_State *L, const struct reading *r,
                       struct eh_field_rule *rule) {
  rule->accept = read_value(L, r);
  if (rule->accept->type != EH_JSON_ARRAY)
    luaL_error(L, "%s: expected a list of values", r->name);
  rule->set |= EH_RULE_ACCEPT;
}

static void set_default(lua_State *L, const struct reading *r,
                        struct eh_field_rule *rule) {
  rule->fallback = read_value(L, r);
  rule->set |= EH_RULE_DEFAULT;
}

static void set_ignore(lua_State *L, const struct reading *r,
                       struct eh_field_rule *rule) {
  if (read_boolean(L, r))
    rule->set |= EH_RULE_IGNORE;
}

static void set_pattern(lua_State *L, const struct reading *r,
                        struct eh_field_rule *rule) {
  struct eh_regex *regex;
  struct eh_err err;
  size_t len;
  const char *text;
  if (lua_type(L, -1) != LUA_TSTRING)
    luaL_error(L, "%s: expected a regular expression, got %s", r->name,
               luaL_typename(L, -1));
  text = lua_tolstring(L, -1, &len);
  if (eh_regex_compile(&regex, text, len, NULL, &err) != 0)
    luaL_error(L, "%s: %s", r->name, err.msg);
  rule->test = add_test(L, r->rules, regex);
  rule->set |= EH_RULE_TEST;
}

static void set_test(lua_State *L, const struct reading *r,
                     struct eh_field_rule *rule) {
  if (lua_type(L, -1) != LUA_TFUNCTION)
    luaL_error(L, "%s: expected a function, got %s", r->name,
               luaL_typename(L, -1));
  rule->test = add_test(L, r->rules, NULL);
  rule->set |= EH_RULE_TEST;
}

typedef void setter(lua_State *L, const struct reading *r,
                    struct eh_field_rule *rule);

struct option {
  const char *name;
  setter *set;
};

/* For every field, and for one field. */
static const struct option general[] = {{"case", set_case},
                                        {"tolerance", set_tolerance},
                                        {"relative", set_relative},
                                        {"arrays", set_arrays},
                                        {"coerce", set_coerce},
                                        {"extra", set_extra},
                                        {NULL, NULL}};

/* For one field: by name inside `fields`. */
static const struct option special[] = {
    {"accept", set_accept},   {"ignore", set_ignore}, {"default", set_default},
    {"pattern", set_pattern}, {"test", set_test},     {NULL, NULL}};

/* The same outside of it: tables by path. */
static const struct option by_path[] = {{"accept", set_accept},
                                        {"defaults", set_default},
                                        {"pattern", set_pattern},
                                        {"test", set_test},
                                        {NULL, NULL}};

static setter *find(const struct option *options, const char *name) {
  for (; options->name != NULL; options++)
    if (strcmp(options->name, name) == 0)
      return options->set;
  return NULL;
}

/* The key of the pair at the top of the stack, kept in the arena. */
static const char *key(lua_State *L, struct eh_calls_rules *rules,
                       const char *where) {
  const char *text;
  size_t len;
  if (lua_type(L, -2) != LUA_TSTRING)
    luaL_error(L, "%s: expected names, got a key that is a %s", where,
               luaL_typename(L, -2));
  text = lua_tolstring(L, -2, &len);
  return eh_arena_strndup(&rules->arena, text, len);
}

static void need_table(lua_State *L, const char *name) {
  if (lua_type(L, -1) != LUA_TTABLE)
    luaL_error(L, "%s: expected a table, got %s", name, luaL_typename(L, -1));
  luaL_checkstack(L, 8, "options are nested too deeply");
}

/* { [path] = value, ... } */
static void read_by_path(lua_State *L, struct reading r, setter *set) {
  need_table(L, r.name);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    r.path = key(L, r.rules, r.name);
    set(L, &r, add_rule(r.rules, r.tool, r.path));
  }
}

/* { path, ... } */
static void read_ignored(lua_State *L, const struct reading *r) {
  need_table(L, r->name);
  for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++) {
    size_t len;
    const char *path;
    if (lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L, "ignore: expected paths, got %s", luaL_typename(L, -1));
    path = lua_tolstring(L, -1, &len);
    path = eh_arena_strndup(&r->rules->arena, path, len);
    add_rule(r->rules, r->tool, path)->set |= EH_RULE_IGNORE;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* { [path] = { case = ..., accept = ..., ... }, ... } */
static void read_fields(lua_State *L, struct reading r) {
  need_table(L, "fields");
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    r.path = key(L, r.rules, "fields");
    need_table(L, r.path);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      setter *set;
      r.name = key(L, r.rules, r.path);
      set = find(general, r.name);
      set = set != NULL ? set : find(special, r.name);
      if (set == NULL)
        luaL_error(L, "fields: unknown option '%s' of %s", r.name, r.path);
      set(L, &r, add_rule(r.rules, r.tool, r.path));
    }
  }
}

static void read_options(lua_State *L, struct eh_calls_rules *rules,
                         const char *tool);

/* { [tool] = options, ... } */
static void read_tools(lua_State *L, struct eh_calls_rules *rules) {
  need_table(L, "tools");
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    const char *tool = key(L, rules, "tools");
    need_table(L, tool);
    read_options(L, rules, tool);
  }
}

static void read_option(lua_State *L, struct reading r) {
  static const char *const pairings[] = {"in_order", "best", "position", NULL};
  setter *set;
  if ((set = find(general, r.name)) != NULL)
    set(L, &r, add_rule(r.rules, r.tool, NULL));
  else if ((set = find(by_path, r.name)) != NULL)
    read_by_path(L, r, set);
  else if (strcmp(r.name, "ignore") == 0)
    read_ignored(L, &r);
  else if (strcmp(r.name, "fields") == 0)
    read_fields(L, r);
  else if (strcmp(r.name, "tools") == 0 && r.tool == NULL)
    read_tools(L, r.rules);
  else if (strcmp(r.name, "pairing") == 0 && r.tool == NULL)
    r.rules->opts.pairing = (enum eh_pairing)read_choice(L, r.name, pairings);
  else
    luaL_error(L, "unknown option '%s' of argument_match", r.name);
}

/* The table at the top of the stack. */
static void read_options(lua_State *L, struct eh_calls_rules *rules,
                         const char *tool) {
  struct reading r = {rules, tool, NULL, NULL};
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    r.name = key(L, rules, "options");
    read_option(L, r);
  }
}

/* Compiles the table at index 1; index 2 becomes the rules. */
static int compile(lua_State *L) {
  struct eh_calls_rules *rules;
  lua_settop(L, 1);
  rules = lua_newuserdatauv(L, sizeof *rules, 1);
  memset(rules, 0, sizeof *rules);
  eh_arena_init(&rules->arena);
  luaL_setmetatable(L, RULES_TYPE);
  lua_newtable(L);
  lua_setiuservalue(L, 2, 1);
  if (!lua_isnil(L, 1)) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_pushvalue(L, 1);
    read_options(L, rules, NULL);
    lua_pop(L, 1);
  }
  eh_rules_sort(rules->rules, rules->opts.rule_count);
  lua_settop(L, 2);
  return 1;
}

struct eh_calls_rules *eh_calls_rules_push(lua_State *L, int idx) {
  if (luaL_testudata(L, idx, RULES_TYPE) != NULL) {
    lua_pushvalue(L, idx);
  } else {
    idx = lua_absindex(L, idx);
    lua_pushcfunction(L, compile);
    lua_pushvalue(L, idx);
    lua_call(L, 1, 1);
  }
  return lua_touserdata(L, -1);
}
