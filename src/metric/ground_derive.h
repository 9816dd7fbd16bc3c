/* ground_derive.h: which numbers follow from others. */
#ifndef EH_METRIC_GROUND_DERIVE_H
#define EH_METRIC_GROUND_DERIVE_H

#include "metric/ground_facts.h"

#define EH_DERIVE_POOL 100 /* numbers that are combined in pairs */

struct eh_figure {
  double size;     /* the absolute value */
  size_t evidence; /* index of its text */
};

struct eh_figures {
  struct eh_figure *sorted; /* by size */
  size_t count;
  double pool[EH_DERIVE_POOL]; /* distinct, signed; the evidence's first */
  size_t pool_evidence[EH_DERIVE_POOL];
  size_t pool_count;
  size_t pool_own; /* how many of the pool are the evidence's */
  unsigned scales; /* 1 thousands, 2 millions, 4 billions: unit words */
};

/* numbers: the facts of the evidence, each with its `evidence` set; asked: the
 * facts of the query. */
void eh_derive_prepare(struct eh_arena *arena,
                       const struct eh_fact_list *numbers,
                       const struct eh_fact_list *asked,
                       struct eh_figures *out);

/* Does a number or percentage follow? Sets *evidence. */
bool eh_derive_number(const struct eh_figures *figures,
                      const struct eh_fact *fact, size_t *evidence);

/* Do all parts of a date agree with another date? */
bool eh_derive_date(const struct eh_fact *fact, const struct eh_fact *given);

#endif
