/* ground_terms.h: the words of a text in a form that can be compared: folded,
 * without possessive, stemmed. */
#ifndef EH_METRIC_GROUND_TERMS_H
#define EH_METRIC_GROUND_TERMS_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One word: bytes [first, end) of the text, without a possessive ending. */
struct eh_term {
  size_t first;
  size_t end;
  uint64_t stem;   /* hash of the stem; equal words have equal stems */
  bool stop;       /* a function word */
  bool digit;      /* begins with a digit */
  bool mixed;      /* letters and digits: Q3, 10k */
  bool capital;    /* begins with a capital */
  bool upper;      /* two ASCII capitals or more, nothing else */
  bool possessive; /* 's followed */
};

struct eh_terms {
  const char *text;
  size_t len;
  size_t pos;
  size_t end; /* of the word whose parts are being given */
  struct eh_buf folded;
};

/* text is borrowed until eh_terms_free. Words with hyphens come in parts. */
void eh_terms_init(struct eh_terms *terms, const char *text, size_t len);
void eh_terms_free(struct eh_terms *terms);
bool eh_terms_next(struct eh_terms *terms, struct eh_term *out);

/* Is it an English function word? In lower case, without apostrophes. */
bool eh_stop_word(const char *word, size_t len);

/* A set of hashes, each with bits that say where it was seen. */
struct eh_vocab {
  struct eh_vocab_slot {
    uint64_t hash; /* 0: free */
    unsigned mask;
  } * slots;
  size_t count;
  size_t room; /* a power of two, or 0 */
};

void eh_vocab_init(struct eh_vocab *vocab);
void eh_vocab_free(struct eh_vocab *vocab);
void eh_vocab_add(struct eh_vocab *vocab, uint64_t hash, unsigned bit);
unsigned eh_vocab_get(const struct eh_vocab *vocab, uint64_t hash);

/* Adds the stems of a text; of camelCase words the parts too. */
void eh_vocab_add_text(struct eh_vocab *vocab, const char *text, size_t len,
                       unsigned bit);

#endif
