/* test_calls.c: the rules of tool_selection, tools_exact, tool_minimality and
 * argument_match, one by one. */
#include "base/err.h"
#include "base/random.h"
#include "check_main.h"
#include "data.h"
#include "metric/calls.h"

#include <math.h>

static struct eh_arena arena;
static struct eh_buf reason;
static struct eh_args_result result;

static void start(void) {
  eh_arena_init(&arena);
  eh_buf_init(&reason, EH_MAX_MESSAGE);
}

static void finish(void) {
  eh_arena_free(&arena);
  eh_buf_free(&reason);
}

static struct eh_json *parse(const char *text) {
  struct eh_json *value = eh_arena_alloc(&arena, sizeof *value);
  *value = data_parse(&arena, text, strlen(text));
  return value;
}

/* [["name", arguments], ["name"], ...] */
static struct eh_calls calls(const char *text) {
  const struct eh_json *list = parse(text);
  size_t count = list->as.array.count;
  struct eh_call *items = eh_arena_alloc(&arena, count * sizeof *items + 1);
  for (size_t i = 0; i < count; i++) {
    const struct eh_json *pair = &list->as.array.items[i];
    const struct eh_json *name = &pair->as.array.items[0];
    items[i] = (struct eh_call){name->as.text.ptr, name->as.text.len, NULL, 0};
    if (pair->as.array.count > 1)
      eh_call_set_args(&arena, &items[i], &pair->as.array.items[1]);
  }
  return (struct eh_calls){items, count};
}

static double match_opts(const char *expected, const char *actual,
                         const struct eh_args_opts *opts) {
  struct eh_calls want = calls(expected);
  ck_assert_int_eq(eh_calls_args(&arena, want, calls(actual), opts, &result),
                   0);
  eh_buf_clear(&reason);
  eh_calls_args_reason(want, &result, &reason);
  return result.value;
}

/* One call each, of the arguments given, under the rules given. */
static double match_rules(const char *expected, const char *actual,
                          struct eh_field_rule *rules, size_t count) {
  struct eh_args_opts opts = {.rules = rules, .rule_count = count};
  char want[1024], got[1024];
  eh_rules_sort(rules, count);
  snprintf(want, sizeof want, "[[\"f\", %s]]", expected);
  snprintf(got, sizeof got, "[[\"f\", %s]]", actual);
  return match_opts(want, got, &opts);
}

static double match_rule(const char *expected, const char *actual,
                         struct eh_field_rule rule) {
  return match_rules(expected, actual, &rule, 1);
}

static double match(const char *expected, const char *actual) {
  return match_rules(expected, actual, NULL, 0);
}

#define close_to(a, b) ck_assert_double_eq_tol(a, b, 1e-12)

static double selection(const char *expected, const char *actual, bool as_set,
                        bool no_calls) {
  struct eh_selection_opts opts = {as_set, no_calls};
  struct eh_calls want = calls(expected), got = calls(actual);
  struct eh_names names;
  eh_calls_names(&arena, want, got, as_set, &names);
  eh_buf_clear(&reason);
  return eh_calls_selection(want, got, &opts, &names, &reason);
}

START_TEST(test_selection) {
  start();
  close_to(selection("[[\"a\"],[\"b\"]]", "[[\"a\"],[\"c\"]]", 0, 0), 0.5);
  ck_assert_str_eq(reason.data,
                   "1/2 expected tools called; missing b; extra c");
  close_to(selection("[[\"a\"],[\"a\"]]", "[[\"a\"]]", 0, 0), 0.5);
  close_to(selection("[[\"a\"],[\"a\"]]", "[[\"a\"]]", 1, 0), 1);
  close_to(selection("[[\"a\"]]", "[[\"a\"],[\"a\"]]", 1, 0), 1);
  ck_assert_str_eq(reason.data, "1/1 expected tools called");
  close_to(selection("[[\"a\"]]", "[]", 0, 0), 0);
  close_to(selection("[[\"a\"]]", "[[\"A\"]]", 0, 0), 0);
  close_to(selection("[]", "[[\"a\"]]", 0, 0), 1);
  close_to(selection("[]", "[[\"a\"]]", 0, 1), 0);
  close_to(selection("[]", "[]", 0, 1), 1);
  finish();
}
END_TEST

