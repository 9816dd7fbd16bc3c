/* test_nearest.c: which name is meant. */
#include "text/nearest.h"

#include "check_main.h"

#include <string.h>

static const char *const tools[] = {"get_stock_price", "get_company_info",
                                    "calculate_financial_ratios",
                                    "calculate_investment_returns"};
static const char *const keys[] = {"name",  "cases",  "targets", "target",
                                   "score", "limits", "params"};

static const char *nearest(const char *name, const char *const *list,
                           size_t count) {
  const char *best = NULL;
  size_t least = EH_NEAREST_NONE;
  for (size_t i = 0; i < count; i++) {
    size_t distance =
        eh_nearest_distance(name, strlen(name), list[i], strlen(list[i]));
    if (distance < least) {
      least = distance;
      best = list[i];
    }
  }
  return best;
}

static void check_tool(const char *name, const char *want) {
  ck_assert_pstr_eq(nearest(name, tools, 4), want);
}

static void check_key(const char *name, const char *want) {
  ck_assert_pstr_eq(nearest(name, keys, 7), want);
}

START_TEST(display_names) {
  check_tool("Stock Price", tools[0]);
  check_tool("Get Stock Price", tools[0]);
  check_tool("getStockPrice", tools[0]);
  check_tool("get-stock-price", tools[0]);
  check_tool("Company Info", tools[1]);
  check_tool("Financial Ratios", tools[2]);
  check_tool("financial ratio", tools[2]);
  check_tool("Investment Returns Calculator", tools[3]);
  check_tool("price", tools[0]);
  check_tool("weather", NULL);
}
END_TEST

START_TEST(typing_errors) {
  check_key("nmae", "name");
  check_key("case", "cases");
  check_key("traget", "target");
  check_key("targetss", "targets");
  check_key("Score", "score");
  check_key("limit", "limits");
  check_key("x", NULL);
  check_key("", NULL);
  check_key("colour", NULL);
}
END_TEST

START_TEST(the_same_is_nearest) {
  ck_assert_uint_eq(eh_nearest_distance("a", 1, "a", 1), 0);
  ck_assert_uint_lt(eh_nearest_distance("target", 6, "target", 6),
                    eh_nearest_distance("target", 6, "Target", 6));
}
END_TEST

START_TEST(long_and_odd_names) {
  char name[2000];
  memset(name, 'a', sizeof name);
  ck_assert_uint_eq(eh_nearest_distance(name, sizeof name, "aaa", 3),
                    EH_NEAREST_NONE);
  ck_assert_uint_eq(
      eh_nearest_distance(name, EH_NEAREST_MAX, name, EH_NEAREST_MAX - 1), 2);
  ck_assert_uint_ne(eh_nearest_distance("ab\xFF"
                                        "cdef",
                                        7, "abcdef", 6),
                    EH_NEAREST_NONE);
}
END_TEST

CHECK_MAIN(nearest, display_names, typing_errors, the_same_is_nearest,
           long_and_odd_names)
