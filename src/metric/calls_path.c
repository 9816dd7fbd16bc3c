/* calls_path.c: rule paths against field paths. */
#include "metric/calls.h"

#include <stdlib.h>
#include <string.h>

struct segment {
  const char *text;
  size_t len;
  enum { PLAIN, INDEX, QUOTED } kind;
};

/* Cuts the next segment off *p; false at the end. */
static bool next_segment(const char **p, struct segment *out) {
  const char *s = *p;
  if (*s == '.')
    s++;
  if (*s == '\0')
    return false;
  out->kind = PLAIN;
  if (s[0] == '[' && s[1] == '"') {
    const char *end = strstr(s + 2, "\"]");
    out->kind = QUOTED;
    out->text = s + 2;
    out->len = end != NULL ? (size_t)(end - out->text) : strlen(out->text);
    *p = out->text + out->len + (end != NULL ? 2 : 0);
    return true;
  }
  if (*s == '[') {
    out->kind = INDEX;
    out->text = s + 1;
    out->len = strcspn(out->text, "]");
    *p = out->text + out->len + (out->text[out->len] == ']');
    return true;
  }
  out->text = s;
  out->len = strcspn(s, ".[");
  *p = s + out->len;
  return true;
}

static bool glob(const char *pattern, size_t pattern_len, const char *text,
                 size_t len) {
  size_t p = 0, t = 0, star = (size_t)-1, back = 0;
  while (t < len) {
    if (p < pattern_len && pattern[p] == '*') {
      star = p++;
      back = t;
    } else if (p < pattern_len && pattern[p] == text[t]) {
      p++;
      t++;
    } else if (star != (size_t)-1) {
      p = star + 1;
      t = ++back;
    } else {
      return false;
    }
  }
  while (p < pattern_len && pattern[p] == '*')
    p++;
  return p == pattern_len;
}

static bool segment_matches(const struct segment *rule,
                            const struct segment *field) {
  if (rule->kind == QUOTED)
    return field->kind != INDEX && rule->len == field->len &&
           memcmp(rule->text, field->text, rule->len) == 0;
  if (rule->kind == INDEX && field->kind != INDEX)
    return false;
  return glob(rule->text, rule->len, field->text, field->len);
}

bool eh_path_matches(const char *rule, const char *path) {
  struct segment a, b;
  while (next_segment(&rule, &a))
    if (!next_segment(&path, &b) || !segment_matches(&a, &b))
      return false;
  return !next_segment(&path, &b);
}

static int rank(const struct eh_field_rule *rule) {
  int rank = rule->tool != NULL ? 2 : 0;
  if (rule->path != NULL)
    rank += 4 + (strchr(rule->path, '*') == NULL);
  return rank;
}

/* Insertion sort: stable, and rules are few. */
void eh_rules_sort(struct eh_field_rule *rules, size_t count) {
  for (size_t i = 1; i < count; i++) {
    struct eh_field_rule rule = rules[i];
    size_t k = i;
    for (; k > 0; k--) {
      int order = rank(&rules[k - 1]) - rank(&rule);
      if (order == 0 && rule.path != NULL)
        order = strcmp(rules[k - 1].path, rule.path);
      if (order <= 0)
        break;
      rules[k] = rules[k - 1];
    }
    rules[k] = rule;
  }
}
