/* ground_check.c: the facts of an answer against query and evidence. */
#include "metric/ground_check.h"

#include "text/sentences.h"

#include <string.h>
#include <strings.h>

static bool occurs(const struct eh_ground_text *in, const char *what,
                   size_t len) {
  return in->text != NULL && memmem(in->text, in->len, what, len) != NULL;
}

/* The text of the fact stands in the query, or in the evidence. */
static enum eh_fact_status literal(const struct eh_judge *j,
                                   struct eh_fact *fact) {
  const char *what = j->in->answer.text + fact->first;
  size_t len = fact->end - fact->first;
  if (occurs(&j->in->query, what, len))
    return EH_FACT_KNOWN;
  for (size_t i = 0; i < j->in->evidence_count; i++)
    if (occurs(&j->in->evidence[i], what, len)) {
      fact->evidence = i;
      return EH_FACT_SUPPORTED;
    }
  return EH_FACT_UNSUPPORTED;
}

static enum eh_fact_status check_number(const struct eh_judge *j,
                                        struct eh_fact *fact) {
  size_t ignored;
  if (eh_derive_number(&j->own_figures, fact, &ignored))
    return EH_FACT_KNOWN;
  if (eh_derive_number(&j->figures, fact, &fact->evidence))
    return EH_FACT_SUPPORTED;
  return EH_FACT_UNSUPPORTED;
}

static enum eh_fact_status check_date(const struct eh_judge *j,
                                      struct eh_fact *fact) {
  for (size_t i = 0; i < j->asked.count; i++)
    if (eh_derive_date(fact, &j->asked.items[i]))
      return EH_FACT_KNOWN;
  for (size_t i = 0; i < j->numbers.count; i++)
    if (eh_derive_date(fact, &j->numbers.items[i])) {
      fact->evidence = j->numbers.items[i].evidence;
      return EH_FACT_SUPPORTED;
    }
  return literal(j, fact);
}

/* Three capitals or more that are the initials of words in a row. */
static bool is_acronym(const struct eh_judge *j, const char *word, size_t len) {
  char lower[8];
  if (len < 3 || len >= sizeof lower)
    return false;
  for (size_t i = 0; i < len; i++)
    lower[i] = (char)(word[i] + 32);
  return memmem(j->initials.data, j->initials.len, lower, len) != NULL;
}

/* Which evidence names the word; only for the record. */
static size_t who_names(const struct eh_judge *j, const char *word,
                        size_t len) {
  for (size_t i = 0; i < j->in->evidence_count; i++) {
    const struct eh_ground_text *item = &j->in->evidence[i];
    for (size_t k = 0; k + len <= item->len; k++)
      if (strncasecmp(item->text + k, word, len) == 0)
        return i;
  }
  return 0;
}

static enum eh_fact_status check_name(const struct eh_judge *j,
                                      struct eh_fact *fact) {
  const char *text = j->in->answer.text + fact->first;
  enum eh_fact_status status = EH_FACT_KNOWN;
  struct eh_terms terms;
  struct eh_term term;
  eh_terms_init(&terms, text, fact->end - fact->first);
  while (eh_terms_next(&terms, &term)) {
    unsigned seen = eh_vocab_get(&j->vocab, term.stem);
    size_t len = term.end - term.first;
    if (seen & EH_ASKED)
      continue;
    if (!(seen & EH_GIVEN) &&
        !(term.upper && is_acronym(j, text + term.first, len))) {
      status = EH_FACT_UNSUPPORTED;
      break;
    }
    if (status == EH_FACT_KNOWN)
      fact->evidence = who_names(j, text + term.first, len);
    status = EH_FACT_SUPPORTED;
  }
  eh_terms_free(&terms);
  return status;
}

static enum eh_fact_status check_fact(const struct eh_judge *j,
                                      struct eh_fact *fact) {
  switch (fact->kind) {
  case EH_FACT_DATE:
    return check_date(j, fact);
  case EH_FACT_CODE:
    return literal(j, fact);
  case EH_FACT_NAME:
    return check_name(j, fact);
  default:
    return check_number(j, fact);
  }
}

void eh_check_facts(struct eh_judge *j) {
  const struct eh_ground_text *answer = &j->in->answer;
  struct eh_fact_list *facts = &j->out->facts;
  struct eh_ground_part *part = &j->out->parts[EH_GROUND_FACTS];
  struct eh_span sentence;
  size_t pos = 0;
  facts->max = EH_GROUND_FACTS_MAX;
  while (eh_sentences_next(answer->text, answer->len, &pos, &sentence)) {
    size_t from = facts->count;
    eh_facts_numbers(j->arena, answer->text, sentence.first, sentence.end,
                     facts);
    eh_facts_names(j->arena, answer->text, sentence.first, sentence.end, facts,
                   from);
  }
  for (size_t i = 0; i < facts->count; i++) {
    struct eh_fact *fact = &facts->items[i];
    fact->status = check_fact(j, fact);
    part->total += fact->status != EH_FACT_KNOWN;
    part->hits += fact->status == EH_FACT_SUPPORTED;
  }
}
