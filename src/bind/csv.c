/* csv.c: evalhost.native.csv, reading and writing CSV. */
#include "bind/bind.h"
#include "bind/modules.h"

#include "base/buf.h"
#include "text/csv_file.h"
#include "text/csv_write.h"

#include <string.h>

#define READER_TYPE "evalhost.csv.reader"
#define BUFFER_TYPE "evalhost.csv.buffer"
#define PIECE       ((size_t)256 << 10) /* parse feeds so many bytes at once */
#define MAX_LINE    ((size_t)1 << 30)

/* A reader over a file, or over a text (fd -1). Closed: file.csv == NULL. */
struct reader {
  struct eh_csv_file file;
  const char *text; /* what is left of it */
  size_t left;
  bool started; /* the header was asked for */
};

static struct reader *to_reader(lua_State *L) {
  return luaL_checkudata(L, 1, READER_TYPE);
}

static struct reader *open_reader(lua_State *L) {
  struct reader *reader = to_reader(L);
  luaL_argcheck(L, reader->file.csv != NULL, 1, "the reader is closed");
  return reader;
}

static int l_close(lua_State *L) {
  eh_csv_file_close(&to_reader(L)->file);
  return 0;
}

static struct reader *push_reader(lua_State *L) {
  struct reader *reader = lua_newuserdatauv(L, sizeof *reader, 0);
  memset(reader, 0, sizeof *reader);
  reader->file.fd = -1;
  luaL_setmetatable(L, READER_TYPE);
  return reader;
}

static size_t get_count(lua_State *L, int arg, const char *name, size_t max) {
  lua_Integer value = 0;
  int is_integer = 1;
  if (lua_getfield(L, arg, name) != LUA_TNIL) {
    value = lua_tointegerx(L, -1, &is_integer);
    if (!is_integer || value < 1 || (size_t)value > max)
      luaL_error(L, "%s must be an integer from 1 to %I", name,
                 (LUAI_UACINT)max);
  }
  lua_pop(L, 1);
  return (size_t)value;
}

static void get_options(lua_State *L, int arg, struct eh_csv_options *options) {
  memset(options, 0, sizeof *options);
  if (lua_isnoneornil(L, arg))
    return;
  luaL_checktype(L, arg, LUA_TTABLE);
  options->max_problems = get_count(L, arg, "max_problems", 1000);
  options->max_record = get_count(L, arg, "max_record", EH_MAX_CSV_RECORD);
  lua_getfield(L, arg, "ragged");
  options->ragged = lua_toboolean(L, -1);
  lua_pop(L, 1);
}

static enum eh_csv_event next(struct reader *reader, struct eh_csv_row *row,
                              struct eh_csv_problem *problem) {
  enum eh_csv_event event;
  if (reader->file.fd >= 0)
    return eh_csv_file_next(&reader->file, row, problem);
  while ((event = eh_csv_next(reader->file.csv, row, problem)) == EH_CSV_MORE) {
    size_t size = reader->left < PIECE ? reader->left : PIECE;
    if (size == 0) {
      eh_csv_finish(reader->file.csv);
      continue;
    }
    eh_csv_feed(reader->file.csv, reader->text, size);
    reader->text += size;
    reader->left -= size;
  }
  return event;
}

