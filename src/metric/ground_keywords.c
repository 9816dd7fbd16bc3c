/* ground_keywords.c: whole phrases in an answer, and the reasons of the judge.
 */
#include "metric/ground.h"
#include "text/fold.h"
#include "text/utf8.h"

#include <string.h>

#define MAX_NAMED 10 /* keywords or facts in one reason */

#define FOLD (EH_FOLD_ALL | EH_FOLD_LAX)

/* Does a word go on from the character before pos to the one at pos? */
static bool mid_word(const char *text, size_t len, size_t pos) {
  size_t before = pos, after = pos;
  if (pos == 0 || pos == len)
    return false;
  do
    before--;
  while (before > 0 && ((unsigned char)text[before] & 0xc0) == 0x80);
  return eh_utf8_is_word(eh_utf8_next(text, len, &before)) &&
         eh_utf8_is_word(eh_utf8_next(text, len, &after));
}

static bool has_phrase(const struct eh_buf *text, const struct eh_buf *phrase) {
  size_t pos = 0;
  if (phrase->len == 0)
    return false;
  while (pos + phrase->len <= text->len) {
    const char *hit =
        memmem(text->data + pos, text->len - pos, phrase->data, phrase->len);
    if (hit == NULL)
      return false;
    pos = (size_t)(hit - text->data);
    if (!mid_word(text->data, text->len, pos) &&
        !mid_word(text->data, text->len, pos + phrase->len))
      return true;
    pos++;
  }
  return false;
}

size_t eh_ground_keywords(const char *answer, size_t len,
                          const struct eh_ground_text *keywords, size_t count,
                          bool *present) {
  struct eh_buf text, phrase;
  size_t found = 0;
  eh_buf_init(&text, EH_MAX_LINE);
  eh_buf_init(&phrase, EH_MAX_LINE);
  eh_fold_text(&text, answer, len, FOLD, NULL);
  for (size_t i = 0; i < count; i++) {
    eh_buf_clear(&phrase);
    present[i] = eh_fold_text(&phrase, keywords[i].text, keywords[i].len, FOLD,
                              NULL) == 0 &&
                 has_phrase(&text, &phrase);
    found += present[i];
  }
  eh_buf_free(&text);
  eh_buf_free(&phrase);
  return found;
}

static void add_absent(const struct eh_ground_input *input,
                       const struct eh_ground *ground, struct eh_buf *reason) {
  size_t named = 0;
  for (size_t i = 0; i < input->keyword_count && named < MAX_NAMED; i++) {
    if (ground->present[i])
      continue;
    eh_buf_adds(reason, named++ == 0 ? " (absent: " : ", ");
    eh_buf_add(reason, input->keywords[i].text, input->keywords[i].len);
  }
  eh_buf_adds(reason, named > 0 ? ")" : "");
}

static void add_unsupported(const struct eh_ground_input *input,
                            const struct eh_ground *ground,
                            struct eh_buf *reason) {
  size_t named = 0;
  for (size_t i = 0; i < ground->facts.count && named < MAX_NAMED; i++) {
    const struct eh_fact *fact = &ground->facts.items[i];
    if (fact->status != EH_FACT_UNSUPPORTED)
      continue;
    eh_buf_adds(reason, named++ == 0 ? " (unsupported: " : ", ");
    eh_buf_addc(reason, '"');
    eh_buf_add(reason, input->answer.text + fact->first,
               fact->end - fact->first);
    eh_buf_addf(reason, "\" at %zu-%zu", fact->first, fact->end);
  }
  eh_buf_adds(reason, named > 0 ? ")" : "");
}

void eh_ground_reason(const struct eh_ground_input *input,
                      const struct eh_ground *ground, struct eh_buf *reason) {
  const struct eh_ground_part *keywords = &ground->parts[EH_GROUND_KEYWORDS];
  const struct eh_ground_part *facts = &ground->parts[EH_GROUND_FACTS];
  const struct eh_ground_part *words = &ground->parts[EH_GROUND_COVERAGE];
  const char *gap = "";
  if (ground->blank) {
    eh_buf_adds(reason, "blank answer");
    return;
  }
  if (keywords->applies) {
    eh_buf_addf(reason, "keywords %zu/%zu", keywords->hits, keywords->total);
    add_absent(input, ground, reason);
    gap = "; ";
  }
  if (facts->applies) {
    eh_buf_addf(reason, "%sfacts %zu/%zu supported", gap, facts->hits,
                facts->total);
    add_unsupported(input, ground, reason);
    gap = "; ";
  }
  if (words->applies)
    eh_buf_addf(reason, "%s%zu/%zu content words in the evidence", gap,
                words->hits, words->total);
}
