/* test_tree.c: trees that are built, and equal keys in them. */
#include "check_main.h"
#include "parse.h"

#include "base/buf.h"

START_TEST(duplicate_keys_are_refused) {
  char *text;
  size_t len;
  struct eh_buf buf;
  ck_assert_int_eq(parse("{\"a\": 1, \"b\": 2, \"a\": 3}"), EH_EEXIST);
  ck_assert_uint_eq(err.offset, 17);
  ck_assert_str_eq(err.msg, "the key \"a\" occurs twice in one object");
  ck_assert_int_eq(parse("{\"a\": 1, \"\\u0061\": 3}"), EH_EEXIST);
  ck_assert_int_eq(parse("{\"a\": {\"a\": [{\"a\": 1}]}, \"A\": 2}"), 0);
  eh_buf_init(&buf, 1 << 20);
  for (int i = 0; i < 5000; i++)
    eh_buf_addf(&buf, "%s\"key%d\":%d", i ? "," : "{", i, i);
  eh_buf_adds(&buf, ",\"key4000\":0}");
  text = eh_buf_take(&buf, &len);
  ck_assert_int_eq(parse_n(text, len, NULL), EH_EEXIST);
  ck_assert_uint_eq(err.offset, len - 12);
  eh_free(text);
}
END_TEST

START_TEST(the_last_duplicate_wins_when_asked) {
  struct eh_json_opts opts = {.last_wins = true};
  const char *text = "{\"a\":1,\"b\":2,\"a\":{\"c\":0},\"b\":3,\"a\":4}";
  ck_assert_int_eq(parse_n(text, strlen(text), &opts), 0);
  ck_assert_uint_eq(value.as.object.count, 2);
  ck_assert_str_eq(value.as.object.members[0].key, "a");
  ck_assert(eh_json_get(&value, "a", 1)->as.integer == 4);
  ck_assert(eh_json_get(&value, "b", 1)->as.integer == 3);
}
END_TEST

START_TEST(objects_keep_their_order) {
  ck_assert_int_eq(parse("{\"z\": [1, {}, []], \"a\": {\"x\": null}, \"\": 0}"),
                   0);
  ck_assert_uint_eq(value.as.object.count, 3);
  ck_assert_str_eq(value.as.object.members[0].key, "z");
  ck_assert_uint_eq(value.as.object.members[0].value.as.array.count, 3);
  ck_assert_str_eq(value.as.object.members[2].key, "");
  ck_assert_ptr_eq((void *)eh_json_get(&value, "q", 1), NULL);
  ck_assert_str_eq(eh_json_type_name(eh_json_get(&value, "a", 1)), "object");
}
END_TEST

START_TEST(release) {
  eh_arena_free(&arena);
}
END_TEST

CHECK_MAIN(tree, duplicate_keys_are_refused, the_last_duplicate_wins_when_asked,
           objects_keep_their_order, release)
