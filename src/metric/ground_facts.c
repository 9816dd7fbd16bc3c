/* ground_facts.c: finding numbers in text. */
#include "metric/ground_facts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_NUMBER 40 /* characters; longer rows of digits are codes */

void eh_facts_add(struct eh_arena *arena, struct eh_fact_list *list,
                  const struct eh_fact *fact) {
  if (list->count == list->max)
    return;
  if (list->count == list->room) {
    size_t room = list->room > 0 ? list->room * 2 : 16;
    struct eh_fact *items = eh_arena_alloc(arena, room * sizeof *items);
    if (list->count > 0)
      memcpy(items, list->items, list->count * sizeof *items);
    list->items = items;
    list->room = room;
  }
  list->items[list->count++] = *fact;
}

struct scan {
  const char *text;
  size_t pos;
  size_t end;
};

static int at(const struct scan *s, size_t pos) {
  return pos < s->end ? (unsigned char)s->text[pos] : 0;
}

/* Digits with separators of thousands, decimals and exponent from s->pos on;
 * written to out without separators. Returns the decimals, or -1 if it is too
 * long. */
static int read_digits(struct scan *s, char out[MAX_NUMBER + 1]) {
  size_t n = 0, start = s->pos;
  int decimals = 0;
  bool point = false;
  for (; s->pos < s->end; s->pos++) {
    int c = at(s, s->pos);
    bool group = c == ',' && !point && s->pos - start > 0 &&
                 isdigit(at(s, s->pos + 1)) && isdigit(at(s, s->pos + 2)) &&
                 isdigit(at(s, s->pos + 3)) && !isdigit(at(s, s->pos + 4));
    if (group)
      continue;
    if (c == '.' && !point && isdigit(at(s, s->pos + 1)))
      point = true;
    else if (!isdigit(c))
      break;
    else if (point)
      decimals++;
    if (n < MAX_NUMBER)
      out[n] = (char)c;
    n++;
  }
  out[n < MAX_NUMBER ? n : MAX_NUMBER] = '\0';
  return n < MAX_NUMBER ? decimals : -1;
}

static int read_exponent(struct scan *s) {
  size_t pos = s->pos + 1;
  int sign = 1, value = 0;
  if (tolower(at(s, s->pos)) != 'e')
    return 0;
  if (at(s, pos) == '+' || at(s, pos) == '-')
    sign = at(s, pos++) == '-' ? -1 : 1;
  if (!isdigit(at(s, pos)))
    return 0;
  while (isdigit(at(s, pos)) && value < 400)
    value = value * 10 + (at(s, pos++) - '0');
  if (isalnum(at(s, pos)))
    return 0;
  s->pos = pos;
  return sign * value;
}

struct unit {
  const char *text;
  double scale;
  enum eh_fact_kind kind;
  bool apart;  /* a space or hyphen may come before it */
  bool strict; /* the case counts */
};

/* The unit that follows the number, if any; moves behind it. */
static const struct unit *read_unit(struct scan *s) {
  static const struct unit units[] = {
      {"percentage points", 1, EH_FACT_PERCENT, true, false},
      {"percentage point", 1, EH_FACT_PERCENT, true, false},
      {"basis points", 1, EH_FACT_BPS, true, false},
      {"basis point", 1, EH_FACT_BPS, true, false},
      {"per cent", 1, EH_FACT_PERCENT, true, false},
      {"percent", 1, EH_FACT_PERCENT, true, false},
      {"pct", 1, EH_FACT_PERCENT, true, false},
      {"bps", 1, EH_FACT_BPS, true, false},
      {"bp", 1, EH_FACT_BPS, true, false},
      {"%", 1, EH_FACT_PERCENT, true, false},
      {"thousand", 1e3, EH_FACT_NUMBER, true, false},
      {"million", 1e6, EH_FACT_NUMBER, true, false},
      {"billion", 1e9, EH_FACT_NUMBER, true, false},
      {"trillion", 1e12, EH_FACT_NUMBER, true, false},
      {"mn", 1e6, EH_FACT_NUMBER, true, false},
      {"bn", 1e9, EH_FACT_NUMBER, true, false},
      {"tn", 1e12, EH_FACT_NUMBER, true, false},
      {"k", 1e3, EH_FACT_NUMBER, false, false},
      {"M", 1e6, EH_FACT_NUMBER, false, true},
      {"B", 1e9, EH_FACT_NUMBER, false, true},
      {"T", 1e12, EH_FACT_NUMBER, false, true}};
  int c = at(s, s->pos);
  size_t gap = c == ' ' || c == '-' ? 1 : 0;
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    const struct unit *u = &units[i];
    size_t len = strlen(u->text), pos = s->pos + (u->apart ? gap : 0);
    if (pos + len > s->end ||
        (u->kind != EH_FACT_PERCENT || len > 1 ? isalnum(at(s, pos + len)) != 0
                                               : false))
      continue;
    if ((u->strict ? strncmp : strncasecmp)(s->text + pos, u->text, len) != 0)
      continue;
    s->pos = pos + len;
    return u;
  }
  return NULL;
}

