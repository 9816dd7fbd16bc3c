/* ground.c: the model-free judge. */
#include "metric/ground.h"

#include "base/alloc.h"
#include "base/err.h"
#include "base/hash.h"
#include "metric/ground_check.h"
#include "text/sentences.h"
#include "text/utf8.h"

#include <string.h>

#define MAX_NUMBERS 20000 /* of the evidence */

static bool is_blank(const char *text, size_t len) {
  size_t pos = 0;
  while (pos < len)
    if (!eh_utf8_is_space(eh_utf8_next(text, len, &pos)))
      return false;
  return true;
}

/* --- what is given --- */

static void add_initials(struct eh_judge *j,
                         const struct eh_ground_text *text) {
  struct eh_terms terms;
  struct eh_term term;
  eh_terms_init(&terms, text->text, text->len);
  while (eh_terms_next(&terms, &term)) {
    char c = text->text[term.first];
    eh_buf_addc(&j->initials, (char)(c >= 'A' && c <= 'Z' ? c + 32 : c));
  }
  eh_buf_addc(&j->initials, ' ');
  eh_terms_free(&terms);
}

/* Words that say in what unit a table's numbers are. */
static unsigned unit_words(const struct eh_vocab *vocab) {
  static const char *const stems[] = {"thousand", "million", "billion"};
  unsigned scales = 0;
  for (unsigned i = 0; i < 3; i++)
    if (eh_vocab_get(vocab, eh_fnv(EH_FNV_START, stems[i], strlen(stems[i]))) &
        EH_GIVEN)
      scales |= 1u << i;
  return scales;
}

static void read_given(struct eh_judge *j) {
  static const struct eh_fact_list none = {NULL, 0, 0, 0};
  const struct eh_ground_input *in = j->in;
  j->numbers.max = MAX_NUMBERS;
  j->asked.max = EH_GROUND_FACTS_MAX;
  for (size_t i = 0; i < in->evidence_count; i++) {
    const struct eh_ground_text *item = &in->evidence[i];
    size_t from = j->numbers.count;
    eh_vocab_add_text(&j->vocab, item->text, item->len, EH_GIVEN);
    add_initials(j, item);
    eh_facts_numbers(j->arena, item->text, 0, item->len, &j->numbers);
    eh_facts_spelled(j->arena, item->text, item->len, &j->numbers);
    for (size_t k = from; k < j->numbers.count; k++)
      j->numbers.items[k].evidence = i;
  }
  if (in->query.text != NULL) {
    eh_vocab_add_text(&j->vocab, in->query.text, in->query.len, EH_ASKED);
    add_initials(j, &in->query);
    eh_facts_numbers(j->arena, in->query.text, 0, in->query.len, &j->asked);
    eh_facts_spelled(j->arena, in->query.text, in->query.len, &j->asked);
  }
  eh_derive_prepare(j->arena, &j->numbers, &j->asked, &j->figures);
  eh_derive_prepare(j->arena, &j->asked, &none, &j->own_figures);
  j->own_figures.pool_count = 0; /* combining the question is no echo */
  j->figures.scales = unit_words(&j->vocab);
}

/* --- words --- */

static void judge_coverage(struct eh_judge *j) {
  struct eh_ground_part *part = &j->out->parts[EH_GROUND_COVERAGE];
  struct eh_terms terms;
  struct eh_term term;
  if (j->in->evidence_count == 0)
    return;
  eh_terms_init(&terms, j->in->answer.text, j->in->answer.len);
  while (eh_terms_next(&terms, &term)) {
    unsigned seen = eh_vocab_get(&j->vocab, term.stem);
    if (term.stop || term.digit || seen == EH_ASKED)
      continue;
    part->total++;
    part->hits += (seen & EH_GIVEN) != 0;
  }
  eh_terms_free(&terms);
}

/* --- keywords --- */

/* Are all words of text in the set? */
static bool all_in(const struct eh_vocab *words,
                   const struct eh_ground_text *keyword) {
  struct eh_terms terms;
  struct eh_term term;
  bool all = true, any = false;
  eh_terms_init(&terms, keyword->text, keyword->len);
  while (all && eh_terms_next(&terms, &term)) {
    any = true;
    all = eh_vocab_get(words, term.stem) != 0;
  }
  eh_terms_free(&terms);
  return any && all;
}

static void judge_keywords(struct eh_judge *j) {
  const struct eh_ground_input *in = j->in;
  struct eh_ground_part *part = &j->out->parts[EH_GROUND_KEYWORDS];
  bool *present = eh_arena_alloc(j->arena, in->keyword_count);
  struct eh_span sentence;
  size_t pos = 0;
  /* A keyword without any word, such as "%", counts as it stands. */
  eh_ground_keywords(in->answer.text, in->answer.len, in->keywords,
                     in->keyword_count, present);
  while (eh_sentences_next(in->answer.text, in->answer.len, &pos, &sentence)) {
    struct eh_vocab words;
    eh_vocab_init(&words);
    eh_vocab_add_text(&words, in->answer.text + sentence.first,
                      sentence.end - sentence.first, 1);
    for (size_t i = 0; i < in->keyword_count; i++)
      present[i] = present[i] || all_in(&words, &in->keywords[i]);
    eh_vocab_free(&words);
  }
  part->total = in->keyword_count;
  for (size_t i = 0; i < in->keyword_count; i++)
    part->hits += present[i];
  j->out->present = present;
}

/* --- the whole --- */

static int combine(struct eh_ground *out,
                   const struct eh_ground_weights *weights) {
  double sum = 0, weight = 0;
  for (size_t i = 0; i < 3; i++) {
    struct eh_ground_part *part = &out->parts[i];
    part->applies = part->total > 0;
    if (!part->applies)
      continue;
    part->value = (double)part->hits / (double)part->total;
    sum += weights->of[i] * part->value;
    weight += weights->of[i];
  }
  if (!(weight > 0))
    return EH_EARG;
  out->value = sum / weight;
  return 0;
}

int eh_ground_judge(struct eh_arena *arena, const struct eh_ground_input *input,
                    const struct eh_ground_weights *weights,
                    struct eh_ground *out) {
  static const struct eh_ground_weights defaults = EH_GROUND_WEIGHTS;
  struct eh_judge *j;
  memset(out, 0, sizeof *out);
  out->blank = is_blank(input->answer.text, input->answer.len);
  if (out->blank) {
    out->present = eh_arena_alloc(arena, input->keyword_count);
    for (size_t i = 0; i < input->keyword_count; i++)
      out->present[i] = false;
    return 0;
  }
  j = eh_calloc(1, sizeof *j);
  j->arena = arena;
  j->in = input;
  j->out = out;
  eh_vocab_init(&j->vocab);
  eh_buf_init(&j->initials, EH_MAX_HTTP_BODY);
  read_given(j);
  judge_keywords(j);
  eh_check_facts(j);
  judge_coverage(j);
  eh_vocab_free(&j->vocab);
  eh_buf_free(&j->initials);
  eh_free(j);
  return combine(out, weights != NULL ? weights : &defaults);
}
