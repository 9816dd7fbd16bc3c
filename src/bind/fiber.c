/* fiber.c: evalhost.native.fiber, the scheduler as scripts see it. */
#include "vm/fiber.h"
#include "bind/bind.h"
#include "bind/host.h"
#include "bind/modules.h"

static int l_spawn(lua_State *L) {
  eh_fiber_spawn(L, lua_gettop(L) - 1);
  return 1;
}

static int l_sleep(lua_State *L) {
  double seconds = luaL_checknumber(L, 1);
  luaL_argcheck(L, seconds >= 0, 1, "seconds must not be negative");
  return eh_fiber_sleep(L, seconds, false);
}

static int l_wait(lua_State *L) {
  double seconds = luaL_checknumber(L, 1);
  luaL_argcheck(L, seconds >= 0, 1, "seconds must not be negative");
  return eh_fiber_sleep(L, seconds, true);
}

static int l_time_left(lua_State *L) {
  lua_pushnumber(L, eh_fiber_time_left(L));
  return 1;
}

static int l_seed(lua_State *L) {
  eh_fiber_seed(L, (uint64_t)luaL_checkinteger(L, 1),
                (uint64_t)luaL_checkinteger(L, 2));
  return 0;
}

static int l_name(lua_State *L) {
  eh_fiber_name(L, luaL_checkstring(L, 1));
  return 0;
}

static int l_locals(lua_State *L) {
  eh_fiber_push_locals(L);
  return 1;
}

static int l_event(lua_State *L) {
  eh_event_new(L);
  return 1;
}

static int l_event_wait(lua_State *L) {
  return eh_event_wait(L, 1);
}

static int l_event_wake(lua_State *L) {
  eh_event_wake(L, 1);
  return 0;
}

static int l_text(lua_State *L) {
  luaL_checkany(L, 1);
  eh_vm_push_text(L, 1);
  return 1;
}

static int l_error(lua_State *L) {
  eh_vm_push_error(L, luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  return 1;
}

static int l_join(lua_State *L) {
  return eh_fiber_join(L, 1);
}

static int l_cancel(lua_State *L) {
  eh_fiber_stop(L, 1);
  return 0;
}

static int l_ended(lua_State *L) {
  lua_pushboolean(L, eh_fiber_ended(L, 1));
  return 1;
}

static int l_acquire(lua_State *L) {
  return eh_gate_acquire(L, &eh_host_of(L)->gate);
}

static int l_release(lua_State *L) {
  eh_gate_release(&eh_host_of(L)->gate);
  return 0;
}

static int l_left(lua_State *L) {
  eh_gate_left(&eh_host_of(L)->gate);
  return 0;
}

static int l_settle(lua_State *L) {
  eh_fiber_settle(L);
  return 0;
}

static int l_resize(lua_State *L) {
  lua_Integer limit = luaL_checkinteger(L, 1);
  luaL_argcheck(L, limit >= 1, 1, "the limit is at least 1");
  eh_gate_resize(&eh_host_of(L)->gate, (size_t)limit);
  return 0;
}

static int l_memory(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)eh_vm_memory(eh_vm_of(L)));
  lua_pushinteger(L, (lua_Integer)eh_vm_memory_peak(eh_vm_of(L)));
  return 2;
}

static const luaL_Reg functions[] = {
    {"spawn", l_spawn},         {"sleep", l_sleep},
    {"wait", l_wait},           {"timeout", eh_fiber_timeout},
    {"time_left", l_time_left}, {"seed", l_seed},
    {"name", l_name},           {"locals", l_locals},
    {"event", l_event},         {"text", l_text},
    {"error", l_error},         {"admit", l_acquire},
    {"release", l_release},     {"left", l_left},
    {"settle", l_settle},       {"admit_at_most", l_resize},
    {"memory", l_memory},       {NULL, NULL}};

static const luaL_Reg handle_methods[] = {
    {"join", l_join}, {"cancel", l_cancel}, {"ended", l_ended}, {NULL, NULL}};

static const luaL_Reg event_methods[] = {
    {"wait", l_event_wait}, {"wake", l_event_wake}, {NULL, NULL}};

/* Methods live in the __index of the metatables that vm/wait.c made. */
static void methods(lua_State *L, const char *type, const luaL_Reg *list) {
  luaL_getmetatable(L, type);
  lua_newtable(L);
  luaL_setfuncs(L, list, 0);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}

int luaopen_evalhost_native_fiber(lua_State *L) {
  eh_fiber_open_types(L);
  methods(L, EH_FIBER_TYPE, handle_methods);
  methods(L, EH_EVENT_TYPE, event_methods);
  luaL_newlib(L, functions);
  return 1;
}
