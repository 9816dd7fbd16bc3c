/* digest.c: evalhost.native.digest, identity of texts and files, and seeds
 * made of names. */
#include "bind/bind.h"
#include "bind/modules.h"

#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define READ_SIZE 65536

static int l_sha256(lua_State *L) {
  size_t len;
  const char *text = luaL_checklstring(L, 1, &len);
  char hex[EH_SHA256_HEX];
  eh_sha256_hex(text, len, hex);
  lua_pushlstring(L, hex, EH_SHA256_HEX - 1);
  return 1;
}

/* The digest of all that fd holds; 0 or an errno. */
static int hash_fd(int fd, char hex[EH_SHA256_HEX]) {
  unsigned char digest[EH_SHA256_SIZE], bytes[READ_SIZE];
  struct eh_sha256 sha;
  ssize_t got;
  eh_sha256_init(&sha);
  while ((got = read(fd, bytes, sizeof bytes)) != 0) {
    if (got > 0)
      eh_sha256_add(&sha, bytes, (size_t)got);
    else if (errno != EINTR)
      return errno;
  }
  eh_sha256_end(&sha, digest);
  eh_hex(digest, sizeof digest, hex);
  return 0;
}

static int l_sha256_file(lua_State *L) {
  size_t len;
  const char *path = luaL_checklstring(L, 1, &len);
  char hex[EH_SHA256_HEX];
  struct eh_err err;
  int fd, errnum;
  luaL_argcheck(L, strlen(path) == len, 1, "the path holds a NUL");
  fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  errnum = fd < 0 ? errno : hash_fd(fd, hex);
  if (fd >= 0)
    close(fd);
  if (errnum != 0) {
    eh_err_errno(&err, errnum, path);
    return eh_push_fail(L, &err);
  }
  lua_pushlstring(L, hex, EH_SHA256_HEX - 1);
  return 1;
}

static int l_fnv(lua_State *L) {
  size_t len;
  const char *text = luaL_checklstring(L, 1, &len);
  lua_pushinteger(L, (lua_Integer)eh_fnv(EH_FNV_START, text, len));
  return 1;
}

/* The first 16 bytes of the text's SHA-256, as two big-endian integers. */
static int l_mix(lua_State *L) {
  size_t len;
  const char *text = luaL_checklstring(L, 1, &len);
  unsigned char digest[EH_SHA256_SIZE];
  struct eh_sha256 sha;
  eh_sha256_init(&sha);
  eh_sha256_add(&sha, text, len);
  eh_sha256_end(&sha, digest);
  for (int half = 0; half < 2; half++) {
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
      number = number << 8 | digest[8 * half + i];
    lua_pushinteger(L, (lua_Integer)number);
  }
  return 2;
}

static const luaL_Reg functions[] = {{"fnv", l_fnv},
                                     {"mix", l_mix},
                                     {"sha256", l_sha256},
                                     {"sha256_file", l_sha256_file},
                                     {NULL, NULL}};

int luaopen_evalhost_native_digest(lua_State *L) {
  luaL_newlib(L, functions);
  return 1;
}
