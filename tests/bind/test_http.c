/* test_http.c: requests from fibers. */
#include "fibers.h"
#include "net/server.h"

#include "check_main.h"

static struct fibers fibers;

static void answer(struct server *server, int fd, int number) {
  (void)number;
  while (server_request(server, fd)) {
    const char *text = server->last;
    if (strstr(text, "/slow") != NULL)
      server_sleep(20000);
    else if (strstr(text, "/cut") != NULL)
      server_say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart");
    else
      server_say(fd, "HTTP/1.1 418 Teapot\r\nContent-Length: 5\r\n"
                     "X-Two: a\r\nx-two: b\r\nX-Empty:\r\n\r\nhello");
    if (strstr(text, "/cut") != NULL)
      return;
  }
}

static void hold(struct server *server, int fd, int number) {
  char byte;
  (void)number;
  server_request(server, fd);
  while (recv(fd, &byte, 1, 0) > 0)
    ;
}

/* Runs the script with the global url of a server of this script. */
static void against(server_fn *fn, const char *script, struct server **kept) {
  struct server *server = server_start(fn);
  char url[64];
  unsetenv("http_proxy");
  unsetenv("all_proxy");
  fibers_open(&fibers, "http", luaopen_evalhost_native_http);
  snprintf(url, sizeof url, "http://127.0.0.1:%d", server->port);
  lua_pushstring(eh_vm_state(fibers.vm), url);
  lua_setglobal(eh_vm_state(fibers.vm), "url");
  fibers_run(&fibers, script);
  fibers_close(&fibers);
  if (kept != NULL)
    *kept = server;
  else
    server_stop(server);
}

START_TEST(test_reply) {
  struct server *server;
  against(answer,
          "local r, e = http.request { url = url .. '/x', method = 'PUT',\n"
          "  headers = { ['X-A'] = '1', ['X-B'] = { '2', '3' } },\n"
          "  body = 'a\\0b', timeout = math.huge }\n"
          "assert(e == nil and r.status == 418 and r.body == 'hello')\n"
          "assert(r.elapsed_ms >= r.first_byte_ms and r.first_byte_ms > 0)\n"
          "assert(r.headers['x-two'] == 'a, b')\n"
          "assert(r.headers['x-empty'] == '')\n"
          "assert(r.headers['content-length'] == '5')\n"
          "assert(rawget(r, 'headers') == r.headers)\n"
          "assert(r:header('X-TWO') == 'a, b' and r:header('x-empty') == '')\n"
          "assert(r:header('x-none') == nil and not pcall(r.header, {}, 'a'))\n"
          "assert(r.nothing == nil and r[1] == nil)\n"
          "r.json = 1; assert(r.json == 1)",
          &server);
  ck_assert_ptr_nonnull(strstr(server->last, "PUT /x "));
  ck_assert_ptr_nonnull(strstr(server->last, "X-A: 1\r\n"));
  ck_assert_ptr_nonnull(strstr(server->last, "X-B: 2\r\n"));
  ck_assert_ptr_nonnull(strstr(server->last, "X-B: 3\r\n"));
  ck_assert_ptr_nonnull(strstr(server->last, "Content-Length: 3\r\n"));
  server_stop(server);
}
END_TEST

START_TEST(test_failures_are_returned) {
  against(answer,
          "local r, e = http.request { url = url .. '/cut' }\n"
          "assert(r == nil and e.code == 'truncated' and e.retryable)\n"
          "assert(e.phase == nil and #e.message > 0)\n"
          "r, e = http.request { url = 'ftp://127.0.0.1/' }\n"
          "assert(r == nil and e.code == 'argument' and not e.retryable)\n"
          "r, e = http.request { url = url .. '/x', max_bytes = 4 }\n"
          "assert(r == nil and e.code == 'too_large' and not e.retryable)\n",
          NULL);
  against(hold,
          "local r, e = http.request { url = url .. '/slow', timeout = 0.05 }\n"
          "assert(r == nil and e.code == 'timeout' and e.retryable)\n"
          "assert(e.phase == 'first_byte')",
          NULL);
}
END_TEST

