/* process.c: evalhost.native.process, a program's run as a wait of a fiber. */
#include "net/process.h"

#include "base/alloc.h"
#include "bind/bind.h"
#include "bind/host.h"
#include "bind/modules.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#define RUN_TYPE    "evalhost.process.run"
#define WHAT        "evalhost.native.process.run"
#define MAX_SECONDS 1e9

struct run {
  struct eh_op op;
  struct eh_process *process;      /* while it runs */
  struct eh_process_result result; /* after that; its buffers are ours */
  struct eh_err *err;              /* ours; NULL = it ran to its end */
};

/* Also __gc and __close. */
static int run_close(lua_State *L) {
  struct run *run = luaL_checkudata(L, 1, RUN_TYPE);
  if (run->process != NULL)
    eh_process_cancel(run->process);
  run->process = NULL;
  eh_buf_free(&run->result.output);
  eh_buf_free(&run->result.errors);
  eh_free(run->err);
  run->err = NULL;
  return 0;
}

static void run_cancel(struct eh_op *op) {
  struct run *run = (struct run *)op;
  eh_process_cancel(run->process);
  run->process = NULL;
}

static const char *run_phase(const struct eh_op *op) {
  (void)op;
  return "process";
}

static void run_done(void *arg, struct eh_process_result *result,
                     const struct eh_err *err) {
  struct run *run = arg;
  run->process = NULL;
  run->result = *result;
  eh_buf_init(&result->output, result->output.max);
  eh_buf_init(&result->errors, result->errors.max);
  if (err != NULL) {
    run->err = eh_malloc(sizeof *err);
    *run->err = *err;
  }
  eh_op_done(&run->op);
}

static int run_finish(lua_State *L, struct eh_op *op) {
  struct run *run = (struct run *)op;
  struct eh_process_result *result = &run->result;
  if (run->err != NULL) {
    eh_push_fail(L, run->err);
  } else {
    lua_createtable(L, 0, 4);
    lua_pushlstring(L, result->output.data, result->output.len);
    lua_setfield(L, -2, "stdout");
    if (result->signal == 0)
      lua_pushinteger(L, result->code);
    else
      lua_pushnil(L);
    lua_setfield(L, -2, "code");
    if (result->signal != 0) {
      const char *name = sigabbrev_np(result->signal);
      lua_pushfstring(L, "SIG%s", name != NULL ? name : "?");
      lua_setfield(L, -2, "signal");
    }
  }
  lua_pushlstring(L, result->errors.data, result->errors.len);
  lua_setfield(L, -2, "stderr");
  return run->err != NULL ? 2 : 1;
}

/* Pushes options[name], nil or of the type; stays on the stack as its anchor.
 */
static bool field(lua_State *L, const char *name, int type) {
  int got = lua_getfield(L, 1, name);
  if (got == LUA_TNIL)
    return false;
  if (got != type)
    luaL_error(L, WHAT ": %s: expected a %s, got a %s", name,
               lua_typename(L, type), lua_typename(L, got));
  return true;
}

static const char *line(lua_State *L, int idx, const char *name) {
  size_t len = 0;
  const char *value = NULL;
  if (lua_type(L, idx) == LUA_TSTRING)
    value = lua_tolstring(L, idx, &len);
  if (value == NULL || strlen(value) != len)
    luaL_error(L, WHAT ": %s: expected strings without NUL", name);
  return value;
}

/* An array of pointers that the collector keeps; on the stack. */
static const char **push_pointers(lua_State *L, size_t count) {
  return lua_newuserdatauv(L, (count + 1) * sizeof(char *), 0);
}

/* The strings stay in the table, which stays on the stack. */
static const char *const *read_argv(lua_State *L) {
  const char **argv;
  lua_Unsigned count, i;
  int table;
  if (!field(L, "argv", LUA_TTABLE))
    luaL_error(L, WHAT ": argv is missing");
  table = lua_gettop(L);
  count = lua_rawlen(L, table);
  if (count == 0 || count > INT_MAX / 16)
    luaL_error(L, WHAT ": argv: needs at least the program's name");
  argv = push_pointers(L, count);
  for (i = 0; i < count; i++) {
    lua_rawgeti(L, table, (lua_Integer)i + 1);
    argv[i] = line(L, -1, "argv");
    lua_pop(L, 1);
  }
  argv[count] = NULL;
  return argv;
}

