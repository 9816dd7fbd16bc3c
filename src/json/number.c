/* number.c: reading numbers, correctly rounded, whatever the locale. */
#include "json/private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* More significant digits than any double needs to round (767). */
#define MAX_DIGITS 800
#define MAX_EXP10  INT64_C(100000)

static const double pow10_exact[] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool is_digit(const char *p, const char *end) {
  return p < end && *p >= '0' && *p <= '9';
}

/* A number while it is read: mantissa * 10^exp10, if all its digits fit. */
struct scan {
  const char *p, *end;
  uint64_t mantissa;
  int digits;    /* significant ones seen, at most 20 */
  int64_t exp10; /* of mantissa */
  bool negative;
};

static void digits(struct scan *s, bool fraction) {
  for (; is_digit(s->p, s->end); s->p++) {
    if (s->digits < 19) {
      s->mantissa = s->mantissa * 10 + (uint64_t)(*s->p - '0');
      s->digits += s->mantissa > 0;
      s->exp10 -= fraction;
    } else {
      s->digits = 20;
      s->exp10 += !fraction;
    }
  }
}

static void exponent(struct scan *s) {
  const int64_t limit = INT64_C(1) << 40;
  bool negative = *s->p == '-';
  int64_t value = 0;
  if (*s->p == '-' || *s->p == '+')
    s->p++;
  for (; is_digit(s->p, s->end); s->p++)
    if (value < limit)
      value = value * 10 + (*s->p - '0');
  s->exp10 += negative ? -value : value;
}

/* The slow, exact way: the digits without point, and an exponent, so that no
 * locale's decimal point matters to strtod. text holds digits and a point. */
static double convert(const char *text, const char *end, int64_t exp10) {
  char out[MAX_DIGITS + 32];
  size_t len = 0;
  bool fraction = false, sticky = false;
  for (; text < end; text++) {
    if (*text == '.') {
      fraction = true;
      continue;
    }
    exp10 -= fraction;
    if (len == 0 && *text == '0')
      continue;
    if (len < MAX_DIGITS) {
      out[len++] = *text;
    } else {
      sticky = sticky || *text != '0';
      exp10++;
    }
  }
  if (sticky) {
    out[len++] = '1';
    exp10--;
  }
  if (exp10 > MAX_EXP10)
    exp10 = MAX_EXP10;
  if (exp10 < -MAX_EXP10)
    exp10 = -MAX_EXP10;
  snprintf(out + len, sizeof out - len, "e%d", (int)exp10);
  return len == 0 ? 0.0 : strtod(out, NULL);
}

static double real(const struct scan *s, const char *text, const char *end,
                   int64_t written_exp) {
  if (s->mantissa == 0)
    return 0.0;
  if (s->digits < 20 && s->mantissa <= UINT64_C(1) << 53) {
    double value = (double)s->mantissa; /* exact, and so is the power */
    if (s->exp10 >= 0 && s->exp10 <= 22)
      return value * pow10_exact[s->exp10];
    if (s->exp10 < 0 && s->exp10 >= -22)
      return value / pow10_exact[-s->exp10];
  }
  return convert(text, end, written_exp);
}

static int integer(const struct scan *s, struct eh_json_number *out) {
  uint64_t limit = (uint64_t)INT64_MAX + s->negative;
  if (s->negative && s->mantissa == 0) {
    out->kind = EH_NUMBER_REAL;
    out->real = -0.0;
  } else if (s->digits > 19 || s->mantissa > limit) {
    out->kind = EH_NUMBER_BIG;
  } else {
    out->kind = EH_NUMBER_INT;
    out->integer = (int64_t)(s->negative ? ~s->mantissa + 1 : s->mantissa);
  }
  return 0;
}

static int fail(struct eh_json_number *out, int code, const char *bad,
                const char *why) {
  out->token.bad = bad;
  out->token.why = why;
  return code;
}

/* Reads the part before the exponent. */
static const char *read_significand(struct scan *s, bool *is_real) {
  if (!is_digit(s->p, s->end))
    return "expected a digit";
  if (*s->p == '0' && is_digit(s->p + 1, s->end)) {
    s->p++;
    return "a number cannot have leading zeros";
  }
  digits(s, false);
  if (s->p < s->end && *s->p == '.') {
    s->p++;
    *is_real = true;
    if (!is_digit(s->p, s->end))
      return "expected a digit after the decimal point";
    digits(s, true);
  }
  return NULL;
}

int eh_json_number_read(const char *p, const char *end,
                        struct eh_json_number *out) {
  struct scan s = {.p = p, .end = end};
  const char *text, *text_end, *why;
  bool is_real = false;
  int64_t point_exp;
  if (*p == '-') {
    s.negative = true;
    s.p++;
  }
  text = s.p;
  why = read_significand(&s, &is_real);
  if (why != NULL)
    return fail(out, EH_EPARSE, s.p, why);
  text_end = s.p;
  point_exp = s.exp10;
  if (s.p < end && (*s.p == 'e' || *s.p == 'E')) {
    s.p++;
    is_real = true;
    if (!is_digit(s.p, end) &&
        !(s.p < end && (*s.p == '-' || *s.p == '+') && is_digit(s.p + 1, end)))
      return fail(out, EH_EPARSE, s.p, "expected a digit in the exponent");
    exponent(&s);
  }
  out->token.ptr = p;
  out->token.len = (size_t)(s.p - p);
  out->token.next = s.p;
  if (!is_real)
    return integer(&s, out);
  out->kind = EH_NUMBER_REAL;
  out->real = real(&s, text, text_end, s.exp10 - point_exp);
  if (isinf(out->real))
    return fail(out, EH_ERANGE, p, "the number is too large for a double");
  if (s.negative)
    out->real = -out->real;
  return 0;
}
