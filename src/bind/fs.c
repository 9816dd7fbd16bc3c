/* fs.c: evalhost.native.fs, files and paths. */
#include "bind/bind.h"
#include "bind/modules.h"

#include "base/file.h"
#include "base/path.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_TYPE "evalhost.fs.buffer"
#define WRITER_TYPE "evalhost.fs.writer"

static int buffer_gc(lua_State *L) {
  eh_buf_free(luaL_checkudata(L, 1, BUFFER_TYPE));
  return 0;
}

/* Pushes a userdata that keeps an empty buffer. */
static struct eh_buf *push_buffer(lua_State *L, size_t max) {
  struct eh_buf *buf = lua_newuserdatauv(L, sizeof *buf, 0);
  eh_buf_init(buf, max);
  luaL_setmetatable(L, BUFFER_TYPE);
  return buf;
}

/* A path argument: a NUL inside would cut it. */
static const char *check_path(lua_State *L, int arg) {
  size_t len;
  const char *path = luaL_checklstring(L, arg, &len);
  luaL_argcheck(L, len > 0, arg, "the path is empty");
  luaL_argcheck(L, strlen(path) == len, arg, "the path holds a NUL");
  luaL_argcheck(L, len < EH_MAX_PATH, arg, "the path is too long");
  return path;
}

/* Returns true, or nil and the error. */
static int done(lua_State *L, int rc, const struct eh_err *err) {
  if (rc != 0)
    return eh_push_fail(L, err);
  lua_pushboolean(L, 1);
  return 1;
}

static int l_read(lua_State *L) {
  const char *path = check_path(L, 1);
  lua_Integer max = luaL_optinteger(L, 2, (lua_Integer)EH_MAX_FILE_TEXT);
  struct eh_err err;
  struct eh_buf *text;
  luaL_argcheck(L, max >= 0 && max <= (lua_Integer)EH_MAX_FILE_TEXT, 2,
                "out of range");
  text = push_buffer(L, (size_t)max);
  if (eh_file_read(path, text, &err) != 0)
    return eh_push_fail(L, &err);
  lua_pushlstring(L, text->data, text->len);
  eh_buf_free(text); /* rather now than at the next collection */
  return 1;
}

static int l_write_atomic(lua_State *L) {
  const char *path = check_path(L, 1);
  size_t len;
  const char *text = luaL_checklstring(L, 2, &len);
  struct eh_file_writer writer;
  struct eh_err err;
  int rc = eh_file_writer_open(&writer, path, &err);
  if (rc == 0)
    rc = eh_file_writer_add(&writer, text, len, &err);
  if (rc == 0)
    rc = eh_file_writer_commit(&writer, &err);
  eh_file_writer_abort(&writer);
  return done(L, rc, &err);
}

static int l_writer(lua_State *L) {
  const char *path = check_path(L, 1);
  struct eh_file_writer *writer = lua_newuserdatauv(L, sizeof *writer, 0);
  struct eh_err err;
  memset(writer, 0, sizeof *writer);
  luaL_setmetatable(L, WRITER_TYPE);
  if (eh_file_writer_open(writer, path, &err) != 0)
    return eh_push_fail(L, &err);
  return 1;
}

static struct eh_file_writer *check_writer(lua_State *L) {
  struct eh_file_writer *writer = luaL_checkudata(L, 1, WRITER_TYPE);
  luaL_argcheck(L, writer->path != NULL, 1, "the writer is closed");
  return writer;
}

static int writer_write(lua_State *L) {
  struct eh_file_writer *writer = check_writer(L);
  size_t len;
  const char *text = luaL_checklstring(L, 2, &len);
  struct eh_err err;
  return done(L, eh_file_writer_add(writer, text, len, &err), &err);
}

static int writer_commit(lua_State *L) {
  struct eh_err err;
  return done(L, eh_file_writer_commit(check_writer(L), &err), &err);
}

static int writer_abort(lua_State *L) {
  eh_file_writer_abort(luaL_checkudata(L, 1, WRITER_TYPE));
  return 0;
}

static int l_mkdir(lua_State *L) {
  struct eh_err err;
  return done(L, eh_file_mkdir(check_path(L, 1), &err), &err);
}

static int l_remove(lua_State *L) {
  const char *path = check_path(L, 1);
  struct eh_err err;
  int rc = unlink(path) == 0 ? 0 : eh_err_errno(&err, errno, path);
  return done(L, rc, &err);
}

static int l_exists(lua_State *L) {
  lua_pushboolean(L, access(check_path(L, 1), F_OK) == 0);
  return 1;
}

