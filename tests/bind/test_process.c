/* test_process.c: programs run from fibers. */
#include "fibers.h"

#include "check_main.h"

static struct fibers fibers;

static void script(const char *text) {
  fibers_open(&fibers, "process", luaopen_evalhost_native_process);
  fibers_run(&fibers, text);
  fibers_close(&fibers);
}

START_TEST(test_results) {
  script("local r, e = process.run { argv = { 'cat' }, stdin = 'a\\0b' }\n"
         "assert(e == nil and r.code == 0 and r.signal == nil)\n"
         "assert(r.stdout == 'a\\0b' and r.stderr == '')\n"
         "r = process.run { argv = { 'sh', '-c', 'echo x >&2; exit 3' } }\n"
         "assert(r.code == 3 and r.stderr == 'x\\n')\n"
         "r = process.run { argv = { 'sh', '-c', 'kill -9 $$' } }\n"
         "assert(r.code == nil and r.signal == 'SIGKILL')\n"
         "r = process.run { argv = { 'pwd' }, cwd = '/' }\n"
         "assert(r.stdout == '/\\n')");
}
END_TEST

START_TEST(test_environment) {
  setenv("EVALHOST_TEST_A", "1", 1);
  setenv("EVALHOST_TEST_B", "2", 1);
  setenv("EVALHOST_TEST_C", "3", 1);
  script("local r = process.run {\n"
         "  argv = { 'sh', '-c', 'env | grep EVALHOST_TEST | sort' },\n"
         "  env = { EVALHOST_TEST_B = 'x=y', EVALHOST_TEST_C = false,\n"
         "    EVALHOST_TEST_D = '' } }\n"
         "assert(r.stdout == 'EVALHOST_TEST_A=1\\nEVALHOST_TEST_B=x=y\\n'\n"
         "  .. 'EVALHOST_TEST_D=\\n', r.stdout)");
}
END_TEST

START_TEST(test_failures_are_returned) {
  script(
      "local r, e = process.run { argv = { 'no-such-program-here' } }\n"
      "assert(r == nil and e.code == 'not_found', e.code)\n"
      "r, e = process.run { argv = { 'yes' }, max_bytes = 1000 }\n"
      "assert(r == nil and e.code == 'too_large')\n"
      "r, e = process.run { argv = { 'sh', '-c', 'echo why >&2; sleep 9' },\n"
      "  timeout = 0.2 }\n"
      "assert(r == nil and e.code == 'timeout' and e.stderr == 'why\\n')");
}
END_TEST

START_TEST(test_mistakes_raise) {
  script("local function bad(pattern, ...)\n"
         "  local ok, e = pcall(process.run, ...)\n"
         "  assert(not ok and tostring(e):find(pattern), tostring(e))\n"
         "end\n"
         "bad('table', nil)\n"
         "bad('argv is missing', {})\n"
         "bad('argv', { argv = 'ls' })\n"
         "bad('argv', { argv = {} })\n"
         "bad('argv', { argv = { 'ls', 1 } })\n"
         "bad('argv', { argv = { 'ls\\0' } })\n"
         "bad('env', { argv = { 'ls' }, env = { 'A=1' } })\n"
         "bad('env', { argv = { 'ls' }, env = { ['A=B'] = '1' } })\n"
         "bad('env', { argv = { 'ls' }, env = { A = 1 } })\n"
         "bad('timeout', { argv = { 'ls' }, timeout = -1 })\n"
         "bad('max_bytes', { argv = { 'ls' }, max_bytes = 0 })");
}
END_TEST

START_TEST(test_deadline_of_the_fiber) {
  script("local start = os.time()\n"
         "local ok, e = fiber.timeout(0.1, function()\n"
         "  return process.run { argv = { 'sleep', '30' } }\n"
         "end)\n"
         "assert(not ok and e.code == 'timeout')\n"
         "assert(os.time() - start < 10)");
}
END_TEST

CHECK_MAIN(process, test_results, test_environment, test_failures_are_returned,
           test_mistakes_raise, test_deadline_of_the_fiber)
