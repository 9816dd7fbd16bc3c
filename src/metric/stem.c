/* stem.c: the Porter stemmer. The names of the steps are the paper's. */
#include "metric/stem.h"

#include <stdbool.h>
#include <string.h>

struct rule {
  const char *suffix;
  const char *ending;
};

/* A y is a vowel after a consonant. */
static bool consonant(const char *w, size_t i) {
  bool is = true;
  size_t y = i;
  while (y > 0 && w[y] == 'y')
    y--;
  if (strchr("aeiou", w[y]) != NULL)
    is = false;
  /* Between w[y] and w[i] there are only y, which alternate. */
  return (i - y) % 2 == 0 ? is : !is;
}

/* m of the paper: how often a vowel is followed by a consonant. */
static int measure(const char *w, size_t len) {
  int m = 0;
  for (size_t i = 1; i < len; i++)
    m += consonant(w, i) && !consonant(w, i - 1);
  return m;
}

static bool has_vowel(const char *w, size_t len) {
  for (size_t i = 0; i < len; i++)
    if (!consonant(w, i))
      return true;
  return false;
}

static bool double_consonant(const char *w, size_t len) {
  return len >= 2 && w[len - 1] == w[len - 2] && consonant(w, len - 1);
}

/* *o: consonant, vowel, consonant that is not w, x or y; or (nltk) a word of
 * vowel and consonant. */
static bool ends_cvc(const char *w, size_t len) {
  if (len == 2)
    return !consonant(w, 0) && consonant(w, 1);
  return len >= 3 && consonant(w, len - 3) && !consonant(w, len - 2) &&
         consonant(w, len - 1) && strchr("wxy", w[len - 1]) == NULL;
}

static bool ends(const char *w, size_t len, const char *suffix) {
  size_t n = strlen(suffix);
  return len >= n && memcmp(w + len - n, suffix, n) == 0;
}

/* Puts ending in the place of the last `cut` letters. */
static size_t replace(char *w, size_t len, size_t cut, const char *ending) {
  size_t n = strlen(ending);
  memcpy(w + len - cut, ending, n);
  return len - cut + n;
}

/* Applies the one rule whose suffix ends w, if the stem's measure is above
 * min. */
static size_t apply(char *w, size_t len, const struct rule *rules, int min) {
  for (; rules->suffix != NULL; rules++) {
    size_t cut = strlen(rules->suffix);
    if (!ends(w, len, rules->suffix))
      continue;
    if (measure(w, len - cut) > min)
      return replace(w, len, cut, rules->ending);
    return len;
  }
  return len;
}

static size_t step1a(char *w, size_t len) {
  if (ends(w, len, "ies") && len == 4)
    return len - 1;
  if (ends(w, len, "sses") || ends(w, len, "ies"))
    return len - 2;
  if (ends(w, len, "ss"))
    return len;
  return ends(w, len, "s") ? len - 1 : len;
}

static size_t step1b(char *w, size_t len) {
  size_t cut;
  if (ends(w, len, "ied"))
    return len - (len == 4 ? 1 : 2);
  if (ends(w, len, "eed"))
    return measure(w, len - 3) > 0 ? len - 1 : len;
  if (ends(w, len, "ed"))
    cut = 2;
  else if (ends(w, len, "ing"))
    cut = 3;
  else
    return len;
  if (!has_vowel(w, len - cut))
    return len;
  len -= cut;
  if (ends(w, len, "at") || ends(w, len, "bl") || ends(w, len, "iz"))
    return replace(w, len, 0, "e");
  if (double_consonant(w, len))
    return strchr("lsz", w[len - 1]) != NULL ? len : len - 1;
  if (measure(w, len) == 1 && ends_cvc(w, len))
    return replace(w, len, 0, "e");
  return len;
}

static size_t step1c(char *w, size_t len) {
  if (len > 2 && w[len - 1] == 'y' && consonant(w, len - 2))
    w[len - 1] = 'i';
  return len;
}

