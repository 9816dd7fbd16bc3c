/* http.c: evalhost.native.http, one HTTP request as a wait of a fiber. */
#include "net/http.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "bind/bind.h"
#include "bind/host.h"
#include "bind/modules.h"
#include "evalhost/version.h"

#include <stdlib.h>
#include <string.h>

#define REQUEST_TYPE "evalhost.http.request"
#define REPLY_TYPE   "evalhost.http.reply"
#define WHAT         "evalhost.native.http.request"
#define MAX_HEADERS  128
#define MAX_SECONDS  1e9

struct request {
  struct eh_op op;
  struct eh_http_call *call;  /* in flight */
  struct eh_http_reply reply; /* after that; its buffers are ours */
  struct eh_err *err;         /* ours; NULL = it went well */
};

/* Where a reply table keeps its header block. */
static const char header_block;

/* Also __gc and __close. */
static int request_close(lua_State *L) {
  struct request *request = luaL_checkudata(L, 1, REQUEST_TYPE);
  if (request->call != NULL)
    eh_http_cancel(request->call);
  request->call = NULL;
  eh_buf_free(&request->reply.headers);
  eh_buf_free(&request->reply.body);
  eh_free(request->err);
  request->err = NULL;
  return 0;
}

static void request_cancel(struct eh_op *op) {
  struct request *request = (struct request *)op;
  eh_http_cancel(request->call);
  request->call = NULL;
}

static const char *request_phase(const struct eh_op *op) {
  const struct request *request = (const struct request *)op;
  return eh_http_phase_name(eh_http_phase_of(request->call));
}

static void request_done(void *arg, struct eh_http_reply *reply,
                         const struct eh_err *err) {
  struct request *request = arg;
  request->call = NULL;
  request->reply = *reply;
  eh_buf_init(&reply->headers, reply->headers.max);
  eh_buf_init(&reply->body, reply->body.max);
  if (err != NULL) {
    request->err = eh_malloc(sizeof *err);
    *request->err = *err;
  }
  eh_op_done(&request->op);
}

/* Whether the same request may go well at another time. */
static bool is_retryable(int code) {
  switch (code) {
  case EH_ECONNECT:
  case EH_EDNS:
  case EH_ETIMEOUT:
  case EH_ETRUNCATED:
  case EH_ERESET:
  case EH_EBUSY:
    return true;
  default:
    return false;
  }
}

static int push_failure(lua_State *L, const struct request *request) {
  eh_push_fail(L, request->err);
  if (request->err->code == EH_ETIMEOUT) {
    lua_pushstring(L, eh_http_phase_name(request->reply.phase));
    lua_setfield(L, -2, "phase");
  }
  lua_pushboolean(L, is_retryable(request->err->code));
  lua_setfield(L, -2, "retryable");
  return 2;
}

static int request_finish(lua_State *L, struct eh_op *op) {
  struct request *request = (struct request *)op;
  struct eh_http_reply *reply = &request->reply;
  if (request->err != NULL)
    return push_failure(L, request);
  lua_createtable(L, 0, 8);
  lua_pushinteger(L, reply->status);
  lua_setfield(L, -2, "status");
  lua_pushlstring(L, reply->body.data, reply->body.len);
  lua_setfield(L, -2, "body");
  lua_pushnumber(L, (lua_Number)reply->elapsed_ns / 1e6);
  lua_setfield(L, -2, "elapsed_ms");
  lua_pushnumber(L, (lua_Number)reply->first_byte_ns / 1e6);
  lua_setfield(L, -2, "first_byte_ms");
  lua_pushlstring(L, reply->headers.data, reply->headers.len);
  lua_rawsetp(L, -2, &header_block);
  luaL_setmetatable(L, REPLY_TYPE);
  eh_buf_free(&reply->headers);
  eh_buf_free(&reply->body);
  return 1;
}

/* Sets name (in lower case) of the table on top to value, or appends it to
 * what is there. */
