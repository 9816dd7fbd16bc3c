/* test_format.c: the shortest text of a number, that reads back as it. */
#include "check_main.h"
#include "json/number.h"
#include "json/reader.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The text of x; static, valid until the next call. */
static const char *real(double x) {
  static char out[EH_JSON_NUMBER_SIZE];
  eh_json_format_real(x, out);
  return out;
}

START_TEST(reals_are_short) {
  static const struct {
    double value;
    const char *text;
  } rows[] = {{0, "0"},
              {-0.0, "-0"},
              {1, "1"},
              {2500, "2500"},
              {0.5, "0.5"},
              {-0.85, "-0.85"},
              {0.1 + 0.2, "0.30000000000000004"},
              {1.0 / 3, "0.3333333333333333"},
              {123.456, "123.456"},
              {9007199254740991, "9007199254740991"},
              {-9007199254740991, "-9007199254740991"},
              {9007199254740992, "9.007199254740992e15"},
              {1e15 + 0.5, "1000000000000000.5"},
              {1e300, "1e300"},
              {5e-324, "5e-324"},
              {DBL_MAX, "1.7976931348623157e308"},
              {DBL_MIN, "2.2250738585072014e-308"},
              {0.001, "0.001"},
              {0.000123, "0.000123"},
              {1e-6, "0.000001"},
              {1.5e-6, "0.0000015"},
              {1.5e-7, "1.5e-7"},
              {99999999999999.9, "99999999999999.9"},
              {1e22, "1e22"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    ck_assert_str_eq(real(rows[i].value), rows[i].text);
}
END_TEST

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void check_round_trip(double x) {
  char text[EH_JSON_NUMBER_SIZE];
  struct eh_arena arena;
  struct eh_json value;
  double back;
  size_t len = eh_json_format_real(x, text);
  ck_assert_uint_eq(len, strlen(text));
  eh_arena_init(&arena);
  ck_assert_int_eq(eh_json_parse(&arena, text, len, NULL, &value, NULL), 0);
  back = value.type == EH_JSON_INT ? (double)value.as.integer : value.as.real;
  ck_assert_msg(memcmp(&back, &x, sizeof x) == 0, "%s is not %.17g", text, x);
  ck_assert_msg(strtod(text, NULL) == x, "%s is not %.17g", text, x);
  eh_arena_free(&arena);
}

START_TEST(reals_round_trip) {
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 30000; i++) {
    uint64_t bits = next_random(&state);
    double x;
    memcpy(&x, &bits, sizeof x);
    if (isfinite(x))
      check_round_trip(x);
    check_round_trip((double)(int64_t)(bits >> 20) / 1000);
    check_round_trip((double)(bits % 100000) / 1e7);
    check_round_trip((double)(bits >> 11) * 0x1p-53);
  }
}
END_TEST

START_TEST(no_shorter_text_reads_back) {
  uint64_t state = 42;
  for (int i = 0; i < 20000; i++) {
    double x = (double)(next_random(&state) % 10000000) / 1e5;
    char text[EH_JSON_NUMBER_SIZE], other[64];
    eh_json_format_real(x, text);
    for (int precision = 1; precision <= 17; precision++) {
      snprintf(other, sizeof other, "%.*g", precision, x);
      if (strtod(other, NULL) == x)
        break;
    }
    if (strchr(other, 'e') == NULL)
      ck_assert_str_eq(text, other);
  }
}
END_TEST

START_TEST(the_locale_does_not_matter) {
  static const char *names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (setlocale(LC_NUMERIC, names[i]) != NULL)
      break;
  ck_assert_str_eq(real(1.0 / 3), "0.3333333333333333");
  ck_assert_str_eq(real(1.25e300), "1.25e300");
  setlocale(LC_NUMERIC, "C");
}
END_TEST

CHECK_MAIN(format, reals_are_short, reals_round_trip,
           no_shorter_text_reads_back, the_locale_does_not_matter)
