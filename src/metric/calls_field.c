/* calls_field.c: where the comparison stands, and the rules that hold there. */
#include "base/err.h"
#include "metric/calls_match.h"

#include <string.h>

#define MAX_PATH_LEN 65536

#define INHERITED                                                              \
  (EH_RULE_CASE | EH_RULE_TOLERANCE | EH_RULE_RELATIVE | EH_RULE_ARRAYS |      \
   EH_RULE_COERCE | EH_RULE_EXTRA)

static void pushed(struct eh_matcher *m, int code) {
  if (code == 0 && m->path.len > MAX_PATH_LEN)
    code = EH_ELIMIT;
  if (code != 0 && m->code == 0)
    m->code = code;
}

size_t eh_field_push_key(struct eh_matcher *m, const char *key, size_t len) {
  size_t before = m->path.len;
  if (len == 0 || strcspn(key, ".[]*\"") != len) {
    pushed(m, eh_buf_adds(&m->path, "[\""));
    pushed(m, eh_buf_add(&m->path, key, len));
    pushed(m, eh_buf_adds(&m->path, "\"]"));
    return before;
  }
  if (before > 0)
    pushed(m, eh_buf_addc(&m->path, '.'));
  pushed(m, eh_buf_add(&m->path, key, len));
  return before;
}

size_t eh_field_push_index(struct eh_matcher *m, size_t index) {
  size_t before = m->path.len;
  pushed(m, eh_buf_addf(&m->path, "[%zu]", index));
  return before;
}

void eh_field_pop(struct eh_matcher *m, size_t len) {
  m->path.len = len;
  if (m->path.cap > 0)
    m->path.data[len] = '\0';
}

/* Lays rule over field, whose `set` tells what holds by now. */
static void overlay(struct eh_field *field, const struct eh_field_rule *rule) {
  struct eh_field_rule *to = &field->rule;
  if (rule->set & EH_RULE_CASE)
    to->exact_case = rule->exact_case;
  if (rule->set & EH_RULE_TOLERANCE)
    to->tolerance = rule->tolerance;
  if (rule->set & EH_RULE_RELATIVE)
    to->relative = rule->relative;
  if (rule->set & (EH_RULE_TOLERANCE | EH_RULE_RELATIVE))
    field->close_integers = true;
  if (rule->set & EH_RULE_ARRAYS)
    to->arrays = rule->arrays;
  if (rule->set & EH_RULE_COERCE)
    to->coerce = rule->coerce;
  if (rule->set & EH_RULE_EXTRA)
    to->no_extra = rule->no_extra;
  if (rule->set & EH_RULE_ACCEPT)
    to->accept = rule->accept;
  if (rule->set & EH_RULE_DEFAULT)
    to->fallback = rule->fallback;
  if (rule->set & EH_RULE_TEST)
    to->test = rule->test;
  to->set |= rule->set;
}

static bool for_tool(const struct eh_matcher *m,
                     const struct eh_field_rule *rule) {
  return rule->tool == NULL || strcmp(rule->tool, m->tool) == 0;
}

void eh_field_root(const struct eh_matcher *m, struct eh_field *out) {
  memset(out, 0, sizeof *out);
  out->rule.tolerance = 1e-9;
  out->rule.relative = 1e-9;
  for (size_t i = 0; i < m->opts->rule_count; i++) {
    const struct eh_field_rule *rule = &m->opts->rules[i];
    if (rule->path == NULL && for_tool(m, rule))
      overlay(out, rule);
  }
}

void eh_field_enter(const struct eh_matcher *m, const struct eh_field *up,
                    struct eh_field *out) {
  *out = *up;
  out->rule.set &= INHERITED;
  for (size_t i = 0; i < m->opts->rule_count; i++) {
    const struct eh_field_rule *rule = &m->opts->rules[i];
    if (rule->path != NULL && for_tool(m, rule) &&
        eh_path_matches(rule->path, m->path.data))
      overlay(out, rule);
  }
}

void eh_field_find(struct eh_matcher *m, enum eh_finding_kind kind,
                   const struct eh_json *expected,
                   const struct eh_json *actual) {
  struct eh_finding *finding;
  if (m->tail == NULL)
    return;
  finding = eh_arena_alloc(m->arena, sizeof *finding);
  finding->next = NULL;
  finding->kind = kind;
  finding->path = eh_arena_strndup(m->arena, m->path.data, m->path.len);
  finding->expected = expected;
  finding->actual = actual;
  *m->tail = finding;
  m->tail = &finding->next;
}
