/* pool.h: small blocks for Lua, by size class. Lua tells the size of what it
 * frees, so a free list per class is enough: most of an evaluation's time in
 * malloc is small tables and strings that live for one case.
 *
 * Memory of small blocks goes back to the system only with the pool. Not
 * thread-safe; one pool serves one Lua state. Under AddressSanitizer every
 * block is malloc's own, so that it can watch them. */
#ifndef EH_VM_POOL_H
#define EH_VM_POOL_H

#include <stddef.h>

#define EH_POOL_CLASS   ((size_t)16) /* bytes between classes */
#define EH_POOL_CLASSES 32           /* up to 512 bytes */

struct eh_pool_chunk;

struct eh_pool {
  void *free[EH_POOL_CLASSES + 1];
  char *next;
  size_t left;
  struct eh_pool_chunk *chunks;
};

void eh_pool_init(struct eh_pool *pool);
void eh_pool_free(struct eh_pool *pool);

/* As realloc, but with the old size (0 when ptr is NULL); size > 0. Returns
 * NULL when there is no memory; ptr is then untouched. */
void *eh_pool_realloc(struct eh_pool *pool, void *ptr, size_t old, size_t size);

/* Releases a block of that size; NULL is harmless. */
void eh_pool_release(struct eh_pool *pool, void *ptr, size_t old);

#endif