static void add_header(lua_State *L, const char *name, size_t name_len,
                       const char *value, size_t len) {
  luaL_Buffer buf;
  char *lower = luaL_buffinitsize(L, &buf, name_len);
  size_t i;
  for (i = 0; i < name_len; i++)
    lower[i] =
        name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 32) : name[i];
  luaL_pushresultsize(&buf, name_len);    /* [table, name] */
  lua_pushvalue(L, -1);                   /* [table, name, name] */
  if (lua_rawget(L, -3) == LUA_TSTRING) { /* [table, name, old] */
    lua_pushliteral(L, ", ");
    lua_pushlstring(L, value, len);
    lua_concat(L, 3);
  } else {
    lua_pop(L, 1);
    lua_pushlstring(L, value, len);
  }
  lua_rawset(L, -3);
}

/* [.., block] -> [.., block, table] */
static void push_headers(lua_State *L) {
  struct eh_buf block = {0};
  const char *name, *value;
  size_t pos = 0, name_len, len;
  block.data = (char *)lua_tolstring(L, -1, &block.len); /* only read */
  lua_createtable(L, 0, 8);
  while ((value = eh_http_header_next(&block, &pos, &name, &name_len, &len)) !=
         NULL)
    add_header(L, name, name_len, value, len);
}

/* reply:header(name) -> its value or nil, without making the table of all. */
static int l_header(lua_State *L) {
  struct eh_buf block = {0};
  const char *name = luaL_checkstring(L, 2), *value;
  size_t pos = 0, len;
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, lua_rawgetp(L, 1, &header_block) == LUA_TSTRING, 1,
                   "reply");
  block.data = (char *)lua_tolstring(L, -1, &block.len); /* only read */
  lua_pushnil(L);
  while ((value = eh_http_header(&block, name, &pos, &len)) != NULL) {
    lua_pushlstring(L, value, len);
    if (lua_isnil(L, -2)) {
      lua_replace(L, -2);
    } else {
      lua_pushliteral(L, ", ");
      lua_insert(L, -2);
      lua_concat(L, 3);
    }
  }
  return 1;
}

/* __index: methods, and the headers, read when they are first asked for.
 * Upvalue 1 holds the methods. */
static int reply_index(lua_State *L) {
  const char *key = lua_tostring(L, 2);
  if (key == NULL || strcmp(key, "headers") != 0) {
    lua_settop(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    return 1;
  }
  if (lua_rawgetp(L, 1, &header_block) != LUA_TSTRING)
    return 0;
  push_headers(L);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -2);
  lua_rawset(L, 1);
  return 1;
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

static const char *text(lua_State *L, const char *name, size_t *len) {
  return field(L, name, LUA_TSTRING) ? lua_tolstring(L, -1, len) : NULL;
}

/* For libcurl, which knows no length: a NUL would hide what follows. */
static const char *line(lua_State *L, int idx, const char *name) {
  size_t len;
  const char *value = lua_tolstring(L, idx, &len);
  if (strlen(value) != len)
    luaL_error(L, WHAT ": %s: NUL inside", name);
  return value;
}

static uint64_t duration(lua_State *L, const char *name) {
  lua_Number seconds;
  if (!field(L, name, LUA_TNUMBER))
    return 0;
  seconds = lua_tonumber(L, -1);
  if (!(seconds > 0))
    luaL_error(L, WHAT ": %s: must be positive", name);
  if (seconds > MAX_SECONDS)
    seconds = MAX_SECONDS;
  return (uint64_t)(seconds * 1e9) + 1;
}

static void add_field(lua_State *L, struct eh_http_request *request,
                      struct eh_http_header *headers, int name, int value) {
  struct eh_http_header *header = &headers[request->header_count++];
  if (request->header_count > MAX_HEADERS)
    luaL_error(L, WHAT ": headers: more than %d", MAX_HEADERS);
  if (lua_type(L, value) != LUA_TSTRING)
    luaL_error(L, WHAT ": headers: %s: expected a string, got a %s",
               lua_tostring(L, name), luaL_typename(L, value));
  header->name = line(L, name, "headers");
  header->value = line(L, value, header->name);
}

/* Names and values stay in the table, which stays on the stack. */
static void read_headers(lua_State *L, struct eh_http_request *request,
                         struct eh_http_header *headers) {
  int table, i;
  request->headers = headers;
  if (!field(L, "headers", LUA_TTABLE))
    return;
  table = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, WHAT ": headers: names must be strings");
    if (lua_istable(L, -1)) {
      for (i = 1; lua_rawgeti(L, table + 2, i) != LUA_TNIL; i++) {
        add_field(L, request, headers, table + 1, -1);
        lua_pop(L, 1);
      }
      lua_pop(L, 1);
    } else {
      add_field(L, request, headers, table + 1, -1);
    }
    lua_pop(L, 1);
  }
}