static double exact(const char *expected, const char *actual, bool order) {
  struct eh_calls want = calls(expected), got = calls(actual);
  struct eh_names names;
  eh_calls_names(&arena, want, got, false, &names);
  eh_buf_clear(&reason);
  return eh_calls_exact(want, got, order, &names, &reason);
}

static double minimality(const char *expected, const char *actual) {
  struct eh_calls want = calls(expected), got = calls(actual);
  struct eh_names names;
  eh_calls_names(&arena, want, got, false, &names);
  eh_buf_clear(&reason);
  return eh_calls_minimality(want, got, &names, &reason);
}

START_TEST(test_exact_and_minimality) {
  start();
  close_to(exact("[[\"a\"],[\"b\"]]", "[[\"b\"],[\"a\"]]", false), 1);
  close_to(exact("[[\"a\"],[\"b\"]]", "[[\"b\"],[\"a\"]]", true), 0);
  ck_assert_str_eq(reason.data, "call 1: expected a, got b");
  close_to(exact("[[\"a\"]]", "[[\"a\"],[\"a\"]]", false), 0);
  ck_assert_str_eq(reason.data, "other tools than expected; extra a");
  close_to(exact("[]", "[]", true), 1);
  close_to(minimality("[[\"a\"]]", "[[\"b\"]]"), 1);
  close_to(minimality("[[\"a\"]]", "[[\"a\"],[\"b\"]]"), 0);
  ck_assert_str_eq(reason.data, "2 calls, 1 expected; extra b");
  close_to(minimality("[[\"a\"]]", "[]"), 0);
  ck_assert_str_eq(reason.data, "0 calls, 1 expected; missing a");
  finish();
}
END_TEST

START_TEST(test_field_types) {
  start();
  close_to(match("{\"s\":\"AAPL\"}", "{\"s\":\"aapl\"}"), 1);
  close_to(match("{\"s\":\"AAPL\"}", "{\"s\":\"AAPL \"}"), 0);
  close_to(match("{\"s\":\"stra\xc3\x9f"
                 "e\"}",
                 "{\"s\":\"STRASSE\"}"),
           1);
  close_to(match("{\"n\":7}", "{\"n\":7.0}"), 1);
  close_to(match("{\"n\":0.3}", "{\"n\":0.30000000000000004}"), 1);
  close_to(match("{\"n\":7}", "{\"n\":7.00001}"), 0);
  close_to(match("{\"n\":7}", "{\"n\":\"7\"}"), 0);
  ck_assert_str_eq(reason.data,
                   "f: 0/1 fields; n: expected number 7, got string \"7\"");
  close_to(match("{\"b\":true}", "{\"b\":1}"), 0);
  close_to(match("{\"b\":1}", "{\"b\":true}"), 0);
  close_to(match("{\"b\":false}", "{\"b\":false}"), 1);
  close_to(match("{\"z\":null}", "{}"), 1);
  close_to(match("{\"z\":null}", "{\"z\":null}"), 1);
  close_to(match("{\"z\":null}", "{\"z\":0}"), 0);
  close_to(match("{\"z\":0}", "{\"z\":null}"), 0);
  close_to(match("{\"o\":{}}", "{\"o\":[]}"), 1);
  close_to(match("{\"o\":[]}", "{\"o\":{}}"), 1);
  close_to(match("{\"o\":{}}", "{\"o\":{\"x\":1}}"), 1);
  close_to(match("{\"o\":[]}", "{\"o\":[1]}"), 0);
  close_to(match("{\"o\":{}}", "{}"), 0);
  finish();
}
END_TEST