static const char *type_name(mode_t mode) {
  if (S_ISREG(mode))
    return "file";
  if (S_ISDIR(mode))
    return "folder";
  return S_ISFIFO(mode) ? "pipe" : "other";
}

static int l_stat(lua_State *L) {
  const char *path = check_path(L, 1);
  struct stat info;
  struct eh_err err;
  if (stat(path, &info) != 0) {
    eh_err_errno(&err, errno, path);
    return eh_push_fail(L, &err);
  }
  lua_createtable(L, 0, 3);
  lua_pushstring(L, type_name(info.st_mode));
  lua_setfield(L, -2, "type");
  lua_pushinteger(L, info.st_size);
  lua_setfield(L, -2, "size");
  lua_pushinteger(L, (lua_Integer)info.st_mtim.tv_sec * 1000000 +
                         info.st_mtim.tv_nsec / 1000);
  lua_setfield(L, -2, "mtime");
  return 1;
}

static int l_is_regular(lua_State *L) {
  struct stat info;
  lua_pushboolean(L,
                  stat(check_path(L, 1), &info) == 0 && S_ISREG(info.st_mode));
  return 1;
}

static int l_absolute(lua_State *L) {
  const char *path = check_path(L, 1);
  const char *base = lua_isnoneornil(L, 2) ? NULL : check_path(L, 2);
  struct eh_buf *out = push_buffer(L, EH_MAX_PATH);
  struct eh_err err;
  if (eh_path_absolute(path, base, out, &err) != 0)
    return eh_push_fail(L, &err);
  lua_pushlstring(L, out->data, out->len);
  return 1;
}

static int l_dirname(lua_State *L) {
  const char *path = check_path(L, 1);
  size_t len = eh_path_folder(path);
  lua_pushlstring(L, len > 0 ? path : ".", len > 0 ? len : 1);
  return 1;
}

static int l_basename(lua_State *L) {
  size_t len;
  const char *name = eh_path_name(check_path(L, 1), &len);
  lua_pushlstring(L, name, len);
  return 1;
}

static int l_join(lua_State *L) {
  const char *folder = check_path(L, 1);
  const char *name = check_path(L, 2);
  if (name[0] == '/')
    lua_pushstring(L, name);
  else
    lua_pushfstring(L, "%s%s%s", folder,
                    folder[strlen(folder) - 1] == '/' ? "" : "/", name);
  return 1;
}

static int l_list(lua_State *L) {
  const char *path = check_path(L, 1);
  struct eh_buf *names = push_buffer(L, (size_t)64 << 20);
  struct eh_err err;
  const char *at;
  if (eh_file_list(path, names, &err) != 0)
    return eh_push_fail(L, &err);
  lua_newtable(L);
  at = names->data;
  for (lua_Integer i = 1; at < names->data + names->len; i++) {
    lua_pushstring(L, at);
    lua_rawseti(L, -2, i);
    at += strlen(at) + 1;
  }
  return 1;
}

static int l_spool(lua_State *L) {
  const char *path = check_path(L, 1);
  struct eh_buf *name = push_buffer(L, EH_MAX_PATH);
  struct eh_err err;
  if (eh_file_spool(path, name, &err) != 0)
    return eh_push_fail(L, &err);
  lua_pushlstring(L, name->data, name->len);
  return 1;
}

static const luaL_Reg functions[] = {{"read", l_read},
                                     {"write_atomic", l_write_atomic},
                                     {"writer", l_writer},
                                     {"mkdir", l_mkdir},
                                     {"remove", l_remove},
                                     {"exists", l_exists},
                                     {"stat", l_stat},
                                     {"is_regular", l_is_regular},
                                     {"absolute", l_absolute},
                                     {"dirname", l_dirname},
                                     {"basename", l_basename},
                                     {"join", l_join},
                                     {"list", l_list},
                                     {"spool", l_spool},
                                     {NULL, NULL}};

static const luaL_Reg writer_methods[] = {{"write", writer_write},
                                          {"commit", writer_commit},
                                          {"abort", writer_abort},
                                          {NULL, NULL}};

static const luaL_Reg writer_meta[] = {
    {"__gc", writer_abort}, {"__close", writer_abort}, {NULL, NULL}};

int luaopen_evalhost_native_fs(lua_State *L) {
  luaL_newmetatable(L, BUFFER_TYPE);
  lua_pushcfunction(L, buffer_gc);
  lua_setfield(L, -2, "__gc");
  luaL_newmetatable(L, WRITER_TYPE);
  luaL_setfuncs(L, writer_meta, 0);
  luaL_newlib(L, writer_methods);
  lua_setfield(L, -2, "__index");
  luaL_newlib(L, functions);
  return 1;
}
