/* stem.h: English stems. */
#ifndef EH_METRIC_STEM_H
#define EH_METRIC_STEM_H

#include <stddef.h>

/* Porter's algorithm (1980) with the changes of its author and of nltk
 * (NLTK_EXTENSIONS, which Google's ROUGE uses). word holds len bytes of
 * lower-case ASCII letters; it is stemmed in place and its new length, never
 * more than len, is returned. Words of one or two letters, and words with any
 * other byte, stay as they are. */
size_t eh_stem_porter(char *word, size_t len);

#endif
