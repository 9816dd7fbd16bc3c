/* calls.c: evalhost.native.calls, expected calls against actual calls.
 *
 * Each metric returns value, reason and a detail table, or nil and why it is
 * unscored. */
#include "bind/bind.h"
#include "bind/modules.h"

#include "bind/calls_rules.h"
#include "bind/json.h"
#include "bind/reason.h"

#include <string.h>

/* The name at the top of the stack; pops it. */
static void take_name(lua_State *L, struct eh_arena *arena, const char *list,
                      size_t i, struct eh_call *call) {
  const char *name;
  if (lua_type(L, -1) != LUA_TSTRING)
    luaL_error(L, "%s[%d]: expected a name or { name, arguments }", list,
               (int)i + 1);
  name = lua_tolstring(L, -1, &call->name_len);
  call->name = eh_arena_strndup(arena, name, call->name_len);
  lua_pop(L, 1);
}

/* The arguments at the top of the stack; pops them. What an agent made up
 * cannot be wrong usage: it is unparseable. */
static void take_args(lua_State *L, struct eh_arena *arena, bool trusted,
                      const char *list, size_t i, struct eh_call *call) {
  struct eh_json *raw = eh_arena_alloc(arena, sizeof *raw);
  struct eh_json_take how = {.repair = true};
  struct eh_err err;
  int rc = eh_json_take(L, -1, arena, &how, raw, &err);
  if (rc != 0)
    call->flags |= EH_ARGS_UNPARSEABLE;
  else
    eh_call_set_args(arena, call, raw);
  if (trusted && (call->flags & EH_ARGS_UNPARSEABLE))
    luaL_error(L, "%s[%d].arguments: %s", list, (int)i + 1,
               rc != 0 ? err.msg : "not an object");
  lua_pop(L, 1);
}

/* The list of names or { name, arguments } at idx. */
static struct eh_calls take_calls(lua_State *L, int idx, struct eh_arena *arena,
                                  bool trusted, bool with_args) {
  const char *list = trusted ? "expected" : "actual";
  size_t count = lua_rawlen(L, idx);
  struct eh_call *items = eh_arena_alloc(arena, count * sizeof *items);
  for (size_t i = 0; i < count; i++) {
    memset(&items[i], 0, sizeof items[i]);
    if (lua_rawgeti(L, idx, (lua_Integer)i + 1) != LUA_TTABLE) {
      take_name(L, arena, list, i, &items[i]);
      continue;
    }
    lua_getfield(L, -1, "name");
    take_name(L, arena, list, i, &items[i]);
    if (!with_args || lua_getfield(L, -1, "arguments") == LUA_TNIL)
      lua_pop(L, with_args ? 1 : 0);
    else
      take_args(L, arena, trusted, list, i, &items[i]);
    lua_pop(L, 1);
  }
  return (struct eh_calls){items, count};
}

struct task {
  struct eh_arena *arena;
  struct eh_buf *reason;
  struct eh_calls expected;
  struct eh_calls actual;
};

/* Reads arguments 1 (expected) and 2 (actual; nil is none). False, with nil
 * and the reason pushed, if there are no expected tools. */
