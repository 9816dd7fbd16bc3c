/* random.c: math.random with a generator per fiber, so that what one case
 * draws does not depend on which others run at the same time. The generator
 * is xoshiro256**, as in Lua's own lmathlib. */
#include "vm/private.h"

#include "base/clock.h"

#include <lauxlib.h>

#include <string.h>

/* As math.randomseed(a, b) of Lua's own library. */
static void seed(struct eh_random *rng, uint64_t a, uint64_t b) {
  rng->s[0] = a;
  rng->s[1] = 0xff;
  rng->s[2] = b;
  rng->s[3] = 0;
  for (int i = 0; i < 16; i++)
    eh_random_next(rng);
}

void eh_fiber_seed(lua_State *L, uint64_t a, uint64_t b) {
  struct eh_fiber *fiber = eh_fiber_current(L);
  if (fiber != NULL)
    seed(&fiber->rng, a, b);
}

/* The current fiber's state, seeded on first use. */
static struct eh_random *state(lua_State *L) {
  struct eh_fiber *fiber = eh_fiber_current(L);
  struct eh_random *rng;
  if (fiber == NULL) {
    luaL_error(L, "math.random is only available inside a run");
    return NULL;
  }
  rng = &fiber->rng;
  if ((rng->s[0] | rng->s[1] | rng->s[2] | rng->s[3]) == 0)
    seed(rng, 0, 0);
  return rng;
}

/* A uniform number in [0, range]. */
static uint64_t project(uint64_t range, struct eh_random *rng) {
  uint64_t mask = range, draw;
  for (int shift = 1; shift < 64; shift *= 2)
    mask |= mask >> shift;
  do
    draw = eh_random_next(rng) & mask;
  while (draw > range);
  return draw;
}

static int l_random(lua_State *L) {
  struct eh_random *rng = state(L);
  lua_Integer low = 1, high;
  switch (lua_gettop(L)) {
  case 0:
    lua_pushnumber(L, (double)(eh_random_next(rng) >> 11) * 0x1p-53);
    return 1;
  case 1:
    high = luaL_checkinteger(L, 1);
    if (high == 0) {
      lua_pushinteger(L, (lua_Integer)eh_random_next(rng));
      return 1;
    }
    break;
  case 2:
    low = luaL_checkinteger(L, 1);
    high = luaL_checkinteger(L, 2);
    break;
  default:
    return luaL_error(L, "wrong number of arguments");
  }
  luaL_argcheck(L, low <= high, lua_gettop(L), "interval is empty");
  lua_pushinteger(L,
                  (lua_Integer)(project((uint64_t)high - (uint64_t)low, rng) +
                                (uint64_t)low));
  return 1;
}

/* An integer as it is; the bits of a float that has no integer's value. */
static uint64_t seed_word(lua_State *L, int idx) {
  double number = luaL_checknumber(L, idx);
  uint64_t word;
  int exact;
  lua_Integer integer = lua_tointegerx(L, idx, &exact);
  if (exact)
    return (uint64_t)integer;
  memcpy(&word, &number, sizeof word);
  return word;
}

static int l_randomseed(lua_State *L) {
  struct eh_random *rng = state(L);
  if (lua_isnone(L, 1))
    seed(rng, eh_clock_mono(), (uint64_t)eh_clock_wall());
  else
    seed(rng, seed_word(L, 1), (uint64_t)luaL_optinteger(L, 2, 0));
  return 0;
}

void eh_random_open(lua_State *L) {
  lua_getglobal(L, "math");
  lua_pushcfunction(L, l_random);
  lua_setfield(L, -2, "random");
  lua_pushcfunction(L, l_randomseed);
  lua_setfield(L, -2, "randomseed");
  lua_pop(L, 1);
}