START_TEST(test_integers_are_exact) {
  start();
  close_to(match("{\"n\":9007199254740993}", "{\"n\":9007199254740992}"), 0);
  close_to(match("{\"n\":9223372036854775808}", "{\"n\":9223372036854775808}"),
           1);
  close_to(match("{\"n\":9223372036854775808}", "{\"n\":9223372036854775809}"),
           0);
  close_to(match("{\"n\":9223372036854775807}", "{\"n\":9223372036854775808}"),
           0);
  close_to(
      match("{\"n\":9223372036854775808}", "{\"n\":9.223372036854775808e18}"),
      1);
  finish();
}
END_TEST

START_TEST(test_shares) {
  start();
  close_to(match("{\"a\":1,\"b\":\"1mo\"}", "{\"a\":1}"), 0.5);
  ck_assert_str_eq(reason.data, "f: 1/2 fields; missing b (expected \"1mo\")");
  close_to(match("{\"a\":1}", "{\"a\":1,\"x\":2}"), 1);
  ck_assert_str_eq(reason.data, "f: 1/1 fields");
  close_to(match("{}", "{\"x\":2}"), 1);
  /* The inner object is one field of two, and half of it matches. */
  close_to(match("{\"a\":1,\"o\":{\"x\":1,\"y\":2}}",
                 "{\"a\":1,\"o\":{\"x\":1,\"y\":3}}"),
           0.75);
  ck_assert_str_eq(reason.data, "f: 1/2 fields; o.y: expected 2, got 3");
  /* Leaves count alike at any depth: three of four. */
  close_to(match("{\"o\":{\"x\":1,\"p\":{\"q\":1,\"r\":2,\"s\":3}}}",
                 "{\"o\":{\"p\":{\"q\":1,\"r\":2,\"s\":3}}}"),
           0.75);
  close_to(match("{\"o\":{\"x\":1,\"p\":{\"q\":1,\"r\":2}}}",
                 "{\"o\":{\"x\":1,\"p\":5}}"),
           1.0 / 3);
  ck_assert_str_eq(reason.data, "f: 0/1 fields; o.p: expected object "
                                "{\"q\": 1, \"r\": 2}, got number 5");
  finish();
}
END_TEST

START_TEST(test_calls_and_partners) {
  start();
  close_to(
      match_opts("[[\"a\",{\"x\":1}],[\"b\",{}]]", "[[\"a\",{\"x\":1}]]", NULL),
      0.5);
  ck_assert_str_eq(reason.data, "a: 1/1 fields\nb: not called");
  close_to(match_opts("[[\"b\"]]", "[[\"b\",{\"q\":1}]]", NULL), 1);
  ck_assert_str_eq(reason.data, "b: called, no fields expected");
  close_to(match_opts("[]", "[[\"b\"]]", NULL), 1);
  ck_assert_str_eq(reason.data, "no calls expected");
  close_to(match_opts("[[\"b\"]]", "[]", NULL), 0);
  finish();
}
END_TEST

START_TEST(test_arguments_as_text) {
  start();
  close_to(match("{\"a\":1}", "\"{\\\"a\\\":1}\""), 1);
  ck_assert_uint_eq(result.flags, 0);
  close_to(match("{\"a\":1}", "\"\\\"{\\\\\\\"a\\\\\\\":1}\\\"\""), 1);
  ck_assert_uint_eq(result.flags, EH_ARGS_DOUBLE_ENCODED);
  close_to(match("{\"a\":1}", "\"{a:1}\""), 0);
  ck_assert_uint_eq(result.flags, EH_ARGS_UNPARSEABLE);
  ck_assert_str_eq(reason.data, "f: args_unparseable");
  close_to(match("{}", "\"{a:1}\""), 0);
  close_to(match("{\"a\":1}", "[1]"), 0);
  ck_assert_uint_eq(result.flags, EH_ARGS_UNPARSEABLE);
  close_to(match("{\"a\":1}", "\"\\\"\\\\\\\"{}\\\\\\\"\\\"\""), 0);
  ck_assert_uint_eq(result.flags & EH_ARGS_UNPARSEABLE, EH_ARGS_UNPARSEABLE);
  close_to(match("{\"a\":null}", "null"), 1);
  close_to(match("{\"a\":1}", "[]"), 0);
  ck_assert_uint_eq(result.flags, 0);
  finish();
}
END_TEST

