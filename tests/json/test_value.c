/* test_value.c: looking into value trees. */
#include "check_main.h"
#include "parse.h"

START_TEST(members_are_found_by_key) {
  ck_assert_int_eq(parse("{\"a\": 1, \"\": 2, \"a\\u0000\": 3}"), 0);
  ck_assert(eh_json_get(&value, "a", 1)->as.integer == 1);
  ck_assert(eh_json_get(&value, "", 0)->as.integer == 2);
  ck_assert(eh_json_get(&value, "a\0", 2)->as.integer == 3);
  ck_assert_ptr_null(eh_json_get(&value, "b", 1));
  ck_assert_ptr_null(eh_json_get(NULL, "a", 1));
  ck_assert_int_eq(parse("[1]"), 0);
  ck_assert_ptr_null(eh_json_get(&value, "a", 1));
}
END_TEST

START_TEST(types_have_the_names_of_json) {
  static const char *rows[][2] = {{"null", "null"},
                                  {"true", "boolean"},
                                  {"1", "number"},
                                  {"1.5", "number"},
                                  {"99999999999999999999", "number"},
                                  {"\"\"", "string"},
                                  {"[]", "array"},
                                  {"{}", "object"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ck_assert_int_eq(parse(rows[i][0]), 0);
    ck_assert_str_eq(eh_json_type_name(&value), rows[i][1]);
  }
}
END_TEST

START_TEST(release) {
  eh_arena_free(&arena);
}
END_TEST

CHECK_MAIN(value, members_are_found_by_key, types_have_the_names_of_json,
           release)
