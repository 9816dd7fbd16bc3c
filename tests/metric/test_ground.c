/* test_ground.c: the model-free judge: what follows from what, and the two
 * pinned examples of the FinAgent guide. */
#include "base/err.h"
#include "check_main.h"
#include "metric/ground.h"

#include <string.h>

#define MAX_KEYWORDS 8

static struct eh_arena arena;
static struct eh_buf reason;
static struct eh_ground ground;

static void start(void) {
  eh_arena_init(&arena);
  eh_buf_init(&reason, EH_MAX_MESSAGE);
}

static void finish(void) {
  eh_arena_free(&arena);
  eh_buf_free(&reason);
}

static struct eh_ground_text text_of(const char *text) {
  return (struct eh_ground_text){NULL, text, text != NULL ? strlen(text) : 0};
}

/* keywords: words with commas between, or NULL; evidence may be NULL. */
static int judge(const char *query, const char *keywords, const char *evidence,
                 const char *answer) {
  struct eh_ground_text list[MAX_KEYWORDS], item = text_of(evidence);
  struct eh_ground_input in = {.answer = text_of(answer),
                               .query = text_of(query),
                               .keywords = list,
                               .evidence = &item,
                               .evidence_count = evidence != NULL};
  int rc;
  while (keywords != NULL && *keywords != '\0') {
    size_t len = strcspn(keywords, ",");
    list[in.keyword_count++] = (struct eh_ground_text){NULL, keywords, len};
    keywords += len + (keywords[len] == ',');
  }
  rc = eh_ground_judge(&arena, &in, NULL, &ground);
  eh_buf_clear(&reason);
  eh_ground_reason(&in, &ground, &reason);
  return rc;
}

START_TEST(test_pinned_examples) {
  start();
  ck_assert_int_eq(judge("What is Apple's current stock price?",
                         "current price",
                         "{\"current_price\": 182.50, \"ticker\": \"AAPL\"}",
                         "Apple's current stock price is $182.50"),
                   0);
  ck_assert_msg(ground.value >= 0.9, "%g: %s", ground.value, reason.data);
  ck_assert_int_eq(
      judge("Tell me about Microsoft", "sector,industry",
            "{\"sector\": \"Technology\", \"industry\": \"Software\"}",
            "Microsoft is a company."),
      0);
  ck_assert_msg(ground.value < 0.4, "%g: %s", ground.value, reason.data);
  ck_assert_ptr_nonnull(strstr(reason.data, "absent: sector, industry"));
  finish();
}
END_TEST

/* The status of the only fact of the answer. */
static void fact_is(enum eh_fact_status status, const char *evidence,
                    const char *answer) {
  judge("and at 12%?", NULL, evidence, answer);
  ck_assert_msg(ground.facts.count == 1, "%s: %zu facts", answer,
                ground.facts.count);
  ck_assert_msg(ground.facts.items[0].status == status,
                "%s from %s: status %d (%s)", answer, evidence,
                (int)ground.facts.items[0].status, reason.data);
}

#define SUPPORTED   EH_FACT_SUPPORTED
#define UNSUPPORTED EH_FACT_UNSUPPORTED

START_TEST(test_rounding) {
  start();
  fact_is(SUPPORTED, "182.4967", "it costs $182.50 now");
  fact_is(SUPPORTED, "182.4967", "it costs 182 now");
  fact_is(UNSUPPORTED, "182.4967", "it costs 183 now");
  fact_is(UNSUPPORTED, "182.4967", "it costs 182.51 now");
  fact_is(SUPPORTED, "{\"cap\": 2.81e12}", "worth $2.81 trillion");
  fact_is(SUPPORTED, "2810000000000", "worth $2.8T today");
  fact_is(UNSUPPORTED, "2810000000000", "worth $2.9T today");
  fact_is(SUPPORTED, "1234567", "it sold 1,234,567 units");
  fact_is(SUPPORTED, "1,234,567", "it sold 1.23 million units");
  fact_is(SUPPORTED, "1,234,567", "it sold 1235k units");
  fact_is(SUPPORTED, "sales in millions: 394,328", "sales of $394.3 billion");
  fact_is(SUPPORTED, "more than two billion", "it has 2 billion users");
  fact_is(UNSUPPORTED, "more than two million", "it has 2 billion users");
  fact_is(SUPPORTED, "1189", "about 1,200 people");
  fact_is(UNSUPPORTED, "1189", "it has 1,200 people");
  fact_is(UNSUPPORTED, "1500", "about 1,000 people");
  finish();
}
END_TEST

