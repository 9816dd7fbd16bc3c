/* session.c: a Lua state from its command's settings to its exit code. */
#include "bind/session.h"

#include "base/alloc.h"
#include "bind/modules.h"
#include "vm/scripts.h"
#include "vm/vm.h"

#include <lauxlib.h>
#include <lua.h>

#include <stdio.h>
#include <stdlib.h>

struct eh_session {
  struct eh_vm *vm;
  eh_session_end_fn *on_end;
  void *arg;
};

struct command {
  const struct eh_setting *settings;
  size_t count;
};

static void push_name(lua_State *L, const char *name) {
  luaL_gsub(L, name, "-", "_");
}

/* Adds the setting to the table on top. */
static void push_setting(lua_State *L, const struct eh_setting *setting) {
  push_name(L, setting->name);
  switch (setting->kind) {
  case EH_SETTING_FLAG:
    lua_pushboolean(L, 1);
    break;
  case EH_SETTING_WHOLE:
    lua_pushinteger(L, (lua_Integer)strtod(setting->text, NULL));
    break;
  case EH_SETTING_NUMBER:
    lua_pushnumber(L, strtod(setting->text, NULL));
    break;
  case EH_SETTING_TEXT:
    lua_pushstring(L, setting->text);
    break;
  case EH_SETTING_ITEM:
    luaL_getsubtable(L, -2, lua_tostring(L, -1));
    lua_pushstring(L, setting->text);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    break;
  }
  lua_rawset(L, -3);
}

/* Lua: prepare(command) -> the main function, its options */
static int prepare(lua_State *L) {
  const struct command *command = lua_touserdata(L, 1);
  eh_modules_open(L);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "evalhost.main");
  lua_call(L, 1, 1);
  lua_newtable(L);
  for (size_t i = 0; i < command->count; i++)
    push_setting(L, &command->settings[i]);
  return 2;
}

static void ended(void *arg, lua_State *co, bool ok, const char *message) {
  struct eh_session *session = arg;
  int exit_code = 5;
  if (ok && lua_isinteger(co, 2)) {
    exit_code = (int)lua_tointeger(co, 2);
  } else {
    fprintf(stderr, "evalhost: internal fault: %s\n",
            message != NULL ? message : "no exit code");
    if (!ok && lua_istable(co, 2) &&
        lua_getfield(co, 2, "traceback") == LUA_TSTRING)
      fprintf(stderr, "%s\n", lua_tostring(co, -1));
  }
  session->on_end(session->arg, exit_code);
}

static bool start(struct eh_session *session, const struct eh_setting *settings,
                  size_t count) {
  lua_State *L = eh_vm_state(session->vm);
  struct command command = {settings, count};
  lua_pushcfunction(L, prepare);
  lua_pushlightuserdata(L, &command);
  if (lua_pcall(L, 1, 2, 0) != LUA_OK) {
    fprintf(stderr, "evalhost: %s\n", eh_vm_push_text(L, -1));
    lua_settop(L, 0);
    return false;
  }
  eh_vm_spawn(session->vm, 1, ended, session);
  return true;
}

struct eh_session *eh_session_start(struct eh_host *host,
                                    const char *scripts_dir,
                                    const struct eh_setting *settings,
                                    size_t count, eh_session_end_fn *on_end,
                                    void *arg) {
  struct eh_vm_options options = {0};
  struct eh_session *session = eh_calloc(1, sizeof *session);
  options.scripts = host->scripts;
  options.scripts_dir = scripts_dir;
  options.host = host;
  session->on_end = on_end;
  session->arg = arg;
  session->vm = eh_vm_new(&options);
  if (session->vm == NULL)
    eh_oom(0);
  if (!start(session, settings, count)) {
    eh_session_free(session);
    return NULL;
  }
  return session;
}

void eh_session_again(struct eh_session *session,
                      const struct eh_setting *settings, size_t count) {
  if (!start(session, settings, count))
    session->on_end(session->arg, 5);
}

uint64_t eh_session_drain(struct eh_session *session, uint64_t *stalled) {
  return eh_vm_drain(session->vm, stalled);
}

void eh_session_credit(struct eh_session *session, uint64_t ns) {
  eh_vm_credit(session->vm, ns);
}

bool eh_session_ready(const struct eh_session *session) {
  return eh_vm_ready(session->vm);
}

void eh_session_free(struct eh_session *session) {
  if (session == NULL)
    return;
  eh_vm_free(session->vm);
  eh_free(session);
}
