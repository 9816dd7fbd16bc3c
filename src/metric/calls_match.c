/* calls_match.c: field by field, how much of the expected arguments is there.
 */
#include "metric/calls_match.h"

static const struct eh_leaves hit = {1, 1};
static const struct eh_leaves miss = {1, 0};

static bool is_container(const struct eh_json *value) {
  return value->type == EH_JSON_OBJECT || value->type == EH_JSON_ARRAY;
}

/* An empty Lua table may be either. */
static bool is_empty(const struct eh_json *value) {
  return (value->type == EH_JSON_OBJECT && value->as.object.count == 0) ||
         (value->type == EH_JSON_ARRAY && value->as.array.count == 0);
}

static bool is_absent(const struct eh_json *value) {
  return value == NULL || value->type == EH_JSON_NULL;
}

/* How many leaves a value has that nothing can be compared with. */
static size_t count_leaves(const struct eh_json *value) {
  size_t count = 0;
  if (value->type != EH_JSON_OBJECT || value->as.object.count == 0)
    return 1;
  for (size_t i = 0; i < value->as.object.count; i++)
    count += count_leaves(&value->as.object.members[i].value);
  return count;
}

/* Counts the members of actual that were not expected, if that is
 * forbidden. */
static size_t count_extra(struct eh_matcher *m, const struct eh_field *field,
                          const struct eh_json *expected,
                          const struct eh_json *actual) {
  size_t count = 0;
  if (!field->rule.no_extra || actual == NULL)
    return 0;
  for (size_t i = 0; i < actual->as.object.count && m->code == 0; i++) {
    const struct eh_json_member *member = &actual->as.object.members[i];
    struct eh_field inner;
    size_t before;
    if (is_absent(&member->value) ||
        eh_json_get(expected, member->key, member->key_len) != NULL)
      continue;
    before = eh_field_push_key(m, member->key, member->key_len);
    eh_field_enter(m, field, &inner);
    if (!(inner.rule.set & EH_RULE_IGNORE) &&
        !((inner.rule.set & EH_RULE_DEFAULT) &&
          eh_match_scalar(m, &inner, inner.rule.fallback, &member->value))) {
      eh_field_find(m, EH_FIELD_EXTRA, NULL, &member->value);
      count++;
    }
    eh_field_pop(m, before);
  }
  return count;
}

/* actual is an object or NULL, which has no members. */
static struct eh_leaves match_object(struct eh_matcher *m,
                                     const struct eh_field *field,
                                     const struct eh_json *expected,
                                     const struct eh_json *actual) {
  struct eh_leaves sum = {0, 0};
  for (size_t i = 0; i < expected->as.object.count && m->code == 0; i++) {
    const struct eh_json_member *member = &expected->as.object.members[i];
    size_t before = eh_field_push_key(m, member->key, member->key_len);
    struct eh_leaves leaves = eh_match_value(
        m, field, &member->value,
        actual == NULL ? NULL
                       : eh_json_get(actual, member->key, member->key_len));
    sum.total += leaves.total;
    sum.matched += leaves.matched;
    eh_field_pop(m, before);
  }
  sum.total += count_extra(m, field, expected, actual);
  return sum;
}

/* A value without rules of its own (accept, default and the like). */
static struct eh_leaves match_plain(struct eh_matcher *m,
                                    const struct eh_field *field,
                                    const struct eh_json *expected,
                                    const struct eh_json *actual) {
  bool match;
  if (expected->type == EH_JSON_OBJECT && !is_empty(expected) &&
      (actual == NULL || actual->type == EH_JSON_OBJECT))
    return match_object(m, field, expected, actual);
  if (actual == NULL) {
    if (expected->type == EH_JSON_NULL)
      return hit;
    eh_field_find(m, EH_FIELD_MISSING, expected, NULL);
    return miss;
  }
  if (is_empty(expected) && is_empty(actual))
    match = true;
  else if (expected->type == EH_JSON_OBJECT && actual->type == EH_JSON_OBJECT)
    return count_extra(m, field, expected, actual) == 0 ? hit : miss;
  else if (expected->type == EH_JSON_ARRAY && actual->type == EH_JSON_ARRAY)
    match = eh_match_array(m, field, expected, actual);
  else if (is_container(expected) || is_container(actual))
    match = false;
  else
    match = eh_match_scalar(m, field, expected, actual);
  if (match)
    return hit;
  eh_field_find(m, EH_FIELD_WRONG, expected, actual);
  return (struct eh_leaves){count_leaves(expected), 0};
}

static bool all_match(struct eh_matcher *m, const struct eh_field *field,
                      const struct eh_json *expected,
                      const struct eh_json *actual) {
  struct eh_finding **tail = m->tail;
  struct eh_leaves leaves;
  m->tail = NULL;
  leaves = match_plain(m, field, expected, actual);
  m->tail = tail;
  return leaves.matched == leaves.total;
}

static struct eh_leaves match_test(struct eh_matcher *m,
                                   const struct eh_field *field,
                                   const struct eh_json *expected,
                                   const struct eh_json *actual) {
  bool match = false;
  if (actual == NULL) {
    eh_field_find(m, EH_FIELD_MISSING, expected, NULL);
    return miss;
  }
  m->code =
      m->opts->test(m->opts->arg, field->rule.test, expected, actual, &match);
  if (m->code == 0 && match)
    return hit;
  eh_field_find(m, EH_FIELD_WRONG, expected, actual);
  return miss;
}

struct eh_leaves eh_match_value(struct eh_matcher *m, const struct eh_field *up,
                                const struct eh_json *expected,
                                const struct eh_json *actual) {
  struct eh_field field;
  if (m->code != 0)
    return miss;
  eh_field_enter(m, up, &field);
  if (field.rule.set & EH_RULE_IGNORE)
    return (struct eh_leaves){0, 0};
  if (is_absent(actual) && (field.rule.set & EH_RULE_DEFAULT))
    actual = field.rule.fallback;
  if (field.rule.set & EH_RULE_TEST)
    return match_test(m, &field, expected, actual);
  if (field.rule.set & EH_RULE_ACCEPT)
    for (size_t i = 0; i < field.rule.accept->as.array.count; i++)
      if (all_match(m, &field, &field.rule.accept->as.array.items[i], actual))
        return hit;
  return match_plain(m, &field, expected, actual);
}

int eh_match_args(struct eh_matcher *m, const struct eh_json *expected,
                  const struct eh_json *actual, struct eh_call_match *out) {
  static const struct eh_json none = {.type = EH_JSON_OBJECT};
  struct eh_field root;
  double sum = 0;
  size_t extra;
  m->tail = &out->findings;
  eh_field_root(m, &root);
  if (expected == NULL)
    root.rule.no_extra = false;
  expected = expected != NULL ? expected : &none;
  for (size_t i = 0; i < expected->as.object.count && m->code == 0; i++) {
    const struct eh_json_member *member = &expected->as.object.members[i];
    size_t before = eh_field_push_key(m, member->key, member->key_len);
    struct eh_leaves leaves = eh_match_value(
        m, &root, &member->value,
        actual == NULL ? NULL
                       : eh_json_get(actual, member->key, member->key_len));
    eh_field_pop(m, before);
    if (leaves.total == 0)
      continue;
    out->fields++;
    out->matched += leaves.matched == leaves.total;
    sum += (double)leaves.matched / (double)leaves.total;
  }
  extra = count_extra(m, &root, expected, actual);
  out->value =
      out->fields + extra == 0 ? 1 : sum / (double)(out->fields + extra);
  out->flags |= m->flags;
  return m->code;
}