START_TEST(test_percent) {
  start();
  fact_is(SUPPORTED, "0.0845", "a yield of 8.45%");
  fact_is(SUPPORTED, "{\"annual_rate\": 7}", "at 7% a year");
  fact_is(SUPPORTED, "the rate is 7%", "a factor of 0.07");
  fact_is(SUPPORTED, "-3.2%", "it fell 3.2 percent");
  fact_is(SUPPORTED, "0.0025", "by 25 basis points");
  fact_is(SUPPORTED, "0.25%", "by 25 bps");
  fact_is(UNSUPPORTED, "0.0845", "a yield of 9%");
  fact_is(EH_FACT_KNOWN, "5", "you asked for 12%");
  fact_is(EH_FACT_KNOWN, "12", "you asked for 12%");
  finish();
}
END_TEST

START_TEST(test_pairs) {
  start();
  fact_is(SUPPORTED, "AAPL 182.50, MSFT 410.25", "$227.75 apart");
  fact_is(SUPPORTED, "AAPL 182.50, MSFT 410.25", "together $592.75");
  fact_is(SUPPORTED, "AAPL 182.50, MSFT 410.25", "2.25 times as much");
  fact_is(SUPPORTED, "from 200 to 230", "up 15.0%");
  fact_is(SUPPORTED, "was 4.5% and is 4.75%", "up 25 bps");
  fact_is(UNSUPPORTED, "AAPL 182.50, MSFT 410.25", "$228.75 apart");
  /* Many numbers: one of their differences hits 17 by chance. */
  fact_is(UNSUPPORTED, "1 3 9 20 26 38 44 55 61 77 83 99 104 120 137",
          "it is 17 years");
  finish();
}
END_TEST

START_TEST(test_dates) {
  start();
  fact_is(SUPPORTED, "{\"date\": \"2024-12-17T10:00:00Z\"}",
          "on December 17, 2024");
  fact_is(SUPPORTED, "2024-12-17", "on 17 Dec 2024");
  fact_is(SUPPORTED, "2024-12-17", "on the 17th of December");
  fact_is(SUPPORTED, "2024-12-17", "in December 2024");
  fact_is(SUPPORTED, "2024-12-17", "on 12/17/2024");
  fact_is(SUPPORTED, "2024-12-17", "in 2024");
  fact_is(SUPPORTED, "4 March 2024", "on 3/4/2024");
  fact_is(UNSUPPORTED, "2024-12-17", "on December 18, 2024");
  fact_is(UNSUPPORTED, "2024-12-17", "in November 2024");
  fact_is(UNSUPPORTED, "2024-12-17", "in 2023");
  fact_is(UNSUPPORTED, "opens at 9:30", "opens at 9:35");
  fact_is(SUPPORTED, "opens at 9:30", "opens at 9:30");
  finish();
}
END_TEST

START_TEST(test_names) {
  start();
  fact_is(SUPPORTED, "{\"ceo\": \"Tim Cook\"}", "it is led by Tim Cook");
  fact_is(UNSUPPORTED, "{\"ceo\": \"Tim Cook\"}", "it is led by Tim Jones");
  fact_is(SUPPORTED, "ticker msft", "the ticker is MSFT");
  fact_is(UNSUPPORTED, "ticker msft", "the ticker is GOOG");
  fact_is(SUPPORTED, "earnings per share", "the EPS is good");
  fact_is(SUPPORTED, "{\"longName\": \"trailingPERatio\"}",
          "the Ratio is good");
  fact_is(SUPPORTED, "in the Q3 report", "the Q3 figures");
  fact_is(UNSUPPORTED, "in the Q3 report", "the Q4 figures");
  finish();
}
END_TEST

/* What is no fact: capitals at the start, list marks, function words. */
START_TEST(test_no_facts) {
  start();
  judge(NULL, NULL, "x",
        "The company is good. However I like it.\n"
        "1. Good\n2. Better\n- Best\n");
  ck_assert_uint_eq(ground.facts.count, 0);
  ck_assert(!ground.parts[EH_GROUND_FACTS].applies);
  finish();
}
END_TEST

START_TEST(test_keywords_in_one_sentence) {
  start();
  judge(NULL, "current prices,sector", "x",
        "The price is high. It is the current sector.");
  ck_assert(!ground.present[0]);
  ck_assert(ground.present[1]);
  judge(NULL, "current prices,%", "x", "The price currently is 5%.");
  ck_assert(ground.present[0]);
  ck_assert(ground.present[1]);
  finish();
}
END_TEST

START_TEST(test_parts_that_do_not_apply) {
  start();
  /* No evidence: coverage is left out; an invented number counts against. */
  ck_assert_int_eq(judge("price?", "ticker", NULL, "Please name a ticker."), 0);
  ck_assert_double_eq(ground.value, 1);
  ck_assert_int_eq(judge("price?", "ticker", NULL, "The ticker is at 17."), 0);
  ck_assert_double_eq(ground.value, 0.5);
  ck_assert_int_eq(judge("price?", NULL, NULL, "Please wait."), EH_EARG);
  /* Only what the question said: neither facts nor words count. */
  ck_assert_int_eq(judge("is it 12?", NULL, "x", "It is 12."), EH_EARG);
  finish();
}
END_TEST