/* "about 1,200", "~50": the last zeros may be rounding. */
static bool is_approximate(const struct scan *s, size_t first) {
  static const char *const words[] = {
      "about", "around", "roughly", "nearly", "almost",       "over",
      "circa", "approx", "than",    "under",  "approximately"};
  size_t end = first, start;
  while (end > 0 && strchr(" $.", s->text[end - 1]) != NULL)
    end--;
  if (end > 0 && s->text[end - 1] == '~')
    return true;
  start = end;
  while (start > 0 && isalpha((unsigned char)s->text[start - 1]))
    start--;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (end - start == strlen(words[i]) &&
        strncasecmp(s->text + start, words[i], end - start) == 0)
      return true;
  return false;
}

static int significant(const char *number) {
  int count = 0;
  for (; *number != '\0'; number++)
    if (isdigit((unsigned char)*number) && (count > 0 || *number != '0'))
      count++;
  return count > 0 ? count : 1;
}

static void set_half(const struct scan *s, struct eh_fact *fact,
                     const char *number, int decimals, double scale) {
  double step = scale * pow(10, -decimals);
  fact->half = step / 2;
  if (decimals == 0 && is_approximate(s, fact->first)) {
    double coarse = step;
    for (size_t i = strlen(number); i > 1 && number[i - 1] == '0'; i--)
      coarse *= 10;
    fact->half = fmax(fact->half, fmin(coarse / 2, 0.05 * fabs(fact->value)));
  }
}

/* 10:30, 1.2.3: more digits after a number's end. */
static bool goes_on(const struct scan *s) {
  int c = at(s, s->pos);
  return (c == ':' || c == '.') && isdigit(at(s, s->pos + 1));
}

static void read_number(struct scan *s, struct eh_fact *fact) {
  char number[MAX_NUMBER + 1];
  const struct unit *unit;
  int decimals, exponent;
  memset(fact, 0, sizeof *fact);
  fact->first = s->pos;
  decimals = read_digits(s, number);
  fact->kind = EH_FACT_NUMBER;
  if (decimals < 0 || goes_on(s)) {
    while (isdigit(at(s, s->pos)) || goes_on(s))
      s->pos++;
    fact->kind = EH_FACT_CODE;
    fact->end = s->pos;
    return;
  }
  exponent = read_exponent(s);
  fact->end = s->pos;
  unit = read_unit(s);
  fact->value = strtod(number, NULL) * pow(10, exponent);
  fact->digits = significant(number);
  if (unit != NULL) {
    fact->value *= unit->scale;
    fact->kind = unit->kind;
    fact->end = s->pos;
  }
  set_half(s, fact, number, decimals,
           (unit != NULL ? unit->scale : 1) * pow(10, exponent));
  if (fact->first > 0 && s->text[fact->first - 1] == '-' &&
      (fact->first == 1 || !isalnum((unsigned char)s->text[fact->first - 2])))
    fact->value = -fact->value;
}

/* Digits after letters belong to a name (Q3), but for a currency (USD5). */
static bool glued(const struct scan *s, size_t pos) {
  static const char *const codes[] = {"USD", "EUR", "GBP", "JPY", "CHF",
                                      "CAD", "AUD", "INR", "CNY", "Rs"};
  if (pos == 0 || !(isalpha((unsigned char)s->text[pos - 1]) ||
                    (unsigned char)s->text[pos - 1] >= 0xc3))
    return false;
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
    size_t len = strlen(codes[i]);
    if (pos >= len && memcmp(s->text + pos - len, codes[i], len) == 0)
      return false;
  }
  return true;
}

void eh_facts_numbers(struct eh_arena *arena, const char *text, size_t first,
                      size_t end, struct eh_fact_list *list) {
  struct scan s = {text, first, end};
  while (s.pos < end) {
    struct eh_fact fact;
    int c = at(&s, s.pos);
    bool starts = s.pos == 0 || !isalnum((unsigned char)text[s.pos - 1]);
    bool date = starts && (isdigit(c) || isupper(c)) &&
                eh_facts_date(text, s.pos, end, &fact) != s.pos;
    if (date) {
      eh_facts_add(arena, list, &fact);
      s.pos = fact.end;
    } else if (isdigit(c) && !glued(&s, s.pos)) {
      read_number(&s, &fact);
      eh_facts_add(arena, list, &fact);
      s.pos = fact.end;
    } else if (isdigit(c)) {
      while (isalnum(at(&s, s.pos)))
        s.pos++;
    } else {
      s.pos++;
    }
  }
}

void eh_facts_spelled(struct eh_arena *arena, const char *text, size_t len,
                      struct eh_fact_list *list) {
  static const char *const words[] = {
      "zero",  "one",   "two",  "three", "four",   "five",  "six",
      "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  struct scan s = {text, 0, len};
  while (s.pos < len) {
    size_t first = s.pos;
    while (s.pos < len && isalpha(at(&s, s.pos)))
      s.pos++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
      struct eh_fact fact = {.first = first, .kind = EH_FACT_NUMBER};
      const struct unit *unit;
      if (s.pos - first != strlen(words[i]) ||
          strncasecmp(text + first, words[i], s.pos - first) != 0)
        continue;
      unit = read_unit(&s);
      fact.end = s.pos;
      fact.value = (double)i * (unit != NULL ? unit->scale : 1);
      fact.kind = unit != NULL ? unit->kind : EH_FACT_NUMBER;
      eh_facts_add(arena, list, &fact);
      break;
    }
    s.pos += s.pos == first;
  }
}
