/* test_path.c: paths as texts. */
#include "base/path.h"

#include "check_main.h"

#include <string.h>

static void becomes(const char *path, const char *base, const char *want) {
  struct eh_buf out;
  eh_buf_init(&out, EH_MAX_PATH);
  ck_assert_int_eq(eh_path_absolute(path, base, &out, NULL), 0);
  ck_assert_str_eq(out.data, want);
  eh_buf_free(&out);
}

START_TEST(makes_absolute) {
  becomes("/", NULL, "/");
  becomes("/a//b/./c/..", "/ignored", "/a/b");
  becomes("b", "/a", "/a/b");
  becomes("../b", "/a/c/", "/a/b");
  becomes("../../..", "/a", "/");
  becomes("", "/a", "/a");
  becomes("...", "/a", "/a/...");
}
END_TEST

START_TEST(refuses_what_is_too_long) {
  struct eh_buf out;
  struct eh_err err;
  char name[EH_MAX_PATH + 10];
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  eh_buf_init(&out, EH_MAX_PATH);
  ck_assert_int_eq(eh_path_absolute(name, "/", &out, &err), EH_ELIMIT);
  ck_assert_int_eq(eh_path_absolute("ok", "/", &out, &err), 0);
  ck_assert_str_eq(out.data, "/ok");
  eh_buf_free(&out);
}
END_TEST

START_TEST(splits) {
  static const struct {
    const char *path, *folder, *name;
  } rows[] = {{"/a/b", "/a", "b"}, {"/a", "/", "a"},    {"a", "", "a"},
              {"a/", "", "a"},     {"a//b/", "a", "b"}, {"/", "/", "/"},
              {"//a", "/", "a"},   {"", "", ""}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    size_t len;
    const char *name = eh_path_name(rows[i].path, &len);
    ck_assert_uint_eq(len, strlen(rows[i].name));
    ck_assert_mem_eq(name, rows[i].name, len);
    len = eh_path_folder(rows[i].path);
    ck_assert_uint_eq(len, strlen(rows[i].folder));
    ck_assert_mem_eq(rows[i].path, rows[i].folder, len);
  }
}
END_TEST

CHECK_MAIN(path, makes_absolute, refuses_what_is_too_long, splits)
