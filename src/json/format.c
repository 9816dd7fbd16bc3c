/* format.c: writing numbers as the shortest text that reads back. */
#include "json/number.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EXACT 9007199254740992.0 /* 2^53 */

size_t eh_json_format_int(int64_t value, char out[EH_JSON_NUMBER_SIZE]) {
  char digits[24];
  size_t len = 0, n = 0;
  uint64_t rest = value < 0 ? ~(uint64_t)value + 1 : (uint64_t)value;
  do {
    digits[n++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  if (value < 0)
    out[len++] = '-';
  while (n > 0)
    out[len++] = digits[--n];
  out[len] = '\0';
  return len;
}

/* A positive number as 0.DIGITS * 10^point, without trailing zeros. */
struct decimal {
  char digits[EH_JSON_NUMBER_SIZE];
  int count;
  int point;
};

/* The numbers that people write: at most 15 digits. No other decimal of 15
 * digits gives the same double, so the first hit is the shortest. */
static bool decimal_short(double x, struct decimal *d) {
  double power = 1;
  if (x < 1e-3 || x >= 1e14)
    return false;
  for (int k = 1; k <= 15; k++) {
    double scaled;
    power *= 10;
    scaled = nearbyint(x * power);
    if (scaled >= 1e15)
      return false;
    if (scaled / power == x) {
      d->count = (int)eh_json_format_int((int64_t)scaled, d->digits);
      d->point = d->count - k;
      return true;
    }
  }
  return false;
}

/* Any number: the first of 15, 16, 17 digits that reads back (subnormals
 * have fewer). printf and strtod agree on the decimal point, whatever it is. */
static void decimal_any(double x, struct decimal *d) {
  char text[64];
  const char *p;
  for (int precision = x < DBL_MIN ? 0 : 14; precision <= 16; precision++) {
    snprintf(text, sizeof text, "%.*e", precision, x);
    if (strtod(text, NULL) == x)
      break;
  }
  d->count = 0;
  for (p = text; *p != 'e'; p++)
    if (*p >= '0' && *p <= '9')
      d->digits[d->count++] = *p;
  assert(d->count > 0);
  d->point = atoi(p + 1) + 1;
  while (d->count > 1 && d->digits[d->count - 1] == '0')
    d->count--;
}

/* Writes d with a point, or with an exponent where it is very small or has
 * no fraction. */
static char *layout(const struct decimal *d, char *out) {
  int whole = d->point;
  if (whole > -6 && whole <= 0) {
    out += sprintf(out, "0.%.*s", -whole, "00000000");
    whole = 0;
  } else if (whole < 0 || whole >= d->count) {
    *out++ = d->digits[0];
    if (d->count > 1)
      out += sprintf(out, ".%.*s", d->count - 1, d->digits + 1);
    return out + sprintf(out, "e%d", d->point - 1);
  } else {
    memcpy(out, d->digits, (size_t)whole);
    out += whole;
    *out++ = '.';
  }
  memcpy(out, d->digits + whole, (size_t)(d->count - whole));
  return out + (d->count - whole);
}

size_t eh_json_format_real(double value, char out[EH_JSON_NUMBER_SIZE]) {
  struct decimal decimal;
  char *p = out;
  assert(isfinite(value));
  if (signbit(value))
    *p++ = '-';
  value = fabs(value);
  if (value < MAX_EXACT && value == floor(value)) {
    p += eh_json_format_int((int64_t)value, p);
  } else {
    if (!decimal_short(value, &decimal))
      decimal_any(value, &decimal);
    p = layout(&decimal, p);
  }
  *p = '\0';
  return (size_t)(p - out);
}