static size_t step2(char *w, size_t len) {
  static const struct rule rules[] = {
      {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},
      {"anci", "ance"},   {"izer", "ize"},    {"bli", "ble"},
      {"entli", "ent"},   {"eli", "e"},       {"ousli", "ous"},
      {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},
      {"alism", "al"},    {"iveness", "ive"}, {"fulness", "ful"},
      {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"},
      {"biliti", "ble"},  {"fulli", "ful"},   {NULL, NULL}};
  if (ends(w, len, "alli")) {
    if (measure(w, len - 4) > 0)
      return step2(w, replace(w, len, 4, "al"));
    return len;
  }
  /* The measure of -logi counts the l, so that "geologi" shortens. */
  if (ends(w, len, "logi"))
    return measure(w, len - 3) > 0 ? len - 1 : len;
  return apply(w, len, rules, 0);
}

static size_t step3(char *w, size_t len) {
  static const struct rule rules[] = {
      {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
      {"ical", "ic"},  {"ful", ""},   {"ness", ""},    {NULL, NULL}};
  return apply(w, len, rules, 0);
}

static size_t step4(char *w, size_t len) {
  static const struct rule rules[] = {{"al", ""},   {"ance", ""}, {"ence", ""},
                                      {"er", ""},   {"ic", ""},   {"able", ""},
                                      {"ible", ""}, {"ant", ""},  {"ement", ""},
                                      {"ment", ""}, {"ent", ""},  {NULL, NULL}};
  static const struct rule more[] = {{"ou", ""},  {"ism", ""}, {"ate", ""},
                                     {"iti", ""}, {"ous", ""}, {"ive", ""},
                                     {"ize", ""}, {NULL, NULL}};
  for (const struct rule *rule = rules; rule->suffix != NULL; rule++)
    if (ends(w, len, rule->suffix))
      return apply(w, len, rule, 1);
  if (ends(w, len, "ion")) {
    bool st = len > 3 && (w[len - 4] == 's' || w[len - 4] == 't');
    return st && measure(w, len - 3) > 1 ? len - 3 : len;
  }
  return apply(w, len, more, 1);
}

static size_t step5(char *w, size_t len) {
  if (ends(w, len, "e")) {
    int m = measure(w, len - 1);
    if (m > 1 || (m == 1 && !ends_cvc(w, len - 1)))
      len--;
  }
  if (ends(w, len, "ll") && measure(w, len - 1) > 1)
    len--;
  return len;
}

/* nltk's pool of irregular forms. */
static bool irregular(char *w, size_t *len) {
  static const struct rule forms[] = {{"sky", "sky"},
                                      {"skies", "sky"},
                                      {"dying", "die"},
                                      {"lying", "lie"},
                                      {"tying", "tie"},
                                      {"news", "news"},
                                      {"innings", "inning"},
                                      {"inning", "inning"},
                                      {"outings", "outing"},
                                      {"outing", "outing"},
                                      {"cannings", "canning"},
                                      {"canning", "canning"},
                                      {"howe", "howe"},
                                      {"proceed", "proceed"},
                                      {"exceed", "exceed"},
                                      {"succeed", "succeed"},
                                      {NULL, NULL}};
  for (const struct rule *form = forms; form->suffix != NULL; form++)
    if (strlen(form->suffix) == *len && memcmp(w, form->suffix, *len) == 0) {
      *len = replace(w, *len, *len, form->ending);
      return true;
    }
  return false;
}

size_t eh_stem_porter(char *word, size_t len) {
  for (size_t i = 0; i < len; i++)
    if (word[i] < 'a' || word[i] > 'z')
      return len;
  if (len <= 2 || irregular(word, &len))
    return len;
  len = step1c(word, step1b(word, step1a(word, len)));
  return step5(word, step4(word, step3(word, step2(word, len))));
}
