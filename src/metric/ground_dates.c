/* ground_dates.c: 2024-12-17, 12/17/2024, December 17, 2024, 17 Dec 2024. */
#include "metric/ground_facts.h"

#include <ctype.h>
#include <string.h>

struct cursor {
  const char *text;
  size_t pos;
  size_t end;
};

int eh_facts_month(const char *word, size_t len) {
  static const char *const months[] = {
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  if (len < 3)
    return 0;
  for (int i = 0; i < 12; i++) {
    size_t full = strlen(months[i]);
    bool short_form = len == 3 || (len == 4 && i == 8);
    if ((len == full || short_form) && strncasecmp(word, months[i], len) == 0)
      return i + 1;
  }
  return 0;
}

/* Between min and max digits, not followed by another: their value; or -1. */
static int digits(struct cursor *c, int min, int max) {
  size_t pos = c->pos;
  int value = 0, count = 0;
  while (pos < c->end && isdigit((unsigned char)c->text[pos])) {
    if (++count > max)
      return -1;
    value = value * 10 + (c->text[pos++] - '0');
  }
  if (count < min)
    return -1;
  c->pos = pos;
  return value;
}

static bool accept(struct cursor *c, char wanted) {
  if (c->pos >= c->end || c->text[c->pos] != wanted)
    return false;
  c->pos++;
  return true;
}

static bool plausible(const struct eh_fact *f) {
  return f->month >= 1 && f->month <= 12 && f->day >= 0 && f->day <= 31;
}

/* year - month - day, or / */
static bool iso(struct cursor *c, struct eh_fact *out) {
  char sep;
  if ((out->year = digits(c, 4, 4)) < 0 || c->pos >= c->end)
    return false;
  sep = c->text[c->pos];
  if ((sep != '-' && sep != '/') || !accept(c, sep) ||
      (out->month = digits(c, 1, 2)) < 0 || !accept(c, sep))
    return false;
  out->day = digits(c, 1, 2);
  return out->day > 0 && plausible(out);
}

/* month / day / year or day / month / year */
static bool slashes(struct cursor *c, struct eh_fact *out) {
  int a = digits(c, 1, 2), b;
  if (a < 1 || !accept(c, '/') || (b = digits(c, 1, 2)) < 1 ||
      !accept(c, '/') || (out->year = digits(c, 4, 4)) < 0)
    return false;
  out->day_first = a <= 12 && b <= 12;
  out->month = a <= 12 ? a : b;
  out->day = a <= 12 ? b : a;
  return plausible(out);
}

static int month_word(struct cursor *c) {
  size_t pos = c->pos;
  int month;
  while (pos < c->end && isalpha((unsigned char)c->text[pos]))
    pos++;
  month = eh_facts_month(c->text + c->pos, pos - c->pos);
  if (month == 0 || !isupper((unsigned char)c->text[c->pos]))
    return 0;
  c->pos = pos;
  accept(c, '.');
  return month;
}

static int day_number(struct cursor *c) {
  struct cursor start = *c;
  int day = digits(c, 1, 2);
  if (day < 1 || day > 31) {
    *c = start;
    return 0;
  }
  if (c->end - c->pos >= 2) {
    const char *p = c->text + c->pos;
    if (memcmp(p, "st", 2) == 0 || memcmp(p, "nd", 2) == 0 ||
        memcmp(p, "rd", 2) == 0 || memcmp(p, "th", 2) == 0)
      c->pos += 2;
  }
  return day;
}

/* A comma and spaces, then four digits; the cursor stays if there are none. */
static int year_after(struct cursor *c) {
  struct cursor start = *c;
  int year;
  accept(c, ',');
  if (!accept(c, ' ') || (year = digits(c, 4, 4)) < 0) {
    *c = start;
    return 0;
  }
  return year;
}

/* Month [day] [year]; at least one of the two. */
static bool month_first(struct cursor *c, struct eh_fact *out) {
  struct cursor after;
  if ((out->month = month_word(c)) == 0)
    return false;
  after = *c;
  if (accept(c, ' '))
    out->day = day_number(c);
  if (out->day == 0)
    *c = after;
  out->year = year_after(c);
  return out->day > 0 || out->year > 0;
}

/* day [of] Month [year] */
static bool day_month(struct cursor *c, struct eh_fact *out) {
  if ((out->day = day_number(c)) == 0 || !accept(c, ' '))
    return false;
  if (c->end - c->pos > 3 && memcmp(c->text + c->pos, "of ", 3) == 0)
    c->pos += 3;
  if ((out->month = month_word(c)) == 0)
    return false;
  out->year = year_after(c);
  return true;
}

size_t eh_facts_date(const char *text, size_t pos, size_t end,
                     struct eh_fact *out) {
  static bool (*const forms[])(struct cursor *, struct eh_fact *) = {
      iso, slashes, day_month, month_first};
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    struct cursor c = {text, pos, end};
    memset(out, 0, sizeof *out);
    if (forms[i](&c, out)) {
      out->kind = EH_FACT_DATE;
      out->first = pos;
      out->end = c.pos;
      return c.pos;
    }
  }
  return pos;
}
