/* idset.h: a set of texts that keeps only 16 bytes of hash for each: the one
 * thing about a dataset that grows with its length. */
#ifndef EH_BASE_IDSET_H
#define EH_BASE_IDSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eh_idset {
  uint64_t (*slots)[2];
  size_t count;
  size_t cap;
};

void eh_idset_init(struct eh_idset *set);
void eh_idset_free(struct eh_idset *set);

/* Adds the text; false if it was there already. */
bool eh_idset_add(struct eh_idset *set, const void *text, size_t len);

#endif
