/* words.h: splitting text into words, as spans of bytes.
 *
 * An iterator: start with *pos = 0; each call finds the next word at
 * or after *pos, moves *pos behind it, and returns false at the end. Invalid
 * bytes separate words. The work is linear in the text. */
#ifndef EH_TEXT_WORDS_H
#define EH_TEXT_WORDS_H

#include "text/utf8.h"

#include <stdbool.h>
#include <stddef.h>

/* A word is a run of letters, digits and marks (Unicode L, N, M). It goes on
 * over one apostrophe (' or U+2019) or hyphen (-, U+2010, U+2011) between two
 * such characters (don't, year-on-year), and over one full stop or comma
 * between two digits (3.5, 1,234). Each Han character and each Hiragana is a
 * word of its own. */
bool eh_words_next(const char *text, size_t len, size_t *pos,
                   struct eh_span *word);

#endif
