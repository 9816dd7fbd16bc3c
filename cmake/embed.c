/* embed.c: a tool of the build: compiles Lua files to a C table of bytecode,
 * so that a small suite does not wait for the library to be parsed. A file
 * with a syntax error fails the build.
 *
 *   embed OUT.c ROOT FILE...        FILE is relative to ROOT */
#include <lauxlib.h>
#include <lua.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int put_bytes(lua_State *L, const void *bytes, size_t len, void *out) {
  const unsigned char *p = bytes;
  (void)L;
  for (size_t i = 0; i < len; i++)
    if (fprintf(out, "%u,", p[i]) < 0)
      return 1;
  return 0;
}

/* Pushes the text of the file. */
static void push_file(lua_State *L, const char *root, const char *name) {
  char part[4096];
  size_t len;
  luaL_Buffer text;
  FILE *file = fopen(lua_pushfstring(L, "%s/%s", root, name), "rb");
  if (file == NULL)
    luaL_error(L, "cannot read %s", lua_tostring(L, -1));
  luaL_buffinit(L, &text);
  while ((len = fread(part, 1, sizeof part, file)) > 0)
    luaL_addlstring(&text, part, len);
  fclose(file);
  luaL_pushresult(&text);
}

static void write_array(lua_State *L, FILE *out, int n, const char *root,
                        const char *name) {
  size_t len;
  const char *text;
  push_file(L, root, name);
  text = lua_tolstring(L, -1, &len);
  if (luaL_loadbufferx(L, text, len, lua_pushfstring(L, "@%s", name), "t") !=
      LUA_OK)
    lua_error(L);
  fprintf(out, "static const unsigned char script_%d[] = {", n);
  if (lua_dump(L, put_bytes, out, 0) != 0)
    luaL_error(L, "cannot write the bytecode of %s", name);
  fprintf(out, "};\n");
  lua_settop(L, 0);
}

/* "evalhost/report/init.lua" is the module evalhost.report.init. */
static void write_row(lua_State *L, FILE *out, int n, const char *name) {
  const char *stem = lua_pushlstring(L, name, strlen(name) - strlen(".lua"));
  fprintf(out, "    {\"%s\", \"%s\", script_%d, sizeof script_%d},\n",
          luaL_gsub(L, stem, "/", "."), name, n, n);
  lua_settop(L, 0);
}

static int embed(lua_State *L) {
  char **argv = lua_touserdata(L, 1);
  FILE *out = fopen(argv[1], "w");
  lua_settop(L, 0);
  if (out == NULL)
    return luaL_error(L, "cannot write %s", argv[1]);
  fprintf(out, "/* Made by cmake/embed.c from scripts/; do not edit. */\n"
               "#include \"vm/scripts.h\"\n\n");
  for (int i = 3; argv[i] != NULL; i++)
    write_array(L, out, i, argv[2], argv[i]);
  fprintf(out, "\nconst struct eh_script eh_scripts[] = {\n");
  for (int i = 3; argv[i] != NULL; i++)
    write_row(L, out, i, argv[i]);
  fprintf(out, "    {0, 0, 0, 0}};\n");
  if (fclose(out) != 0)
    return luaL_error(L, "cannot write %s", argv[1]);
  return 0;
}

int main(int argc, char **argv) {
  lua_State *L = luaL_newstate();
  if (argc < 3 || L == NULL)
    return EXIT_FAILURE;
  lua_pushcfunction(L, embed);
  lua_pushlightuserdata(L, argv);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
    fprintf(stderr, "embed: %s\n", lua_tostring(L, -1));
    return EXIT_FAILURE;
  }
  lua_close(L);
  return EXIT_SUCCESS;
}
