/* stats.c: evalhost.native.stats, figures over the cases of a run. */
#include "bind/bind.h"
#include "bind/modules.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "metric/stats.h"

#include <math.h>
#include <string.h>

#define SERIES_TYPE "evalhost.stats.series"

struct series {
  struct eh_moments moments;
  double *values; /* all of them while count == moments.n */
  size_t count;
  size_t room;
  bool keep_all;
  bool sorted; /* the values have lost their order (only if they are many) */
};

static struct series *check_series(lua_State *L, int idx) {
  return luaL_checkudata(L, idx, SERIES_TYPE);
}

static struct series *push_series(lua_State *L, bool keep_all) {
  struct series *series = lua_newuserdatauv(L, sizeof *series, 0);
  memset(series, 0, sizeof *series);
  series->keep_all = keep_all;
  luaL_setmetatable(L, SERIES_TYPE);
  return series;
}

static int series_close(lua_State *L) {
  struct series *series = check_series(L, 1);
  eh_free(series->values);
  memset(series, 0, sizeof *series);
  return 0;
}

static void keep(struct series *series, double x) {
  if (series->count < series->moments.n)
    return; /* the values were dropped */
  if (series->count == EH_BOOTSTRAP_MAX && !series->keep_all) {
    eh_free(series->values);
    series->values = NULL;
    series->count = series->room = 0;
    return;
  }
  if (series->count == series->room) {
    series->room = series->room < 16 ? 16 : series->room + series->room / 2;
    series->values =
        eh_realloc(series->values, series->room * sizeof *series->values);
  }
  series->values[series->count++] = x;
  series->sorted = false;
}

static double check_finite(lua_State *L, int idx) {
  double x = luaL_checknumber(L, idx);
  luaL_argcheck(L, isfinite(x), idx, "not a finite number");
  return x;
}

static void add(struct series *series, double x) {
  keep(series, x);
  eh_moments_add(&series->moments, x);
}

static int series_push(lua_State *L) {
  add(check_series(L, 1), check_finite(L, 2));
  return 0;
}

static int series_count(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)check_series(L, 1)->moments.n);
  return 1;
}

/* A figure, or nil where there are no values. */
static int push_figure(lua_State *L, bool available, double value) {
  if (available)
    lua_pushnumber(L, value);
  else
    lua_pushnil(L);
  return 1;
}

static int series_mean(lua_State *L) {
  double mean = 0;
  int rc = eh_moments_mean(&check_series(L, 1)->moments, &mean);
  return push_figure(L, rc == 0, mean);
}

static int series_min(lua_State *L) {
  const struct eh_moments *moments = &check_series(L, 1)->moments;
  return push_figure(L, moments->n > 0, moments->min);
}

static int series_max(lua_State *L) {
  const struct eh_moments *moments = &check_series(L, 1)->moments;
  return push_figure(L, moments->n > 0, moments->max);
}

/* Up to the bootstrap's limit the order is still needed: a copy is sorted. */
static int quantile_of_few(const struct series *series, double q, double *out) {
  double copy[EH_BOOTSTRAP_MAX];
  if (series->count > 0)
    memcpy(copy, series->values, series->count * sizeof *copy);
  eh_stats_sort(copy, series->count);
  return eh_stats_quantile(copy, series->count, q, out);
}

static int push_quantile(lua_State *L, struct series *series, int q_idx) {
  double q = luaL_checknumber(L, q_idx), value = 0;
  int rc;
  luaL_argcheck(L, q >= 0 && q <= 1, q_idx, "must be from 0 to 1");
  if (series->count < series->moments.n)
    return luaL_error(L,
                      "this series keeps no more than %d values: make it "
                      "with stats.series(true)",
                      EH_BOOTSTRAP_MAX);
  if (series->count <= EH_BOOTSTRAP_MAX) {
    rc = quantile_of_few(series, q, &value);
  } else {
    if (!series->sorted)
      eh_stats_sort(series->values, series->count);
    series->sorted = true;
    rc = eh_stats_quantile(series->values, series->count, q, &value);
  }
  return push_figure(L, rc == 0, value);
}

static int series_quantile(lua_State *L) {
  return push_quantile(L, check_series(L, 1), 2);
}

