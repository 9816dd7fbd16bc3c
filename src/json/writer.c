/* writer.c: value trees as JSON text. */
#include "json/writer.h"

#include "base/alloc.h"
#include "json/number.h"
#include "json/private.h"
#include "json/reader.h"

#include <math.h>
#include <stdlib.h>

struct writer {
  struct eh_buf *buf;
  unsigned flags;
  struct eh_err *err;
  size_t depth;
};

static int full(struct eh_err *err) {
  return eh_err_set(err, EH_ELIMIT, "the JSON text is too long");
}

static int add(struct writer *w, const char *text, size_t len) {
  return eh_buf_add(w->buf, text, len) == 0 ? 0 : full(w->err);
}

static int newline(struct writer *w) {
  int rc;
  if ((w->flags & EH_JSON_PRETTY) == 0)
    return 0;
  rc = add(w, "\n", 1);
  for (size_t i = 0; i < w->depth && rc == 0; i++)
    rc = add(w, "  ", 2);
  return rc;
}

static int write_value(struct writer *w, const struct eh_json *value);

/* What comes before the i-th item. */
static int separate(struct writer *w, size_t i) {
  int rc = i > 0 ? add(w, ",", 1) : 0;
  return rc == 0 ? newline(w) : rc;
}

static int open_container(struct writer *w, char c) {
  if (++w->depth > EH_JSON_DEPTH_MAX)
    return eh_err_set(w->err, EH_EDEPTH, "nested more than %d deep",
                      EH_JSON_DEPTH_MAX);
  return add(w, &c, 1);
}

static int close_container(struct writer *w, char c, size_t count) {
  int rc;
  w->depth--;
  rc = count > 0 ? newline(w) : 0;
  return rc == 0 ? add(w, &c, 1) : rc;
}

static int write_array(struct writer *w, const struct eh_json *array) {
  size_t n = array->as.array.count;
  int rc = open_container(w, '[');
  for (size_t i = 0; i < n && rc == 0; i++) {
    rc = separate(w, i);
    if (rc == 0)
      rc = write_value(w, &array->as.array.items[i]);
  }
  return rc == 0 ? close_container(w, ']', n) : rc;
}

static int write_member(struct writer *w, size_t i,
                        const struct eh_json_member *member) {
  bool pretty = (w->flags & EH_JSON_PRETTY) != 0;
  int rc = separate(w, i);
  if (rc == 0)
    rc = eh_json_write_string(w->buf, member->key, member->key_len, w->flags,
                              w->err);
  if (rc == 0)
    rc = add(w, ": ", pretty ? 2 : 1);
  return rc == 0 ? write_value(w, &member->value) : rc;
}

int eh_json_compare_keys(const void *left, const void *right) {
  const struct eh_json_member *a = *(const struct eh_json_member *const *)left;
  const struct eh_json_member *b = *(const struct eh_json_member *const *)right;
  size_t len = a->key_len < b->key_len ? a->key_len : b->key_len;
  int order = memcmp(a->key, b->key, len);
  return order != 0 ? order
                    : (a->key_len > b->key_len) - (a->key_len < b->key_len);
}

static bool sorted(const struct eh_json_member *members, size_t n) {
  for (size_t i = 1; i < n; i++) {
    const struct eh_json_member *a = &members[i - 1], *b = &members[i];
    if (eh_json_compare_keys(&a, &b) > 0)
      return false;
  }
  return true;
}

static int write_sorted(struct writer *w, const struct eh_json_member *members,
                        size_t n) {
  const struct eh_json_member **order = eh_malloc(n * sizeof *order);
  int rc = 0;
  for (size_t i = 0; i < n; i++)
    order[i] = &members[i];
  qsort(order, n, sizeof *order, eh_json_compare_keys);
  for (size_t i = 0; i < n && rc == 0; i++)
    rc = write_member(w, i, order[i]);
  eh_free(order);
  return rc;
}

static int write_object(struct writer *w, const struct eh_json *object) {
  const struct eh_json_member *members = object->as.object.members;
  size_t n = object->as.object.count;
  int rc = open_container(w, '{');
  if (rc == 0 && (w->flags & EH_JSON_CANONICAL) != 0 && !sorted(members, n))
    rc = write_sorted(w, members, n);
  else
    for (size_t i = 0; i < n && rc == 0; i++)
      rc = write_member(w, i, &members[i]);
  return rc == 0 ? close_container(w, '}', n) : rc;
}

static int write_real(struct writer *w, double value) {
  char text[EH_JSON_NUMBER_SIZE];
  if (!isfinite(value))
    return eh_err_set(w->err, EH_ERANGE, "%s cannot be written as JSON",
                      isnan(value) ? "NaN" : "an infinite number");
  return add(w, text, eh_json_format_real(value, text));
}

static int write_value(struct writer *w, const struct eh_json *value) {
  char text[EH_JSON_NUMBER_SIZE];
  switch (value->type) {
  case EH_JSON_NULL:
    return add(w, "null", 4);
  case EH_JSON_BOOL:
    return value->as.boolean ? add(w, "true", 4) : add(w, "false", 5);
  case EH_JSON_INT:
    return add(w, text, eh_json_format_int(value->as.integer, text));
  case EH_JSON_REAL:
    return write_real(w, value->as.real);
  case EH_JSON_BIG:
    return add(w, value->as.text.ptr, value->as.text.len);
  case EH_JSON_STRING:
    return eh_json_write_string(w->buf, value->as.text.ptr, value->as.text.len,
                                w->flags, w->err);
  case EH_JSON_ARRAY:
    return write_array(w, value);
  case EH_JSON_OBJECT:
    return write_object(w, value);
  }
  return eh_err_set(w->err, EH_EINTERNAL, "not a JSON value");
}

int eh_json_write(struct eh_buf *buf, const struct eh_json *value,
                  unsigned flags, struct eh_err *err) {
  struct writer w = {.buf = buf, .flags = flags, .err = err};
  if ((flags & EH_JSON_CANONICAL) != 0)
    w.flags &= ~(unsigned)EH_JSON_PRETTY;
  return write_value(&w, value);
}