START_TEST(test_mistakes_raise) {
  against(answer,
          "local function bad(pattern, ...)\n"
          "  local ok, e = pcall(http.request, ...)\n"
          "  assert(not ok and tostring(e):find(pattern), tostring(e))\n"
          "end\n"
          "bad('table', nil)\n"
          "bad('url is missing', {})\n"
          "bad('url', { url = 1 })\n"
          "bad('NUL', { url = 'http://a\\0b' })\n"
          "bad('body', { url = url, body = {} })\n"
          "bad('timeout', { url = url, timeout = 0 })\n"
          "bad('timeout', { url = url, timeout = 0 / 0 })\n"
          "bad('timeout', { url = url, timeout = '1' })\n"
          "bad('max_bytes', { url = url, max_bytes = 0 })\n"
          "bad('headers', { url = url, headers = { 'a' } })\n"
          "bad('headers', { url = url, headers = { a = 1 } })\n"
          "bad('headers', { url = url, headers = { a = { {} } } })\n"
          "bad('NUL', { url = url, headers = { a = '\\0' } })\n"
          "local many = {}\n"
          "for i = 1, 200 do many['h' .. i] = 'x' end\n"
          "bad('more than', { url = url, headers = many })\n"
          "bad('more than', { url = url, headers = { a = { table.unpack(\n"
          "  setmetatable({}, { __index = function() return 'x' end }),\n"
          "  1, 200) } } })",
          NULL);
  fibers_open(&fibers, "http", luaopen_evalhost_native_http);
  ck_assert_int_ne(luaL_dostring(eh_vm_state(fibers.vm),
                                 "http.request { url = 'http://a' }"),
                   LUA_OK); /* not in a fiber */
  fibers_close(&fibers);
}
END_TEST

/* A fiber's deadline ends its request, and names how far that was. */
START_TEST(test_deadline_of_the_fiber) {
  against(hold,
          "local ok, e = fiber.timeout(0.05, function()\n"
          "  return http.request { url = url }\n"
          "end)\n"
          "assert(not ok and e.code == 'timeout', e.code)\n"
          "assert(e.phase == 'first_byte', e.phase)",
          NULL);
}
END_TEST

START_TEST(test_many_and_collected) {
  against(answer,
          "local all, sum = {}, 0\n"
          "for i = 1, 100 do\n"
          "  all[i] = fiber.spawn(function()\n"
          "    for _ = 1, 5 do\n"
          "      local r = assert(http.request { url = url, body = 'x' })\n"
          "      sum = sum + #r.body\n"
          "    end\n"
          "    collectgarbage()\n"
          "  end)\n"
          "end\n"
          "for i = 1, 100 do assert(all[i]:join()) end\n"
          "assert(sum == 2500, sum)",
          NULL);
}
END_TEST

/* The state goes while requests are in flight. */
START_TEST(test_state_is_freed_in_flight) {
  struct server *server = server_start(hold);
  char script[128];
  fibers_open(&fibers, "http", luaopen_evalhost_native_http);
  snprintf(script, sizeof script,
           "fiber.spawn(function() http.request { url = "
           "'http://127.0.0.1:%d' } end)",
           server->port);
  ck_assert_int_eq(luaL_loadstring(eh_vm_state(fibers.vm), script), LUA_OK);
  eh_vm_spawn(fibers.vm, 0, fibers_ended, &fibers);
  eh_vm_drain(fibers.vm, NULL);
  fibers_close(&fibers);
  server_stop(server);
}
END_TEST

CHECK_MAIN(http, test_reply, test_failures_are_returned, test_mistakes_raise,
           test_deadline_of_the_fiber, test_many_and_collected,
           test_state_is_freed_in_flight)