static void push_row(lua_State *L, const struct eh_csv_row *row) {
  lua_createtable(L, (int)row->count, 0);
  for (size_t i = 0; i < row->count; i++) {
    lua_pushlstring(L, row->cells[i].text, row->cells[i].len);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
}

/* Pushes nil and the problem: the usual error table with more fields. */
static int push_problem(lua_State *L, const struct eh_csv_problem *problem) {
  lua_pushnil(L);
  eh_push_err(L, &problem->err);
  lua_pushstring(L, eh_csv_kind_name(problem->kind));
  lua_setfield(L, -2, "kind");
  lua_pushinteger(L, (lua_Integer)problem->number);
  lua_setfield(L, -2, "row");
  lua_pushinteger(L, (lua_Integer)problem->err.offset);
  lua_setfield(L, -2, "offset");
  lua_pushstring(L, problem->hint);
  lua_setfield(L, -2, "hint");
  lua_pushboolean(L, problem->fatal);
  lua_setfield(L, -2, "fatal");
  return 2;
}

static int push_next(lua_State *L, struct reader *reader) {
  struct eh_csv_row row;
  struct eh_csv_problem problem;
  reader->started = true;
  switch (next(reader, &row, &problem)) {
  case EH_CSV_ROW:
    push_row(L, &row);
    lua_pushinteger(L, (lua_Integer)row.line);
    lua_pushinteger(L, (lua_Integer)row.number);
    return 3;
  case EH_CSV_PROBLEM:
    return push_problem(L, &problem);
  default:
    lua_pushnil(L);
    return 1;
  }
}

static int l_open(lua_State *L) {
  size_t len;
  const char *path = luaL_checklstring(L, 1, &len);
  struct eh_csv_options options;
  struct reader *reader;
  struct eh_err err;
  luaL_argcheck(L, strlen(path) == len, 1, "the path holds a NUL");
  get_options(L, 2, &options);
  reader = push_reader(L);
  if (eh_csv_file_open(&reader->file, path, &options, &err) != 0)
    return eh_push_fail(L, &err);
  return 1;
}

static int l_header(lua_State *L) {
  struct reader *reader = open_reader(L);
  if (reader->started)
    return luaL_error(L, "the header was read already");
  return push_next(L, reader);
}

static int l_next(lua_State *L) {
  return push_next(L, open_reader(L));
}

/* The text stays on the stack (at 1), and with it the reader's bytes. */
static int l_parse(lua_State *L) {
  struct eh_csv_options options;
  struct eh_csv_row row;
  struct eh_csv_problem problem;
  enum eh_csv_event event;
  struct reader *reader;
  size_t len;
  const char *text = luaL_checklstring(L, 1, &len);
  get_options(L, 2, &options);
  reader = push_reader(L);
  reader->file.csv = eh_csv_new(&options);
  reader->text = text;
  reader->left = len;
  lua_newtable(L);
  for (lua_Integer i = 1; (event = next(reader, &row, &problem)) == EH_CSV_ROW;
       i++) {
    push_row(L, &row);
    lua_rawseti(L, -2, i);
  }
  eh_csv_file_close(&reader->file);
  return event == EH_CSV_PROBLEM ? push_problem(L, &problem) : 1;
}

/* Fills cells from the list at 1; numbers become strings in the list at 2,
 * which keeps them. */
static void get_cells(lua_State *L, struct eh_csv_cell *cells, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int type = lua_rawgeti(L, 1, (lua_Integer)i + 1);
    if (type != LUA_TSTRING && type != LUA_TNUMBER)
      luaL_error(L, "cell %d is a %s, not a string or a number", (int)i + 1,
                 lua_typename(L, type));
    cells[i].text = lua_tolstring(L, -1, &cells[i].len);
    lua_rawseti(L, 2, (lua_Integer)i + 1);
  }
}

static int l_encode(lua_State *L) {
  struct eh_buf *buf = lua_touserdata(L, lua_upvalueindex(1));
  struct eh_csv_cell *cells;
  unsigned flags = 0;
  size_t count;
  luaL_checktype(L, 1, LUA_TTABLE);
  if (!lua_isnoneornil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_getfield(L, 2, "formula_guard");
    flags = lua_toboolean(L, -1) ? EH_CSV_FORMULA_GUARD : 0;
  }
  lua_settop(L, 1);
  count = lua_rawlen(L, 1);
  lua_createtable(L, (int)count, 0);
  cells = lua_newuserdatauv(L, (count + 1) * sizeof *cells, 0);
  get_cells(L, cells, count);
  eh_buf_clear(buf);
  if (eh_csv_write_row(buf, cells, count, flags) != 0)
    return luaL_error(L, "the row is too large");
  lua_pushlstring(L, buf->data, buf->len);
  return 1;
}

static int buffer_gc(lua_State *L) {
  eh_buf_free(luaL_checkudata(L, 1, BUFFER_TYPE));
  return 0;
}

static const luaL_Reg functions[] = {
    {"encode", l_encode}, {"open", l_open}, {"parse", l_parse}, {NULL, NULL}};

static const luaL_Reg methods[] = {
    {"close", l_close}, {"header", l_header}, {"next", l_next}, {NULL, NULL}};

static const luaL_Reg metamethods[] = {
    {"__gc", l_close}, {"__close", l_close}, {NULL, NULL}};

int luaopen_evalhost_native_csv(lua_State *L) {
  struct eh_buf *buf;
  luaL_newmetatable(L, READER_TYPE);
  luaL_setfuncs(L, metamethods, 0);
  luaL_newlib(L, methods);
  lua_setfield(L, -2, "__index");
  luaL_newlibtable(L, functions);
  buf = lua_newuserdatauv(L, sizeof *buf, 0); /* upvalue 1: for encode */
  eh_buf_init(buf, MAX_LINE);
  if (luaL_newmetatable(L, BUFFER_TYPE)) {
    lua_pushcfunction(L, buffer_gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  luaL_setfuncs(L, functions, 1);
  return 1;
}
