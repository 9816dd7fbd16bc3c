/* ground_vocab.c: sets of words by hash. */
#include "base/alloc.h"
#include "metric/ground_terms.h"

#include <ctype.h>
#include <string.h>

void eh_vocab_init(struct eh_vocab *vocab) {
  memset(vocab, 0, sizeof *vocab);
}

void eh_vocab_free(struct eh_vocab *vocab) {
  eh_free(vocab->slots);
  eh_vocab_init(vocab);
}

static struct eh_vocab_slot *find(const struct eh_vocab *vocab, uint64_t hash) {
  size_t at = (size_t)(hash ^ (hash >> 32)) & (vocab->room - 1);
  while (vocab->slots[at].hash != 0 && vocab->slots[at].hash != hash)
    at = (at + 1) & (vocab->room - 1);
  return &vocab->slots[at];
}

static void grow(struct eh_vocab *vocab) {
  struct eh_vocab old = *vocab;
  vocab->room = old.room > 0 ? old.room * 2 : 64;
  vocab->slots = eh_calloc(vocab->room, sizeof *vocab->slots);
  for (size_t i = 0; i < old.room; i++)
    if (old.slots[i].hash != 0)
      *find(vocab, old.slots[i].hash) = old.slots[i];
  eh_free(old.slots);
}

void eh_vocab_add(struct eh_vocab *vocab, uint64_t hash, unsigned bit) {
  struct eh_vocab_slot *slot;
  hash = hash != 0 ? hash : 1;
  if (vocab->count * 2 >= vocab->room)
    grow(vocab);
  slot = find(vocab, hash);
  vocab->count += slot->hash == 0;
  slot->hash = hash;
  slot->mask |= bit;
}

unsigned eh_vocab_get(const struct eh_vocab *vocab, uint64_t hash) {
  if (vocab->room == 0)
    return 0;
  return find(vocab, hash != 0 ? hash : 1)->mask;
}

/* The end of the camelCase part at first: before a capital after a small
 * letter, or before the last capital of a run that a small letter follows
 * (trailingPERatio: trailing, PE, Ratio). */
static size_t hump_end(const char *text, size_t first, size_t end) {
  for (size_t i = first + 1; i < end; i++) {
    bool upper = isupper((unsigned char)text[i]) != 0;
    if (upper && islower((unsigned char)text[i - 1]))
      return i;
    if (upper && isupper((unsigned char)text[i - 1]) && i + 1 < end &&
        islower((unsigned char)text[i + 1]))
      return i;
  }
  return end;
}

static void add_humps(struct eh_vocab *vocab, const char *text,
                      const struct eh_term *term, unsigned bit) {
  size_t first = term->first;
  while (first < term->end) {
    size_t end = hump_end(text, first, term->end);
    struct eh_terms terms;
    struct eh_term part;
    if (end - first == term->end - term->first)
      return;
    eh_terms_init(&terms, text + first, end - first);
    while (eh_terms_next(&terms, &part))
      eh_vocab_add(vocab, part.stem, bit);
    eh_terms_free(&terms);
    first = end;
  }
}

void eh_vocab_add_text(struct eh_vocab *vocab, const char *text, size_t len,
                       unsigned bit) {
  struct eh_terms terms;
  struct eh_term term;
  eh_terms_init(&terms, text, len);
  while (eh_terms_next(&terms, &term)) {
    eh_vocab_add(vocab, term.stem, bit);
    add_humps(vocab, text, &term, bit);
  }
  eh_terms_free(&terms);
}