/* Sets *method to NULL where there is no interval. */
static void interval(const struct series *series, const char *seed, size_t len,
                     struct eh_interval *ci, const char **method) {
  int rc;
  if (series->moments.n <= EH_BOOTSTRAP_MAX) {
    *method = "bootstrap";
    rc = eh_stats_bootstrap(series->values, series->count, EH_BOOTSTRAP_DRAWS,
                            EH_CONFIDENCE, eh_fnv(EH_FNV_START, seed, len), ci);
  } else {
    *method = "t";
    rc = eh_moments_t_interval(&series->moments, EH_CONFIDENCE, ci);
  }
  if (rc != 0)
    *method = NULL;
}

static int series_ci(lua_State *L) {
  size_t len;
  const struct series *series = check_series(L, 1);
  const char *seed = luaL_optlstring(L, 2, "", &len), *method;
  struct eh_interval ci = {0, 0};
  interval(series, seed, len, &ci, &method);
  push_figure(L, method != NULL, ci.lo);
  push_figure(L, method != NULL, ci.hi);
  lua_pushstring(L, method);
  return 3;
}

static int l_series(lua_State *L) {
  push_series(L, lua_toboolean(L, 1));
  return 1;
}

/* The series at idx, or a new one of the numbers of the list there. */
static struct series *series_of(lua_State *L, int idx) {
  struct series *series = luaL_testudata(L, idx, SERIES_TYPE);
  if (series != NULL)
    return series;
  luaL_checktype(L, idx, LUA_TTABLE);
  series = push_series(L, true);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, idx); i++) {
    double x;
    if (lua_rawgeti(L, idx, i) != LUA_TNUMBER)
      luaL_error(L, "item %d is no number", (int)i);
    x = lua_tonumber(L, -1);
    if (!isfinite(x))
      luaL_error(L, "item %d is not finite", (int)i);
    lua_pop(L, 1);
    add(series, x);
  }
  return series;
}

static int l_mean_ci(lua_State *L) {
  struct series *series;
  struct eh_interval ci = {0, 0};
  const char *seed = "", *method;
  size_t len = 0;
  double mean;
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    if (lua_getfield(L, 2, "seed") != LUA_TNIL)
      seed = luaL_checklstring(L, -1, &len);
  }
  series = series_of(L, 1);
  if (eh_moments_mean(&series->moments, &mean) != 0) {
    lua_pushnil(L);
    return 1;
  }
  interval(series, seed, len, &ci, &method);
  lua_createtable(L, 0, 4);
  lua_pushnumber(L, mean);
  lua_setfield(L, -2, "mean");
  push_figure(L, method != NULL, ci.lo);
  lua_setfield(L, -2, "lo");
  push_figure(L, method != NULL, ci.hi);
  lua_setfield(L, -2, "hi");
  lua_pushstring(L, method);
  lua_setfield(L, -2, "method");
  return 1;
}

static int l_quantile(lua_State *L) {
  luaL_checknumber(L, 2);
  return push_quantile(L, series_of(L, 1), 2);
}

static int l_wilson(lua_State *L) {
  lua_Integer k = luaL_checkinteger(L, 1), n = luaL_checkinteger(L, 2);
  struct eh_interval ci = {0, 0};
  int rc;
  luaL_argcheck(L, n >= 0, 2, "must not be negative");
  luaL_argcheck(L, k >= 0 && k <= n, 1, "must be from 0 to n");
  rc = eh_stats_wilson((uint64_t)k, (uint64_t)n, EH_CONFIDENCE, &ci);
  push_figure(L, rc == 0, ci.lo);
  push_figure(L, rc == 0, ci.hi);
  return 2;
}

static const luaL_Reg methods[] = {
    {"push", series_push}, {"count", series_count},
    {"mean", series_mean}, {"min", series_min},
    {"max", series_max},   {"quantile", series_quantile},
    {"ci", series_ci},     {NULL, NULL}};

static const luaL_Reg meta[] = {
    {"__gc", series_close}, {"__close", series_close}, {NULL, NULL}};

static const luaL_Reg functions[] = {{"series", l_series},
                                     {"mean_ci", l_mean_ci},
                                     {"quantile", l_quantile},
                                     {"wilson", l_wilson},
                                     {NULL, NULL}};

int luaopen_evalhost_native_stats(lua_State *L) {
  if (luaL_newmetatable(L, SERIES_TYPE)) {
    luaL_setfuncs(L, meta, 0);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
  }
  luaL_newlib(L, functions);
  return 1;
}