START_TEST(test_arrays) {
  struct eh_field_rule any = {.set = EH_RULE_ARRAYS,
                              .arrays = EH_ARRAYS_ANY_ORDER};
  struct eh_field_rule sub = {.set = EH_RULE_ARRAYS,
                              .arrays = EH_ARRAYS_SUBSET};
  start();
  close_to(match("{\"l\":[1,\"A\"]}", "{\"l\":[1,\"a\"]}"), 1);
  close_to(match("{\"l\":[1,2]}", "{\"l\":[2,1]}"), 0);
  close_to(match("{\"l\":[1]}", "{\"l\":[1,2]}"), 0);
  close_to(match_rule("{\"l\":[1,2,2]}", "{\"l\":[2,1,2]}", any), 1);
  close_to(match_rule("{\"l\":[1,2,2]}", "{\"l\":[2,1,1]}", any), 0);
  close_to(match_rule("{\"l\":[1,2]}", "{\"l\":[2,1,3]}", any), 0);
  close_to(match_rule("{\"l\":[1,2]}", "{\"l\":[3,2,1]}", sub), 1);
  close_to(match_rule("{\"l\":[1,1]}", "{\"l\":[1,2,3]}", sub), 0);
  close_to(match_rule("{\"l\":[]}", "{\"l\":[1]}", sub), 1);
  close_to(match_rule("{\"l\":[[1,2]]}", "{\"l\":[[2,1]]}", any), 1);
  /* The first element could take either; only one choice lets both match. */
  close_to(match_rule("{\"l\":[{\"a\":1},{\"a\":1,\"b\":2}]}",
                      "{\"l\":[{\"a\":1,\"b\":2},{\"a\":1}]}", any),
           1);
  finish();
}
END_TEST

START_TEST(test_case_tolerance_coerce) {
  struct eh_field_rule cased = {.set = EH_RULE_CASE, .exact_case = true};
  struct eh_field_rule wide = {.set = EH_RULE_TOLERANCE, .tolerance = 1};
  struct eh_field_rule rel = {.set = EH_RULE_RELATIVE, .relative = 0.1};
  struct eh_field_rule coerce = {.set = EH_RULE_COERCE, .coerce = true};
  start();
  close_to(match_rule("{\"s\":\"A\"}", "{\"s\":\"a\"}", cased), 0);
  close_to(match_rule("{\"n\":7}", "{\"n\":8}", wide), 1);
  close_to(match_rule("{\"n\":7}", "{\"n\":8.5}", wide), 0);
  close_to(match_rule("{\"n\":100}", "{\"n\":109}", rel), 1);
  close_to(match_rule("{\"n\":100}", "{\"n\":112}", rel), 0);
  close_to(match_rule("{\"n\":7,\"b\":true,\"s\":\"1.5\"}",
                      "{\"n\":\"7\",\"b\":\"True\",\"s\":1.5}", coerce),
           1);
  ck_assert_uint_eq(result.flags, EH_ARGS_COERCED);
  close_to(match_rule("{\"n\":7}", "{\"n\":\"7x\"}", coerce), 0);
  close_to(match_rule("{\"n\":1}", "{\"n\":\"true\"}", coerce), 0);
  close_to(match_rule("{\"n\":1}", "{\"n\":true}", coerce), 0);
  close_to(match_rule("{\"s\":\"a\"}", "{\"s\":\"A\"}", coerce), 1);
  ck_assert_uint_eq(result.flags, 0);
  finish();
}
END_TEST

