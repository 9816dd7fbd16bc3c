/* test_number.c: numbers that are read: exact, correctly rounded, bounded. */
#include "check_main.h"
#include "parse.h"

#include <locale.h>
#include <math.h>

START_TEST(integers_are_exact) {
  static const struct {
    const char *text;
    int64_t value;
  } rows[] = {{"0", 0},
              {"-1", -1},
              {"9007199254740993", INT64_C(9007199254740993)},
              {"9223372036854775807", INT64_MAX},
              {"-9223372036854775808", INT64_MIN},
              {" 12 ", 12}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ck_assert_int_eq(parse(rows[i].text), 0);
    ck_assert_int_eq(value.type, EH_JSON_INT);
    ck_assert(value.as.integer == rows[i].value);
  }
}
END_TEST

START_TEST(larger_integers_keep_their_digits) {
  static const char *rows[] = {"9223372036854775808", "-9223372036854775809",
                               "18446744073709551616",
                               "123456789012345678901234567890"};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ck_assert_int_eq(parse(rows[i]), 0);
    ck_assert_int_eq(value.type, EH_JSON_BIG);
    ck_assert_str_eq(value.as.text.ptr, rows[i]);
  }
}
END_TEST

/* The expected double is the compiler's own reading of the same literal. */
#define REAL(x)                                                                \
  { #x, x }
static const struct {
  const char *text;
  double value;
} reals[] = {REAL(0.1),
             REAL(1.5),
             REAL(-2.5e-3),
             REAL(1e22),
             REAL(1e23),
             REAL(123456789012345678.0),
             REAL(1.7976931348623157e308),
             REAL(2.2250738585072014e-308),
             REAL(4.9406564584124654e-324),
             REAL(9007199254740993.0),
             REAL(0.30000000000000004),
             REAL(8.9884656743115795e307),
             {"1e-400", 0.0},
             REAL(0e999999999999999999999),
             {"2.47032822920623272088284396434110686182e-324", 0.0},
             REAL(2.47032822920623272088284396434110686183e-324),
             REAL(9007199254740992.99999999999999999999999999999999999999),
             REAL(9007199254740993.00000000000000000000000000000000000001),
             REAL(100000000000000000000000000000000000000000000.0e-44),
             REAL(0.000000000000000000000000000000000000000000001e45)};

START_TEST(reals_are_correctly_rounded) {
  for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
    ck_assert_int_eq(parse(reals[i].text), 0);
    ck_assert_int_eq(value.type, EH_JSON_REAL);
    ck_assert_msg(memcmp(&value.as.real, &reals[i].value, 8) == 0,
                  "%s became %.17g", reals[i].text, value.as.real);
  }
}
END_TEST

/* 2^53 + 1 as a real, with a tail of zeros and, or without, a last 1 that
 * decides which way it rounds, far behind any buffer of digits. */
START_TEST(the_last_digit_decides) {
  char *text = eh_malloc(3000);
  strcpy(text, "9007199254740993.");
  memset(text + 17, '0', 2000);
  strcpy(text + 2017, "0");
  ck_assert_int_eq(parse(text), 0);
  ck_assert(value.as.real == 9007199254740992.0);
  strcpy(text + 2017, "1");
  ck_assert_int_eq(parse(text), 0);
  ck_assert(value.as.real == 9007199254740994.0);
  eh_free(text);
}
END_TEST

START_TEST(minus_zero_is_a_real) {
  ck_assert_int_eq(parse("-0"), 0);
  ck_assert_int_eq(value.type, EH_JSON_REAL);
  ck_assert(value.as.real == 0 && signbit(value.as.real));
}
END_TEST

START_TEST(numbers_too_large_are_a_range_error) {
  ck_assert_int_eq(parse("[1, 1e999]"), EH_ERANGE);
  ck_assert_uint_eq(err.offset, 4);
  ck_assert_int_eq(parse("-1e309"), EH_ERANGE);
  ck_assert_int_eq(parse("1e99999999999999999999999"), EH_ERANGE);
  ck_assert_int_eq(parse("1.7976931348623159e308"), EH_ERANGE);
}
END_TEST

START_TEST(the_locale_does_not_matter) {
  static const char *names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (setlocale(LC_NUMERIC, names[i]) != NULL)
      break;
  ck_assert_int_eq(parse("0.12345678901234567"), 0);
  ck_assert(value.as.real > 0.123 && value.as.real < 0.124);
  setlocale(LC_NUMERIC, "C");
}
END_TEST

START_TEST(release) {
  eh_arena_free(&arena);
}
END_TEST

CHECK_MAIN(number, integers_are_exact, larger_integers_keep_their_digits,
           reals_are_correctly_rounded, the_last_digit_decides,
           minus_zero_is_a_real, numbers_too_large_are_a_range_error,
           the_locale_does_not_matter, release)
