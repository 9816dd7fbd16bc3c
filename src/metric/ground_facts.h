/* ground_facts.h: the checkable claims of a text: numbers, dates, names. */
#ifndef EH_METRIC_GROUND_FACTS_H
#define EH_METRIC_GROUND_FACTS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum eh_fact_kind {
  EH_FACT_NUMBER,
  EH_FACT_PERCENT,
  EH_FACT_BPS, /* basis points */
  EH_FACT_DATE,
  EH_FACT_CODE, /* 10:30, 1.2.3, a long row of digits: counts as it stands */
  EH_FACT_NAME  /* capitalised words, tickers */
};

enum eh_fact_status {
  EH_FACT_UNSUPPORTED,
  EH_FACT_SUPPORTED, /* follows from the evidence */
  EH_FACT_KNOWN      /* repeats the question: neither for nor against */
};

struct eh_fact {
  size_t first; /* bytes [first, end) of the text */
  size_t end;
  enum eh_fact_kind kind;
  enum eh_fact_status status;
  size_t evidence; /* index of the item that supports it */
  double value;    /* numbers: with suffix: 1.5M is 1500000, 7% is 7 */
  double half;     /* numbers: half a unit of the last digit shown */
  int digits;      /* numbers: significant digits shown */
  int year;        /* dates; 0: not given */
  int month;
  int day;
  bool day_first; /* 3/4/2024: could also be the 3rd of April */
};

struct eh_fact_list {
  struct eh_fact *items;
  size_t count;
  size_t room;
  size_t max; /* further facts are left out */
};

/* Appends a copy of fact, unless the list is full. Items live in arena. */
void eh_facts_add(struct eh_arena *arena, struct eh_fact_list *list,
                  const struct eh_fact *fact);

/* Appends the numbers, dates and codes of text[first..end). */
void eh_facts_numbers(struct eh_arena *arena, const char *text, size_t first,
                      size_t end, struct eh_fact_list *list);

/* Appends the numbers that are spelled, zero to twelve ("two billion"). They
 * are evidence, but no claims: "one of them" is none. */
void eh_facts_spelled(struct eh_arena *arena, const char *text, size_t len,
                      struct eh_fact_list *list);

/* Appends the names of a sentence. Words inside facts from index `from` of the
 * list (those of the same sentence) are no names. */
void eh_facts_names(struct eh_arena *arena, const char *text, size_t first,
                    size_t end, struct eh_fact_list *list, size_t from);

/* A date at text[pos]: its end, or pos if there is none. */
size_t eh_facts_date(const char *text, size_t pos, size_t end,
                     struct eh_fact *out);

/* Is the lower-case word a month (1 to 12; abbreviations too)? else 0. */
int eh_facts_month(const char *word, size_t len);

#endif
