/* test_restrict.c: what a suite may not call, each with its alternative. */
#include "check_main.h"
#include "vm/script.h"

START_TEST(forbidden_functions_name_the_alternative) {
  expect_error("os.exit(0)", "os.exit is not available in a suite: return");
  expect_error("os.execute('true')", "eval.process.run");
  expect_error("io.popen('true')", "eval.process.run");
  expect_error("io.read()", "io.open");
  expect_error("package.loadlib('x', 'y')", "write Lua");
}
END_TEST

START_TEST(the_watchdog_cannot_be_blinded) {
  expect_error("debug.sethook()", "hooks belong to the watchdog");
}
END_TEST

START_TEST(what_harms_nobody_is_there) {
  expect_ok("assert(os.time() and os.clock() and os.getenv and os.date()) "
            "local f = assert(io.open('/dev/null', 'w')) f:write('x') "
            "f:close() assert(io.lines and io.tmpfile and os.remove) "
            "assert(debug.traceback() and debug.getinfo(1)) "
            "assert(load('return 5')() == 5)");
}
END_TEST

CHECK_MAIN(restrict, forbidden_functions_name_the_alternative,
           the_watchdog_cannot_be_blinded, what_harms_nobody_is_there)
