/* calls_scalar.c: strings, numbers, booleans and null. */
#include "base/err.h"
#include "metric/calls_match.h"
#include "text/fold.h"
#include "json/reader.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const struct eh_json *value) {
  return value->type == EH_JSON_INT || value->type == EH_JSON_REAL ||
         value->type == EH_JSON_BIG;
}

static bool is_integer(const struct eh_json *value) {
  return value->type == EH_JSON_INT || value->type == EH_JSON_BIG;
}

static double number(const struct eh_json *value) {
  switch (value->type) {
  case EH_JSON_INT:
    return (double)value->as.integer;
  case EH_JSON_BIG:
    return strtod(value->as.text.ptr, NULL);
  default:
    return value->as.real;
  }
}

static bool same_text(const struct eh_json *a, const struct eh_json *b) {
  return a->as.text.len == b->as.text.len &&
         memcmp(a->as.text.ptr, b->as.text.ptr, a->as.text.len) == 0;
}

static bool numbers_match(const struct eh_field *field, const struct eh_json *a,
                          const struct eh_json *b) {
  double x, y;
  if (a->type == EH_JSON_INT && b->type == EH_JSON_INT &&
      a->as.integer == b->as.integer)
    return true;
  if (a->type == EH_JSON_BIG && b->type == EH_JSON_BIG && same_text(a, b))
    return true;
  if (is_integer(a) && is_integer(b) && !field->close_integers)
    return false;
  x = number(a);
  y = number(b);
  return fabs(x - y) <= fmax(field->rule.tolerance,
                             field->rule.relative * fmax(fabs(x), fabs(y)));
}

/* Both ASCII: 1 equal without regard to case, 0 not; -1 if not ASCII. */
static int ascii_equal(const char *a, size_t a_len, const char *b,
                       size_t b_len) {
  bool equal = a_len == b_len;
  for (size_t i = 0; i < a_len; i++)
    if ((unsigned char)a[i] >= 0x80)
      return -1;
  for (size_t i = 0; i < b_len; i++) {
    if ((unsigned char)b[i] >= 0x80)
      return -1;
    equal =
        equal && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i]);
  }
  return equal;
}

static bool fold_equal(const char *a, size_t a_len, const char *b,
                       size_t b_len) {
  struct eh_buf x, y;
  int known = ascii_equal(a, a_len, b, b_len);
  bool equal;
  if (known >= 0)
    return known == 1;
  eh_buf_init(&x, EH_MAX_LINE);
  eh_buf_init(&y, EH_MAX_LINE);
  equal = eh_fold_text(&x, a, a_len, EH_FOLD_CASE | EH_FOLD_LAX, NULL) == 0 &&
          eh_fold_text(&y, b, b_len, EH_FOLD_CASE | EH_FOLD_LAX, NULL) == 0 &&
          x.len == y.len && memcmp(x.data, y.data, x.len) == 0;
  eh_buf_free(&x);
  eh_buf_free(&y);
  return equal;
}

static bool strings_match(const struct eh_field *field, const struct eh_json *a,
                          const struct eh_json *b) {
  if (same_text(a, b))
    return true;
  return !field->rule.exact_case && fold_equal(a->as.text.ptr, a->as.text.len,
                                               b->as.text.ptr, b->as.text.len);
}

/* A string that is the text of a number or a boolean, as that value. */
static bool from_text(struct eh_matcher *m, const struct eh_json *text,
                      struct eh_json *out) {
  const char *ptr = text->as.text.ptr;
  size_t len = text->as.text.len;
  if (fold_equal(ptr, len, "true", 4) || fold_equal(ptr, len, "false", 5)) {
    out->type = EH_JSON_BOOL;
    out->as.boolean = len == 4;
    return true;
  }
  return len <= 400 &&
         eh_json_parse(m->arena, ptr, len, NULL, out, NULL) == 0 &&
         is_number(out);
}

static bool coerced(struct eh_matcher *m, const struct eh_field *field,
                    const struct eh_json *expected,
                    const struct eh_json *actual) {
  bool left = expected->type == EH_JSON_STRING;
  const struct eh_json *other = left ? actual : expected;
  struct eh_json value;
  if (left == (actual->type == EH_JSON_STRING) ||
      !from_text(m, left ? expected : actual, &value))
    return false;
  if (is_number(&value)
          ? !is_number(other) || !numbers_match(field, &value, other)
          : other->type != EH_JSON_BOOL ||
                value.as.boolean != other->as.boolean)
    return false;
  m->flags |= EH_ARGS_COERCED;
  return true;
}

bool eh_match_scalar(struct eh_matcher *m, const struct eh_field *field,
                     const struct eh_json *expected,
                     const struct eh_json *actual) {
  if (is_number(expected) && is_number(actual))
    return numbers_match(field, expected, actual);
  if (expected->type == actual->type) {
    if (expected->type == EH_JSON_STRING)
      return strings_match(field, expected, actual);
    if (expected->type == EH_JSON_BOOL)
      return expected->as.boolean == actual->as.boolean;
    return expected->type == EH_JSON_NULL;
  }
  return field->rule.coerce && coerced(m, field, expected, actual);
}