START_TEST(test_accept_ignore_default) {
  struct eh_field_rule accept = {.path = "period", .set = EH_RULE_ACCEPT};
  struct eh_field_rule skip = {.path = "meta*", .set = EH_RULE_IGNORE};
  struct eh_field_rule fallback = {.path = "o.p", .set = EH_RULE_DEFAULT};
  start();
  accept.accept = parse("[\"30d\", null]");
  close_to(match_rule("{\"period\":\"1mo\"}", "{\"period\":\"30D\"}", accept),
           1);
  close_to(match_rule("{\"period\":\"1mo\"}", "{\"period\":\"1MO\"}", accept),
           1);
  close_to(match_rule("{\"period\":\"1mo\"}", "{}", accept), 1);
  close_to(match_rule("{\"period\":\"1mo\"}", "{\"period\":\"1y\"}", accept),
           0);
  ck_assert_str_eq(reason.data,
                   "f: 0/1 fields; period: expected \"1mo\", got \"1y\"");
  close_to(match_rule("{\"a\":1,\"meta_x\":1}", "{\"a\":1}", skip), 1);
  ck_assert_str_eq(reason.data, "f: 1/1 fields");
  close_to(match_rule("{\"meta\":1}", "{}", skip), 1);
  fallback.fallback = parse("\"1d\"");
  close_to(match_rule("{\"o\":{\"p\":\"1d\"}}", "{}", fallback), 1);
  close_to(
      match_rule("{\"o\":{\"p\":\"1d\"}}", "{\"o\":{\"p\":null}}", fallback),
      1);
  close_to(match_rule("{\"o\":{\"p\":\"5d\"}}", "{}", fallback), 0);
  close_to(
      match_rule("{\"o\":{\"p\":\"1d\"}}", "{\"o\":{\"p\":\"2d\"}}", fallback),
      0);
  finish();
}
END_TEST

START_TEST(test_extra_forbidden) {
  struct eh_field_rule rules[] = {{.set = EH_RULE_EXTRA, .no_extra = true},
                                  {.path = "trace", .set = EH_RULE_IGNORE},
                                  {.path = "period", .set = EH_RULE_DEFAULT}};
  start();
  rules[2].fallback = parse("\"1d\"");
  close_to(match_rules("{\"a\":1}", "{\"a\":1,\"x\":2}", rules, 3), 0.5);
  ck_assert_str_eq(reason.data, "f: 1/1 fields; extra x");
  close_to(match_rules("{}", "{\"x\":2}", rules, 3), 0);
  close_to(match_rules("{\"a\":1}", "{\"a\":1,\"x\":null}", rules, 3), 1);
  close_to(match_rules("{\"a\":1}", "{\"a\":1,\"trace\":7}", rules, 3), 1);
  close_to(match_rules("{\"a\":1}", "{\"a\":1,\"period\":\"1d\"}", rules, 3),
           1);
  close_to(match_rules("{\"a\":1}", "{\"a\":1,\"period\":\"2d\"}", rules, 3),
           0.5);
  close_to(
      match_rules("{\"o\":{\"a\":1}}", "{\"o\":{\"a\":1,\"b\":2}}", rules, 3),
      0.5);
  ck_assert_str_eq(reason.data, "f: 0/1 fields; extra o.b");
  finish();
}
END_TEST

START_TEST(test_rule_order) {
  struct eh_field_rule rules[] = {
      {.tool = "f", .path = "a", .set = EH_RULE_TOLERANCE, .tolerance = 4},
      {.path = "a", .set = EH_RULE_TOLERANCE, .tolerance = 3},
      {.path = "*", .set = EH_RULE_TOLERANCE, .tolerance = 2.5},
      {.tool = "f", .set = EH_RULE_TOLERANCE, .tolerance = 2},
      {.set = EH_RULE_TOLERANCE, .tolerance = 1},
      {.tool = "g", .path = "a", .set = EH_RULE_TOLERANCE, .tolerance = 100}};
  const double reach[] = {4, 3, 2.5, 2, 1};
  start();
  for (size_t skip = 0; skip < 5; skip++) {
    struct eh_field_rule some[6];
    char inside[32], outside[32];
    memcpy(some, rules + skip, (6 - skip) * sizeof some[0]);
    snprintf(inside, sizeof inside, "{\"a\":%g}", reach[skip]);
    snprintf(outside, sizeof outside, "{\"a\":%g}", reach[skip] + 0.25);
    close_to(match_rules("{\"a\":0}", inside, some, 6 - skip), 1);
    close_to(match_rules("{\"a\":0}", outside, some, 6 - skip), 0);
  }
  finish();
}
END_TEST

