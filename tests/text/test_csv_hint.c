/* test_csv_hint.c: the advice of the CSV reader fits the fault. */
#include "text/csv_hint.h"

#include "check_main.h"

#include <string.h>

/* The hint of the first problem in a text. */
static struct eh_csv_problem first_problem(const char *text) {
  struct eh_csv *csv = eh_csv_new(NULL);
  struct eh_csv_row row;
  struct eh_csv_problem problem;
  enum eh_csv_event event;
  eh_csv_feed(csv, text, strlen(text));
  eh_csv_finish(csv);
  do
    event = eh_csv_next(csv, &row, &problem);
  while (event == EH_CSV_ROW);
  ck_assert_int_eq(event, EH_CSV_PROBLEM);
  eh_csv_free(csv);
  return problem;
}

START_TEST(hints_fit_the_fault) {
  struct eh_csv_problem problem;
  problem = first_problem("a,b\n1,{\"x\": 1, \"y\": 2}\n");
  ck_assert_ptr_nonnull(strstr(problem.hint, "quotes around JSON"));
  ck_assert_ptr_nonnull(strstr(problem.err.msg, "3 cells"));
  problem = first_problem("a,b\n1,'{\"x\": 1, \"y\": 2}'\n");
  ck_assert_ptr_nonnull(strstr(problem.hint, "not with '"));
  problem = first_problem("a,b\n1, \"x,y\"\n");
  ck_assert_ptr_nonnull(strstr(problem.hint, "no space"));
  problem = first_problem("a,b\n1,\"{\"x\": 1}\"\n");
  ck_assert_ptr_nonnull(strstr(problem.hint, "twice"));
  ck_assert_ptr_nonnull(strstr(problem.err.msg, "column 3"));
  problem = first_problem("a,b\n1,\"x\n2,\"y\"\n");
  ck_assert_ptr_nonnull(strstr(problem.err.msg, "line 2, column 3"));
  problem = first_problem("a,b\n1,\xE9\n");
  ck_assert_int_eq(problem.err.code, EH_EUTF8);
  ck_assert_ptr_nonnull(strstr(problem.hint, "iconv"));
  ck_assert_uint_eq(problem.number, 1);
}
END_TEST

CHECK_MAIN(csv_hint, hints_fit_the_fault)
