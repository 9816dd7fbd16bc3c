/* sentences.h: splitting text into sentences, as spans of bytes.
 *
 * An iterator: start with *pos = 0; each call finds the next sentence at or
 * after *pos, moves *pos behind it, and returns false at the end. The work is
 * linear in the text. */
#ifndef EH_TEXT_SENTENCES_H
#define EH_TEXT_SENTENCES_H

#include "text/utf8.h"

#include <stdbool.h>
#include <stddef.h>

/* A sentence ends
 * - behind . ! ? or an ellipsis, with the closing quotes and brackets that
 *   follow, when white space or the end comes next;
 * - behind the full-width 。！？ wherever they stand;
 * - at an empty line; and at a line break, unless the next line goes on in
 *   lower case (wrapped text).
 * A full stop does not end it inside numbers, names and addresses (3.5,
 * example.com: no white space follows), behind titles and the like (Mr., e.g.,
 * No. 5), nor behind other abbreviations and initials (Inc., U.S., J.) unless
 * a capitalised word follows that often begins a sentence (The, It, In...).
 * Marks of list items, headings and quotations at the start of a line (-, *,
 * "3.", "2)", #, >) do not belong to the sentence. Spans have no white space
 * at either end; pieces without any letter or digit are skipped. */
bool eh_sentences_next(const char *text, size_t len, size_t *pos,
                       struct eh_span *sentence);

#endif
