/* ground.h: the model-free judge `grounded`: is the answer what the evidence
 * says, and does it say what was asked for?
 *
 *   value = 0.4 keywords + 0.4 facts + 0.2 coverage
 *
 * keywords: the share of the keywords all of whose words occur in one sentence
 *   of the answer (folded, stemmed).
 * facts: the share of the answer's numbers, dates and names that follow from
 *   the evidence. A number follows if some number of the evidence rounds to it
 *   at the digits shown (percent, basis points, K/M/B and unit words
 *   converted), or the sum, difference, ratio or relative change of two does;
 *   pairs count only where a chance hit is unlikely (pairs tried <= 10 ^ digits
 *   shown). A name follows if all its words occur. What repeats the query
 *   counts neither for nor against.
 * coverage: the share of the answer's content words that occur in the
 *   evidence; words that only repeat the query are left out.
 *
 * A part that does not apply (no keywords; no facts; no evidence or no content
 * words) is left out and the weights of the others are scaled up. A blank
 * answer is 0. This is lexical: it does not see negation or roles. */
#ifndef EH_METRIC_GROUND_H
#define EH_METRIC_GROUND_H

#include "base/buf.h"
#include "metric/ground_facts.h"

/* A borrowed text. id may be NULL. */
struct eh_ground_text {
  const char *id;
  const char *text;
  size_t len;
};

struct eh_ground_input {
  struct eh_ground_text answer;
  struct eh_ground_text query; /* text may be NULL */
  const struct eh_ground_text *keywords;
  size_t keyword_count;
  const struct eh_ground_text *evidence;
  size_t evidence_count;
};

enum { EH_GROUND_KEYWORDS, EH_GROUND_FACTS, EH_GROUND_COVERAGE };

struct eh_ground_weights {
  double of[3]; /* in the order above; >= 0, not all 0 */
};

#define EH_GROUND_WEIGHTS                                                      \
  {                                                                            \
    { 0.4, 0.4, 0.2 }                                                          \
  }

struct eh_ground_part {
  bool applies;
  double value; /* hits / total */
  size_t hits;
  size_t total;
};

struct eh_ground {
  double value; /* in [0, 1] */
  bool blank;
  struct eh_ground_part parts[3];
  bool *present; /* of each keyword */
  struct eh_fact_list facts;
};

/* weights may be NULL. Memory of the result is arena's. Returns 0, or EH_EARG
 * if no part applies: there is nothing that could be checked. */
int eh_ground_judge(struct eh_arena *arena, const struct eh_ground_input *input,
                    const struct eh_ground_weights *weights,
                    struct eh_ground *out);

/* One line: the parts, absent keywords, unsupported facts with their spans. */
void eh_ground_reason(const struct eh_ground_input *input,
                      const struct eh_ground *ground, struct eh_buf *reason);

/* The metric `keywords`: present[i] tells whether keyword i occurs in the
 * answer as a whole phrase: without regard to case and to how much white space
 * is between words, not inside a longer word. Returns how many do. */
size_t eh_ground_keywords(const char *answer, size_t len,
                          const struct eh_ground_text *keywords, size_t count,
                          bool *present);

#endif
