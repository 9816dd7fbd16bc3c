/* nearest.h: "did you mean": the name in a list that is closest to another.
 *
 * Names are compared after case folding, and without spaces, underscores,
 * hyphens and dots, so that "Stock Price" is near to get_stock_price. A name
 * is near when, of these forms,
 * - at most a third of the letters (and at most 3) differ: insertions,
 *   deletions, substitutions, and swaps of neighbours count one each; or,
 *   if none is,
 * - at least half of the name's words (of three letters or more) are words
 *   of the candidate. */
#ifndef EH_TEXT_NEAREST_H
#define EH_TEXT_NEAREST_H

#include <stddef.h>

#define EH_NEAREST_NONE ((size_t)-1)

/* Longer names (in bytes) are near to nothing. */
#define EH_NEAREST_MAX 128

/* How far apart two names are; 0 is nearest (the same), EH_NEAREST_NONE is
 * not near. To find the nearest of a list take the first smallest. */
size_t eh_nearest_distance(const char *name, size_t name_len,
                           const char *candidate, size_t candidate_len);

#endif