/* Whether the table at idx has a value for the variable of a "NAME=value". */
static bool overrides(lua_State *L, int idx, const char *entry) {
  bool has;
  lua_pushlstring(L, entry, strcspn(entry, "="));
  has = lua_rawget(L, idx) != LUA_TNIL;
  lua_pop(L, 1);
  return has;
}

/* Pushes a list of "NAME=value" for the table's own entries and returns how
 * many; false means unset. */
static lua_Integer push_entries(lua_State *L, int table) {
  lua_Integer count = 0;
  int list;
  lua_newtable(L);
  list = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING ||
        strchr(line(L, -2, "env"), '=') != NULL)
      luaL_error(L, WHAT ": env: bad name of a variable");
    if (lua_isboolean(L, -1) && !lua_toboolean(L, -1))
      continue;
    lua_pushfstring(L, "%s=%s", line(L, -2, "env"), line(L, -1, "env"));
    lua_rawseti(L, list, ++count);
  }
  return count;
}

/* Our environment with the table's changes; NULL if there is none. */
static const char *const *read_env(lua_State *L) {
  const char **env;
  lua_Integer count, i;
  size_t ours = 0, len = 0;
  int table, list;
  if (!field(L, "env", LUA_TTABLE))
    return NULL;
  table = lua_gettop(L);
  count = push_entries(L, table);
  list = lua_gettop(L);
  while (environ[ours] != NULL)
    ours++;
  env = push_pointers(L, ours + (size_t)count);
  while (ours-- > 0)
    if (!overrides(L, table, environ[ours]))
      env[len++] = environ[ours];
  for (i = 1; i <= count; i++) {
    lua_rawgeti(L, list, i);
    env[len++] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  env[len] = NULL;
  return env;
}

static void read_options(lua_State *L, struct eh_process_options *options) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  luaL_checkstack(L, 20, NULL);
  options->argv = read_argv(L);
  options->env = read_env(L);
  if (field(L, "stdin", LUA_TSTRING))
    options->input = lua_tolstring(L, -1, &options->input_len);
  if (field(L, "cwd", LUA_TSTRING))
    options->cwd = line(L, -1, "cwd");
  if (field(L, "timeout", LUA_TNUMBER)) {
    lua_Number seconds = lua_tonumber(L, -1);
    if (!(seconds > 0))
      luaL_error(L, WHAT ": timeout: must be positive");
    options->timeout_ns =
        (uint64_t)((seconds < MAX_SECONDS ? seconds : MAX_SECONDS) * 1e9) + 1;
  }
  if (field(L, "max_bytes", LUA_TNUMBER)) {
    lua_Integer max = luaL_checkinteger(L, -1);
    if (max < 1)
      luaL_error(L, WHAT ": max_bytes: must be positive");
    options->max_bytes = (size_t)max;
  }
}

static int l_run(lua_State *L) {
  struct eh_process_options options = {0};
  struct eh_err err;
  struct run *run;
  eh_await_check(L, WHAT);
  read_options(L, &options);
  run = lua_newuserdatauv(L, sizeof *run, 0);
  memset(run, 0, sizeof *run);
  eh_buf_init(&run->result.output, 0);
  eh_buf_init(&run->result.errors, 0);
  luaL_setmetatable(L, RUN_TYPE);
  run->op.cancel = run_cancel;
  run->op.finish = run_finish;
  run->op.phase = run_phase;
  run->process =
      eh_process_start(eh_host_of(L)->loop, &options, run_done, run, &err);
  if (run->process == NULL)
    return eh_push_fail(L, &err);
  return eh_await(L, &run->op);
}

int luaopen_evalhost_native_process(lua_State *L) {
  static const luaL_Reg functions[] = {{"run", l_run}, {NULL, NULL}};
  static const luaL_Reg meta[] = {
      {"__gc", run_close}, {"__close", run_close}, {NULL, NULL}};
  luaL_newmetatable(L, RUN_TYPE);
  luaL_setfuncs(L, meta, 0);
  luaL_newlib(L, functions);
  return 1;
}
