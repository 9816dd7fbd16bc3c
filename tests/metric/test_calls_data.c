/* test_calls_data.c: tool_selection and argument_match on the cases that the
 * rules of the FinAgent guide decide, with third-party expected values. */
#include "check_main.h"
#include "data.h"
#include "metric/calls.h"

static struct eh_call call_of(const struct eh_json *name) {
  return (struct eh_call){name->as.text.ptr, name->as.text.len, NULL, 0};
}

/* expected_tool and expected_args: one of each, or two parallel arrays. */
static struct eh_calls expected_calls(struct eh_arena *arena,
                                      const struct eh_json *row) {
  const struct eh_json *tool = data_get(row, "expected_tool");
  const struct eh_json *args = data_get(row, "expected_args");
  bool many = tool->type == EH_JSON_ARRAY;
  size_t count = many ? tool->as.array.count : 1;
  struct eh_call *items = eh_arena_alloc(arena, count * sizeof *items);
  for (size_t i = 0; i < count; i++) {
    items[i] = call_of(many ? &tool->as.array.items[i] : tool);
    eh_call_set_args(arena, &items[i], many ? &args->as.array.items[i] : args);
  }
  return (struct eh_calls){items, count};
}

static struct eh_calls actual_calls(struct eh_arena *arena,
                                    const struct eh_json *row) {
  const struct eh_json *list = data_get(row, "actual_calls");
  size_t count = list->as.array.count;
  struct eh_call *items = eh_arena_alloc(arena, count * sizeof *items);
  for (size_t i = 0; i < count; i++) {
    items[i] = call_of(data_get(&list->as.array.items[i], "name"));
    eh_call_set_args(arena, &items[i],
                     data_get(&list->as.array.items[i], "args"));
  }
  return (struct eh_calls){items, count};
}

static bool row_agrees(const char *line, size_t len) {
  struct eh_selection_opts opts = {false, false};
  struct eh_args_result result;
  struct eh_names names;
  struct eh_arena arena;
  struct eh_buf reason;
  struct eh_json row;
  struct eh_calls expected, actual;
  double selection, wanted_selection, wanted_args;
  eh_arena_init(&arena);
  eh_buf_init(&reason, EH_MAX_MESSAGE);
  row = data_parse(&arena, line, len);
  expected = expected_calls(&arena, &row);
  actual = actual_calls(&arena, &row);
  eh_calls_names(&arena, expected, actual, false, &names);
  selection = eh_calls_selection(expected, actual, &opts, &names, &reason);
  ck_assert_int_eq(eh_calls_args(&arena, expected, actual, NULL, &result), 0);
  eh_calls_args_reason(expected, &result, &reason);
  wanted_selection = data_number(data_get(&row, "tool_selection"));
  wanted_args = data_number(data_get(&row, "argument_match"));
  ck_assert_double_eq_tol(selection, wanted_selection, 1e-15);
  ck_assert_msg(result.value == wanted_args, "%s: got %g, expected %g (%s)",
                data_get(&row, "id")->as.text.ptr, result.value, wanted_args,
                reason.data);
  eh_buf_free(&reason);
  eh_arena_free(&arena);
  return true;
}

START_TEST(test_seed_rule_cases) {
  FILE *file = data_open("trajectories/seed_rule_cases.jsonl");
  char *line = NULL;
  size_t room = 0, rows = 0;
  ssize_t len;
  ck_assert_ptr_nonnull(file);
  while ((len = getline(&line, &room, file)) > 0)
    rows += row_agrees(line, (size_t)len);
  free(line);
  fclose(file);
  printf("seed_rule_cases: %zu rows agree\n", rows);
  ck_assert_uint_eq(rows, 60);
}
END_TEST

int main(void) {
  FILE *file = data_open("trajectories/seed_rule_cases.jsonl");
  TCase *tcase = tcase_create("calls_data");
  Suite *suite = suite_create("calls_data");
  SRunner *runner = srunner_create(suite);
  int failed;
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_seed_rule_cases);
  if (file == NULL) {
    srunner_free(runner);
    return 77;
  }
  fclose(file);
  srunner_run_all(runner, CK_NORMAL);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
