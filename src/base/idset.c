/* idset.c: open addressing over the first 16 bytes of SHA-256. */
#include "base/idset.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <string.h>

void eh_idset_init(struct eh_idset *set) {
  memset(set, 0, sizeof *set);
}

void eh_idset_free(struct eh_idset *set) {
  eh_free(set->slots);
  eh_idset_init(set);
}

/* The slot that holds the key, or the empty one where it belongs. An empty
 * slot is all zero; a key never is (see key_of). */
static uint64_t *find(const struct eh_idset *set, const uint64_t key[2]) {
  size_t i = key[0] & (set->cap - 1);
  while (set->slots[i][0] != 0 &&
         (set->slots[i][0] != key[0] || set->slots[i][1] != key[1]))
    i = (i + 1) & (set->cap - 1);
  return set->slots[i];
}

static void grow(struct eh_idset *set) {
  struct eh_idset bigger = {NULL, set->count, set->cap ? set->cap * 2 : 64};
  bigger.slots = eh_calloc(bigger.cap, sizeof *bigger.slots);
  for (size_t i = 0; i < set->cap; i++)
    if (set->slots[i][0] != 0)
      memcpy(find(&bigger, set->slots[i]), set->slots[i], sizeof set->slots[i]);
  eh_free(set->slots);
  *set = bigger;
}

static void key_of(const void *text, size_t len, uint64_t key[2]) {
  unsigned char digest[EH_SHA256_SIZE];
  struct eh_sha256 sha;
  eh_sha256_init(&sha);
  eh_sha256_add(&sha, text, len);
  eh_sha256_end(&sha, digest);
  memcpy(key, digest, 16);
  if (key[0] == 0)
    key[0] = 1;
}

bool eh_idset_add(struct eh_idset *set, const void *text, size_t len) {
  uint64_t key[2], *slot;
  if (set->count + 1 > set->cap / 8 * 7)
    grow(set);
  key_of(text, len, key);
  slot = find(set, key);
  if (slot[0] != 0)
    return false;
  memcpy(slot, key, sizeof key);
  set->count++;
  return true;
}