static void read_request(lua_State *L, struct eh_http_request *request,
                         struct eh_http_header *headers) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  if (!field(L, "url", LUA_TSTRING))
    luaL_error(L, WHAT ": url is missing");
  request->url = line(L, -1, "url");
  request->body = text(L, "body", &request->body_len);
  request->method = request->body != NULL ? "POST" : "GET";
  if (field(L, "method", LUA_TSTRING))
    request->method = line(L, -1, "method");
  request->timeout_ns = duration(L, "timeout");
  request->connect_timeout_ns = duration(L, "connect_timeout");
  if (field(L, "max_bytes", LUA_TNUMBER)) {
    lua_Integer max = luaL_checkinteger(L, -1);
    if (max < 1)
      luaL_error(L, WHAT ": max_bytes: must be positive");
    request->max_bytes = (size_t)max;
  }
  read_headers(L, request, headers);
}

/* The client, made on first use. */
static struct eh_http *client_of(lua_State *L, struct eh_err *err) {
  static const struct eh_http_options named = {
      .user_agent = "evalhost/" EVALHOST_VERSION};
  struct eh_host *host = eh_host_of(L);
  if (host->http == NULL) {
    struct eh_http_options options = named;
    options.ca_file = getenv("SSL_CERT_FILE");
    host->http = eh_http_new(host->loop, &options, err);
  }
  return host->http;
}

static struct request *push_request(lua_State *L) {
  struct request *request = lua_newuserdatauv(L, sizeof *request, 0);
  memset(request, 0, sizeof *request);
  eh_buf_init(&request->reply.headers, 0);
  eh_buf_init(&request->reply.body, 0);
  luaL_setmetatable(L, REQUEST_TYPE);
  request->op.cancel = request_cancel;
  request->op.finish = request_finish;
  request->op.phase = request_phase;
  return request;
}

static int l_request(lua_State *L) {
  struct eh_http_header headers[MAX_HEADERS + 1];
  struct eh_http_request wanted = {0};
  struct eh_http *http;
  struct request *request;
  struct eh_err err;
  eh_await_check(L, WHAT);
  read_request(L, &wanted, headers);
  request = push_request(L);
  http = client_of(L, &err);
  if (http != NULL)
    request->call = eh_http_start(http, &wanted, request_done, request, &err);
  if (request->call != NULL)
    return eh_await(L, &request->op);
  eh_push_fail(L, &err);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "retryable");
  return 2;
}

int luaopen_evalhost_native_http(lua_State *L) {
  static const luaL_Reg functions[] = {{"request", l_request}, {NULL, NULL}};
  static const luaL_Reg request_meta[] = {
      {"__gc", request_close}, {"__close", request_close}, {NULL, NULL}};
  static const luaL_Reg reply_methods[] = {{"header", l_header}, {NULL, NULL}};
  luaL_newmetatable(L, REQUEST_TYPE);
  luaL_setfuncs(L, request_meta, 0);
  luaL_newmetatable(L, REPLY_TYPE);
  luaL_newlib(L, reply_methods);
  lua_pushcclosure(L, reply_index, 1);
  lua_setfield(L, -2, "__index");
  luaL_newlib(L, functions);
  return 1;
}
