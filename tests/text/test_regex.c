/* test_regex.c: matching, groups, errors, and the limits. */
#include "text/regex.h"

#include "base/alloc.h"
#include "check_main.h"

#include <string.h>

static struct eh_regex *compile(const char *pattern, bool icase) {
  struct eh_regex_options options = {.icase = icase};
  struct eh_regex *regex;
  struct eh_err err;
  int rc = eh_regex_compile(&regex, pattern, strlen(pattern), &options, &err);
  ck_assert_msg(rc == 0, "%s: %s", pattern, err.msg);
  return regex;
}

static bool search(struct eh_regex *regex, const char *text) {
  struct eh_err err;
  bool found;
  ck_assert_int_eq(eh_regex_search(regex, text, strlen(text), 0, &found, &err),
                   0);
  return found;
}

static bool matches(const char *pattern, const char *text, bool icase) {
  struct eh_regex *regex = compile(pattern, icase);
  bool found = search(regex, text);
  eh_regex_free(regex);
  return found;
}

START_TEST(simple_matches) {
  ck_assert(matches("b+", "abba", false));
  ck_assert(!matches("B+", "abba", false));
  ck_assert(matches("B+", "abba", true));
  ck_assert(matches("", "", false));
  ck_assert(matches("^\\w+$", "\xC3\x89t\xC3\xA9", false));
  ck_assert(matches("\xC3\x89", "\xC3\xA9", true));
  ck_assert(matches("^.$", "\xE2\x82\xAC", false));
  ck_assert(matches("(?<=a)b(?!c)", "abd", false));
}
END_TEST

START_TEST(groups) {
  struct eh_regex *regex = compile("(\\d+)-(x)?(\\d+)", false);
  struct eh_span span;
  ck_assert_uint_eq(eh_regex_groups(regex), 3);
  ck_assert(search(regex, "at 12-345"));
  ck_assert(eh_regex_group(regex, 0, &span));
  ck_assert_uint_eq(span.first, 3);
  ck_assert_uint_eq(span.end, 9);
  ck_assert(eh_regex_group(regex, 1, &span));
  ck_assert_uint_eq(span.end, 5);
  ck_assert(!eh_regex_group(regex, 2, &span));
  ck_assert(eh_regex_group(regex, 3, &span));
  ck_assert_uint_eq(span.first, 6);
  eh_regex_free(regex);
}
END_TEST

START_TEST(searching_on) {
  struct eh_regex *regex = compile("a", false);
  const char *text = "a\xC3\xA9"
                     "a";
  struct eh_span span;
  struct eh_err err;
  bool found;
  ck_assert_int_eq(eh_regex_search(regex, text, 4, 1, &found, &err), 0);
  ck_assert(found && eh_regex_group(regex, 0, &span));
  ck_assert_uint_eq(span.first, 3);
  ck_assert_int_eq(eh_regex_search(regex, text, 4, 4, &found, &err), 0);
  ck_assert(!found);
  ck_assert_int_eq(eh_regex_search(regex, text, 4, 2, &found, &err), EH_EARG);
  ck_assert_int_eq(eh_regex_search(regex, text, 4, 5, &found, &err), EH_EARG);
  eh_regex_free(regex);
}
END_TEST

START_TEST(bad_patterns) {
  struct eh_regex *regex;
  struct eh_err err;
  char *big = eh_malloc(EH_REGEX_MAX_PATTERN + 1);
  ck_assert_int_eq(eh_regex_compile(&regex, "ab(", 3, NULL, &err), EH_EPARSE);
  ck_assert_ptr_null(regex);
  ck_assert_uint_eq(err.offset, 3);
  ck_assert_ptr_nonnull(strstr(err.msg, "parenthesis"));
  ck_assert_int_eq(eh_regex_compile(&regex, "a\\Cb", 4, NULL, &err), EH_EPARSE);
  ck_assert_int_eq(eh_regex_compile(&regex, "a\xFF", 2, NULL, &err), EH_EUTF8);
  ck_assert_uint_eq(err.offset, 1);
  memset(big, 'a', EH_REGEX_MAX_PATTERN + 1);
  ck_assert_int_eq(
      eh_regex_compile(&regex, big, EH_REGEX_MAX_PATTERN + 1, NULL, &err),
      EH_ELIMIT);
  eh_free(big);
  eh_regex_free(NULL);
}
END_TEST

START_TEST(bad_texts) {
  struct eh_regex *regex = compile("b", false);
  struct eh_err err;
  bool found = true;
  ck_assert_int_eq(eh_regex_search(regex,
                                   "a\xFF"
                                   "b",
                                   3, 0, &found, &err),
                   EH_EUTF8);
  ck_assert(!found);
  ck_assert_uint_eq(err.offset, 1);
  eh_regex_free(regex);
}
END_TEST

START_TEST(exponential_patterns_are_stopped) {
  struct eh_regex *regex = compile("^(a+)+$", false);
  struct eh_err err;
  bool found = true;
  ck_assert_int_eq(eh_regex_search(regex,
                                   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
                                   39, 0, &found, &err),
                   EH_EMATCHLIMIT);
  ck_assert(!found);
  ck_assert(search(regex, "aaaa"));
  eh_regex_free(regex);
}
END_TEST

START_TEST(each_limit_is_an_option) {
  struct eh_regex_options options[] = {
      {.match_limit = 50}, {.depth_limit = 5}, {.heap_kib = 1}};
  size_t len = 100000;
  char *text = eh_malloc(len);
  memset(text, 'a', len);
  for (size_t i = 0; i < 3; i++) {
    struct eh_regex *regex;
    struct eh_err err;
    bool found;
    ck_assert_int_eq(
        eh_regex_compile(&regex, "(?:(a)|b)*[cd]", 14, &options[i], &err), 0);
    ck_assert_int_eq(eh_regex_search(regex, text, len, 0, &found, &err),
                     EH_EMATCHLIMIT);
    eh_regex_free(regex);
  }
  eh_free(text);
}
END_TEST

CHECK_MAIN(regex, simple_matches, groups, searching_on, bad_patterns, bad_texts,
           exponential_patterns_are_stopped, each_limit_is_an_option)