START_TEST(test_rules_reach_below) {
  struct eh_field_rule cased = {
      .path = "o", .set = EH_RULE_CASE, .exact_case = true};
  start();
  close_to(match_rule("{\"o\":{\"l\":[\"A\"]},\"p\":\"A\"}",
                      "{\"o\":{\"l\":[\"a\"]},\"p\":\"a\"}", cased),
           0.5);
  finish();
}
END_TEST

START_TEST(test_paths) {
  ck_assert(eh_path_matches("a", "a"));
  ck_assert(!eh_path_matches("a", "a.b"));
  ck_assert(!eh_path_matches("a.b", "a"));
  ck_assert(eh_path_matches("a.b[0].c", "a.b[0].c"));
  ck_assert(!eh_path_matches("a.b[0].c", "a.b[1].c"));
  ck_assert(eh_path_matches("a.b.*.c", "a.b[3].c"));
  ck_assert(eh_path_matches("a.b.*.c", "a.b.x.c"));
  ck_assert(!eh_path_matches("a.*", "a.b.c"));
  ck_assert(eh_path_matches("a.b[*].c", "a.b[12].c"));
  ck_assert(!eh_path_matches("a.b[*].c", "a.b.x.c"));
  ck_assert(eh_path_matches("meta*", "metadata"));
  ck_assert(eh_path_matches("*_id", "user_id"));
  ck_assert(!eh_path_matches("*_id", "user_ids"));
  ck_assert(eh_path_matches("[\"a.b\"].c", "[\"a.b\"].c"));
  ck_assert(!eh_path_matches("a.b.c", "[\"a.b\"].c"));
  ck_assert(!eh_path_matches("[\"a*\"]", "abc"));
  ck_assert(!eh_path_matches("", "a"));
  ck_assert(eh_path_matches("**a**", "xxaxx"));
  ck_assert(!eh_path_matches("[", "a"));
}
END_TEST

static int test_even(void *arg, size_t test, const struct eh_json *expected,
                     const struct eh_json *actual, bool *match) {
  (void)expected;
  *(size_t *)arg += 1;
  if (actual->type != EH_JSON_INT)
    return EH_EMATCHLIMIT;
  *match = actual->as.integer % 2 == (int64_t)test;
  return 0;
}

START_TEST(test_callback) {
  size_t asked = 0;
  struct eh_field_rule rule = {.path = "n", .set = EH_RULE_TEST, .test = 1};
  struct eh_args_opts opts = {
      .rules = &rule, .rule_count = 1, .test = test_even, .arg = &asked};
  start();
  close_to(match_opts("[[\"f\",{\"n\":0}]]", "[[\"f\",{\"n\":3}]]", &opts), 1);
  close_to(match_opts("[[\"f\",{\"n\":0}]]", "[[\"f\",{\"n\":2}]]", &opts), 0);
  close_to(match_opts("[[\"f\",{\"n\":0}]]", "[[\"f\",{}]]", &opts), 0);
  ck_assert_uint_eq(asked, 2);
  ck_assert_int_eq(eh_calls_args(&arena, calls("[[\"f\",{\"n\":0,\"m\":1}]]"),
                                 calls("[[\"f\",{\"n\":\"x\"}]]"), &opts,
                                 &result),
                   EH_EMATCHLIMIT);
  finish();
}
END_TEST