static bool start(lua_State *L, struct task *task, bool with_args) {
  lua_settop(L, 3);
  if (lua_isnil(L, 1) || lua_islightuserdata(L, 1)) {
    lua_pushnil(L);
    lua_pushliteral(L, "no_expected_tools");
    return false;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  if (lua_isnil(L, 2) || lua_islightuserdata(L, 2)) {
    lua_newtable(L);
    lua_replace(L, 2);
  }
  luaL_checktype(L, 2, LUA_TTABLE);
  task->arena = eh_push_arena(L);
  task->reason = eh_push_reason(L);
  task->expected = take_calls(L, 1, task->arena, true, with_args);
  task->actual = take_calls(L, 2, task->arena, false, with_args);
  return true;
}

static void push_result(lua_State *L, const struct task *task, double value) {
  lua_pushnumber(L, value);
  lua_pushlstring(L, task->reason->data, task->reason->len);
}

static int push_names(lua_State *L, const struct task *task,
                      const struct eh_names *names, double value) {
  push_result(L, task, value);
  lua_newtable(L);
  for (size_t i = 0; i < names->missing_count; i++) {
    const struct eh_call *call = &task->expected.items[names->missing[i]];
    eh_append_text(L, "missing", call->name, call->name_len);
  }
  for (size_t i = 0; i < names->extra_count; i++) {
    const struct eh_call *call = &task->actual.items[names->extra[i]];
    eh_append_text(L, "extra", call->name, call->name_len);
  }
  return 3;
}

/* Field `name` of the options at index 3, one of two texts: is it the second?
 * (Absent: no.) */
static bool option(lua_State *L, const char *name, const char *first,
                   const char *second) {
  const char *text;
  bool is_second;
  if (lua_isnil(L, 3))
    return false;
  luaL_checktype(L, 3, LUA_TTABLE);
  lua_getfield(L, 3, name);
  text = lua_isnil(L, -1) ? first : lua_tostring(L, -1);
  is_second = text != NULL && strcmp(text, second) == 0;
  if (!is_second && (text == NULL || strcmp(text, first) != 0))
    luaL_error(L, "%s: expected \"%s\" or \"%s\"", name, first, second);
  lua_pop(L, 1);
  return is_second;
}

static int l_selection(lua_State *L) {
  struct eh_selection_opts opts;
  struct eh_names names;
  struct task task;
  double value;
  if (!start(L, &task, false))
    return 2;
  opts.as_set = option(L, "as", "multiset", "set");
  opts.no_calls = option(L, "none_expected", "pass", "no_calls");
  eh_calls_names(task.arena, task.expected, task.actual, opts.as_set, &names);
  value = eh_calls_selection(task.expected, task.actual, &opts, &names,
                             task.reason);
  return push_names(L, &task, &names, value);
}

static int l_exact(lua_State *L) {
  struct eh_names names;
  struct task task;
  bool order = false;
  double value;
  if (!start(L, &task, false))
    return 2;
  if (!lua_isnil(L, 3)) {
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_getfield(L, 3, "order");
    order = lua_toboolean(L, -1);
  }
  eh_calls_names(task.arena, task.expected, task.actual, false, &names);
  value =
      eh_calls_exact(task.expected, task.actual, order, &names, task.reason);
  return push_names(L, &task, &names, value);
}

static int l_minimality(lua_State *L) {
  struct eh_names names;
  struct task task;
  double value;
  if (!start(L, &task, false))
    return 2;
  eh_calls_names(task.arena, task.expected, task.actual, false, &names);
  value = eh_calls_minimality(task.expected, task.actual, &names, task.reason);
  return push_names(L, &task, &names, value);
}

/* Sets the list of the names of the flags in the table at the top. */
static void add_flags(lua_State *L, unsigned flags) {
  if (flags & EH_ARGS_UNPARSEABLE)
    eh_append_text(L, "flags", "args_unparseable", 16);
  if (flags & EH_ARGS_DOUBLE_ENCODED)
    eh_append_text(L, "flags", "args_double_encoded", 19);
  if (flags & EH_ARGS_COERCED)
    eh_append_text(L, "flags", "coerced", 7);
}

static void push_match(lua_State *L, const struct eh_call *call,
                       const struct eh_call_match *match) {
  static const char *const kinds[] = {"missing", "wrong", "extra"};
  lua_createtable(L, 0, 6);
  lua_pushlstring(L, call->name, call->name_len);
  lua_setfield(L, -2, "name");
  lua_pushnumber(L, match->value);
  lua_setfield(L, -2, "value");
  lua_pushinteger(L, (lua_Integer)match->fields);
  lua_setfield(L, -2, "fields");
  lua_pushinteger(L, (lua_Integer)match->matched);
  lua_setfield(L, -2, "matched");
  if (match->partner != EH_NO_PARTNER) {
    lua_pushinteger(L, (lua_Integer)match->partner + 1);
    lua_setfield(L, -2, "actual");
  }
  for (const struct eh_finding *f = match->findings; f != NULL; f = f->next)
    eh_append_text(L, kinds[f->kind], f->path, strlen(f->path));
  add_flags(L, match->flags);
}

static int l_argument_match(lua_State *L) {
  struct eh_args_result result;
  struct task task;
  int rc;
  if (!start(L, &task, true))
    return 2;
  eh_calls_rules_push(L, 3);
  rc = eh_calls_rules_apply(L, lua_gettop(L), task.arena, task.expected,
                            task.actual, &result);
  if (rc != 0) {
    lua_pushnil(L);
    lua_pushstring(L, eh_err_name(rc));
    return 2;
  }
  eh_calls_args_reason(task.expected, &result, task.reason);
  push_result(L, &task, result.value);
  lua_newtable(L);
  add_flags(L, result.flags);
  if (result.count == 0)
    return 3;
  lua_createtable(L, (int)result.count, 0);
  for (size_t i = 0; i < result.count; i++) {
    push_match(L, &task.expected.items[i], &result.calls[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "calls");
  return 3;
}

static int l_rules(lua_State *L) {
  luaL_checkany(L, 1);
  eh_calls_rules_push(L, 1);
  return 1;
}

static const luaL_Reg functions[] = {{"tool_selection", l_selection},
                                     {"tools_exact", l_exact},
                                     {"tool_minimality", l_minimality},
                                     {"argument_match", l_argument_match},
                                     {"rules", l_rules},
                                     {NULL, NULL}};

int luaopen_evalhost_native_calls(lua_State *L) {
  eh_calls_rules_open(L);
  luaL_newlib(L, functions);
  return 1;
}
