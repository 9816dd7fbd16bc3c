/* fold.h: making texts comparable: Unicode full case folding, NFKC, white
 * space. */
#ifndef EH_TEXT_FOLD_H
#define EH_TEXT_FOLD_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>

#define EH_FOLD_CASE  1u /* full case folding: "STRASSE" = "straße" */
#define EH_FOLD_NFKC  2u /* compatibility forms: "ﬁ" = "fi", "Ａ" = "A" */
#define EH_FOLD_SPACE 4u /* each run of white space becomes one space */
#define EH_FOLD_TRIM  8u /* no white space at either end */
/* Invalid UTF-8 is no error: such a text is treated byte by byte, ASCII
 * letters and ASCII white space only, all other bytes kept as they are. */
#define EH_FOLD_LAX 16u
#define EH_FOLD_ALL (EH_FOLD_CASE | EH_FOLD_NFKC | EH_FOLD_SPACE | EH_FOLD_TRIM)

/* Appends the text in the form that flags ask for. Returns 0, EH_EUTF8 (err
 * has the offset) or EH_ELIMIT; after a failure out is as it was. Folding a
 * folded text changes nothing. */
int eh_fold_text(struct eh_buf *out, const char *text, size_t len,
                 unsigned flags, struct eh_err *err);

#endif
