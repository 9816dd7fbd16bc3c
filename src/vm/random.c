/* random.c: math.random with a generator per fiber, so that what one case
 * draws does not depend on which others run at the same time. The generator
 * is xoshiro256** (Blackman and Vigna, 2018), as in Lua's own lmathlib. */
#include "vm/private.h"

#include "base/clock.h"

#include <lauxlib.h>

#include <string.h>

static uint64_t rotl(uint64_t x, int n) {
  return (x << n) | (x >> (64 - n));
}

static uint64_t next(uint64_t s[4]) {
  uint64_t result = rotl(s[1] * 5, 7) * 9;
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotl(s[3], 45);
  return result;
}

static void seed(uint64_t s[4], uint64_t a, uint64_t b) {
  s[0] = a;
  s[1] = 0xff;
  s[2] = b;
  s[3] = 0;
  for (int i = 0; i < 16; i++)
    next(s);
}

void eh_fiber_seed(lua_State *L, uint64_t a, uint64_t b) {
  struct eh_fiber *fiber = eh_fiber_current(L);
  if (fiber != NULL)
    seed(fiber->rng, a, b);
}

/* The current fiber's state, seeded on first use. */
static uint64_t *state(lua_State *L) {
  struct eh_fiber *fiber = eh_fiber_current(L);
  uint64_t *s;
  if (fiber == NULL) {
    luaL_error(L, "math.random is only available inside a run");
    return NULL;
  }
  s = fiber->rng;
  if ((s[0] | s[1] | s[2] | s[3]) == 0)
    seed(s, 0, 0);
  return s;
}

/* A uniform number in [0, range]. */
static uint64_t project(uint64_t range, uint64_t s[4]) {
  uint64_t mask = range, draw;
  for (int shift = 1; shift < 64; shift *= 2)
    mask |= mask >> shift;
  do
    draw = next(s) & mask;
  while (draw > range);
  return draw;
}

static int l_random(lua_State *L) {
  uint64_t *s = state(L);
  lua_Integer low = 1, high;
  switch (lua_gettop(L)) {
  case 0:
    lua_pushnumber(L, (double)(next(s) >> 11) * 0x1p-53);
    return 1;
  case 1:
    high = luaL_checkinteger(L, 1);
    if (high == 0) {
      lua_pushinteger(L, (lua_Integer)next(s));
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
  lua_pushinteger(L, (lua_Integer)(project((uint64_t)high - (uint64_t)low, s) +
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
  uint64_t *s = state(L);
  if (lua_isnone(L, 1))
    seed(s, eh_clock_mono(), (uint64_t)eh_clock_wall());
  else
    seed(s, seed_word(L, 1), (uint64_t)luaL_optinteger(L, 2, 0));
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
