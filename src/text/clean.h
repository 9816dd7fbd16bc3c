/* clean.h: making text from models, tools and files safe to show.
 *
 * What comes out is valid UTF-8 without control characters (but '\n' and '\t'
 * where asked for), terminal escape sequences, bidi controls and invisible
 * characters that could hide or reorder what a person reads. */
#ifndef EH_TEXT_CLEAN_H
#define EH_TEXT_CLEAN_H

#include "base/buf.h"

#include <stddef.h>

/* Line breaks (LF, CR, CRLF, NEL, LS, PS) become '\n' and tabs stay;
 * without it both become spaces, so that the result is one line. */
#define EH_CLEAN_NEWLINES 1u

/* Appends the cleaned text: escape sequences (CSI, OSC, DCS..., also in their
 * C1 forms), C0 and C1 controls, bidi and zero-width characters go; each
 * ill-formed sequence becomes U+FFFD. Joiners and variation selectors stay
 * where they can have a meaning: after a character that is not ASCII. Returns
 * 0, or EH_ELIMIT (the buffer is then as it was). */
int eh_utf8_clean(struct eh_buf *out, const char *text, size_t len,
                  unsigned flags);

#endif
