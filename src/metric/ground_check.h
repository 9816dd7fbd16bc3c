/* ground_check.h: the judge at work, private to src/metric/ground*.c. */
#ifndef EH_METRIC_GROUND_CHECK_H
#define EH_METRIC_GROUND_CHECK_H

#include "metric/ground.h"
#include "metric/ground_derive.h"
#include "metric/ground_terms.h"

#define EH_GROUND_FACTS_MAX 2000 /* of an answer or a query */

/* Where a word was seen. */
#define EH_ASKED 1u
#define EH_GIVEN 2u

struct eh_judge {
  struct eh_arena *arena;
  const struct eh_ground_input *in;
  struct eh_ground *out;
  struct eh_vocab vocab;         /* EH_ASKED, EH_GIVEN */
  struct eh_fact_list numbers;   /* of the evidence */
  struct eh_fact_list asked;     /* of the query */
  struct eh_figures figures;     /* of the evidence */
  struct eh_figures own_figures; /* of the query alone */
  struct eh_buf initials;        /* of the words of query and evidence */
};

/* Finds the facts of the answer and decides each. */
void eh_check_facts(struct eh_judge *j);

#endif