START_TEST(test_pairing) {
  struct eh_args_opts best = {.pairing = EH_PAIR_BEST};
  struct eh_args_opts position = {.pairing = EH_PAIR_POSITION};
  const char *want = "[[\"f\",{\"t\":\"A\"}],[\"g\",{}],[\"f\",{\"t\":\"B\"}]]";
  const char *got = "[[\"f\",{\"t\":\"B\"}],[\"f\",{\"t\":\"A\"}],[\"g\",{}]]";
  start();
  close_to(match_opts(want, got, NULL), 1.0 / 3);
  close_to(match_opts(want, got, &best), 1);
  ck_assert_uint_eq(result.calls[0].partner, 1);
  ck_assert_uint_eq(result.calls[2].partner, 0);
  close_to(match_opts(want, got, &position), 0);
  close_to(match_opts(want, want, &position), 1);
  close_to(match_opts("[[\"f\",{\"t\":1}],[\"f\",{\"t\":1}]]",
                      "[[\"f\",{\"t\":2}],[\"f\",{\"t\":3}]]", &best),
           0);
  ck_assert_uint_eq(result.calls[0].partner, 0);
  ck_assert_uint_eq(result.calls[1].partner, 1);
  finish();
}
END_TEST

/* Random small calls: values stay in [0, 1], a call matches itself, best is
 * never below in_order, extra calls at the end change nothing. */
START_TEST(test_properties) {
  struct eh_random rng;
  eh_random_seed(&rng, 5);
  for (int round = 0; round < 500; round++) {
    struct eh_args_opts best = {.pairing = EH_PAIR_BEST};
    char text[2][1024], longer[1100];
    double in_order;
    start();
    for (int side = 0; side < 2; side++) {
      size_t n = eh_random_next(&rng) % 5;
      char *p = text[side];
      p += sprintf(p, "[");
      for (size_t i = 0; i < n; i++)
        p += sprintf(p, "%s[\"f%d\",{\"a\":%d,\"b\":[%d],\"c\":{\"d\":%d}}]",
                     i > 0 ? "," : "", (int)(eh_random_next(&rng) % 2),
                     (int)(eh_random_next(&rng) % 2),
                     (int)(eh_random_next(&rng) % 2),
                     (int)(eh_random_next(&rng) % 2));
      sprintf(p, "]");
    }
    in_order = match_opts(text[0], text[1], NULL);
    ck_assert(in_order >= 0 && in_order <= 1);
    ck_assert(match_opts(text[0], text[1], &best) >= in_order - 1e-12);
    close_to(match_opts(text[0], text[0], NULL), 1);
    close_to(match_opts(text[0], text[0], &best), 1);
    snprintf(longer, sizeof longer, "%.*s%s[\"f0\",{}]]",
             (int)strlen(text[0]) - 1, text[0], strlen(text[0]) > 2 ? "," : "");
    close_to(match_opts(text[0], longer, NULL), 1);
    finish();
  }
}
END_TEST

START_TEST(test_reason_is_cut) {
  char want[1400], long_text[1001];
  start();
  memset(long_text, 'x', 1000);
  memcpy(long_text + 70, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 10);
  long_text[1000] = '\0';
  snprintf(want, sizeof want, "[[\"f\",{\"s\":\"%s\"}]]", long_text);
  match_opts(want, "[[\"f\",{}]]", NULL);
  ck_assert_uint_lt(reason.len, 140);
  ck_assert_ptr_nonnull(strstr(reason.data, "..."));
  match_opts("[[\"f\",{\"s\":\"a\\u0007\\n\\\"\"}]]", "[[\"f\",{}]]", NULL);
  ck_assert_ptr_nonnull(strstr(reason.data, "\"a\\u0007\\n\\\"\""));
  finish();
}
END_TEST

CHECK_MAIN(calls, test_selection, test_exact_and_minimality, test_field_types,
           test_integers_are_exact, test_shares, test_calls_and_partners,
           test_arguments_as_text, test_arrays, test_case_tolerance_coerce,
           test_accept_ignore_default, test_extra_forbidden, test_rule_order,
           test_rules_reach_below, test_paths, test_callback, test_pairing,
           test_properties, test_reason_is_cut)
