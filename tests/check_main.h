/* check_main.h: the main function of a Check program with one test case.
 * Write START_TESTs, then
 *   CHECK_MAIN(name, test_a, test_b, ...)
 */
#ifndef EH_TESTS_CHECK_MAIN_H
#define EH_TESTS_CHECK_MAIN_H

#include <check.h>
#include <stdlib.h>

#define CHECK_MAIN(name, ...)                                                  \
  int main(void) {                                                             \
    const TTest *const tests[] = {__VA_ARGS__};                                \
    Suite *suite = suite_create(#name);                                        \
    TCase *tcase = tcase_create(#name);                                        \
    SRunner *runner;                                                           \
    int failed;                                                                \
    tcase_set_timeout(tcase, 60);                                              \
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)                \
      tcase_add_test(tcase, tests[i]);                                         \
    suite_add_tcase(suite, tcase);                                             \
    runner = srunner_create(suite);                                            \
    srunner_run_all(runner, CK_NORMAL);                                        \
    failed = srunner_ntests_failed(runner);                                    \
    srunner_free(runner);                                                      \
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;                          \
  }

#endif
