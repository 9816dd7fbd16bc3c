/* ground_names.c: finding names and tickers in text. */
#include "metric/ground_facts.h"

#include "metric/ground_terms.h"

#include <string.h>
#include <strings.h>

static bool is_weekday(const char *word, size_t len) {
  static const char *const days[] = {"monday",   "tuesday", "wednesday",
                                     "thursday", "friday",  "saturday",
                                     "sunday"};
  for (size_t i = 0; i < 7; i++)
    if (len == strlen(days[i]) && strncasecmp(word, days[i], len) == 0)
      return true;
  return false;
}

static bool may_be_name(const char *text, const struct eh_term *t) {
  size_t len = t->end - t->first;
  return t->capital && !t->stop && len > 1 &&
         eh_facts_month(text + t->first, len) == 0 &&
         !is_weekday(text + t->first, len);
}

/* Are there only a space, or & between spaces, between the two? */
static bool adjacent(const char *text, const struct eh_term *a,
                     const struct eh_term *b) {
  size_t gap = b->first - a->end;
  if (a->possessive)
    return false;
  return (gap == 1 && (text[a->end] == ' ' || text[a->end] == '-')) ||
         (gap == 3 && memcmp(text + a->end, " & ", 3) == 0);
}

static bool inside(const struct eh_fact_list *list, size_t from, size_t to,
                   const struct eh_term *term) {
  for (size_t i = from; i < to; i++)
    if (term->first < list->items[i].end && term->end > list->items[i].first)
      return true;
  return false;
}

/* A capital at the start of a sentence or after a colon says nothing by
 * itself. */
static bool forced(const char *text, size_t first, const struct eh_term *t) {
  size_t i = t->first;
  while (i > first && strchr(" *_\"'([`#|", text[i - 1]) != NULL)
    i--;
  return i == first || text[i - 1] == ':';
}

void eh_facts_names(struct eh_arena *arena, const char *text, size_t first,
                    size_t end, struct eh_fact_list *list, size_t from) {
  struct eh_terms terms;
  struct eh_term term, last = {0};
  struct eh_fact name = {.kind = EH_FACT_NAME};
  size_t words = 0, to = list->count;
  bool sure = false;
  eh_terms_init(&terms, text + first, end - first);
  for (;;) {
    bool more = eh_terms_next(&terms, &term), part;
    term.first += first;
    term.end += first;
    part = more && may_be_name(text, &term) && !inside(list, from, to, &term);
    if (words > 0 && !(part && adjacent(text, &last, &term))) {
      if (sure)
        eh_facts_add(arena, list, &name);
      words = 0;
    }
    if (!more)
      break;
    if (!part)
      continue;
    if (words++ == 0) {
      name.first = term.first;
      sure = false;
    }
    sure = sure || words > 1 || term.upper || term.mixed || term.possessive ||
           !forced(text, first, &term);
    name.end = term.end;
    last = term;
  }
  eh_terms_free(&terms);
}