START_TEST(test_blank) {
  start();
  ck_assert_int_eq(judge("q", "a,b", "x", " \n\t\xc2\xa0"), 0);
  ck_assert_double_eq(ground.value, 0);
  ck_assert(ground.blank);
  ck_assert_str_eq(reason.data, "blank answer");
  ck_assert_int_eq(judge("q", NULL, NULL, ""), 0);
  ck_assert_double_eq(ground.value, 0);
  finish();
}
END_TEST

START_TEST(test_weights_and_reason) {
  struct eh_ground_weights weights = {{1, 0, 0}};
  struct eh_ground_text keyword = text_of("price");
  struct eh_ground_text item = text_of("price 5");
  struct eh_ground_input in = {.answer = text_of("the price is 77, not 5"),
                               .query = text_of(NULL),
                               .keywords = &keyword,
                               .keyword_count = 1,
                               .evidence = &item,
                               .evidence_count = 1};
  start();
  ck_assert_int_eq(eh_ground_judge(&arena, &in, NULL, &ground), 0);
  ck_assert_double_eq_tol(ground.value, 0.4 + 0.2 + 0.2, 1e-12);
  eh_ground_reason(&in, &ground, &reason);
  ck_assert_str_eq(reason.data,
                   "keywords 1/1; facts 1/2 supported (unsupported: \"77\" at "
                   "13-15); 1/1 content words in the evidence");
  ck_assert_int_eq(eh_ground_judge(&arena, &in, &weights, &ground), 0);
  ck_assert_double_eq(ground.value, 1);
  finish();
}
END_TEST

START_TEST(test_evidence_is_named) {
  struct eh_ground_text items[] = {text_of("price 5"), text_of("price 77"),
                                   text_of("Tim Cook")};
  struct eh_ground_input in = {.answer = text_of("it is 77 says Tim Cook"),
                               .evidence = items,
                               .evidence_count = 3};
  start();
  ck_assert_int_eq(eh_ground_judge(&arena, &in, NULL, &ground), 0);
  ck_assert_uint_eq(ground.facts.count, 2);
  ck_assert_uint_eq(ground.facts.items[0].evidence, 1);
  ck_assert_uint_eq(ground.facts.items[1].evidence, 2);
  finish();
}
END_TEST

static bool has(const char *answer, const char *keyword) {
  struct eh_ground_text list = text_of(keyword);
  bool present = false;
  eh_ground_keywords(answer, strlen(answer), &list, 1, &present);
  return present;
}

START_TEST(test_whole_phrases) {
  ck_assert(has("The P/E Ratio is 5", "p/e ratio"));
  ck_assert(has("current\n  price", "Current price"));
  ck_assert(!has("current stock price", "current price"));
  ck_assert(!has("pricey", "price"));
  ck_assert(!has("reprice", "price"));
  ck_assert(has("reprice the price", "price"));
  ck_assert(has("(price)", "price"));
  ck_assert(has("up 5%", "%"));
  ck_assert(has("in der STRASSE", "stra\xc3\x9f"
                                  "e"));
  ck_assert(!has("stra\xc3\x9f"
                 "e",
                 "stra"));
  ck_assert(!has("anything", ""));
  ck_assert(!has("anything", "  "));
  ck_assert(!has("", "a"));
}
END_TEST

/* Odd bytes must do no harm. */
START_TEST(test_odd_input) {
  static const char *const odd[] = {
      "\xff\xfe 12.5\xff% $",
      "1,2,3,4,5,6,7,8,9,10,11,12,",
      "99999999999999999999999999999999999999999999999999999999999999999",
      "1e999 1e-999 0.0.0.0 1:2:3:4",
      "- - - 5- -5 %5 5%% 5 % 5 bp",
      "12/31/ 1/2/3 2024- 2024-13-45 31 Foo 00 March",
      "A-B-C 's 's' x's \xe2\x80\x99s",
      "[[\"\\u0000\"]] {\"a\":[1,{\"b\":-2}]}"};
  size_t count = sizeof odd / sizeof odd[0];
  start();
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count; k++) {
      int rc = judge(odd[(i + k) % count], "a,5", odd[i], odd[k]);
      ck_assert(rc == 0);
      ck_assert(ground.value >= 0 && ground.value <= 1);
      for (size_t f = 0; f < ground.facts.count; f++)
        ck_assert(ground.facts.items[f].first < ground.facts.items[f].end &&
                  ground.facts.items[f].end <= strlen(odd[k]));
    }
  finish();
}
END_TEST

CHECK_MAIN(ground, test_pinned_examples, test_rounding, test_percent,
           test_pairs, test_dates, test_names, test_no_facts,
           test_keywords_in_one_sentence, test_parts_that_do_not_apply,
           test_blank, test_weights_and_reason, test_evidence_is_named,
           test_whole_phrases, test_odd_input)
