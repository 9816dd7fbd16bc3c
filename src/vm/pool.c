/* pool.c: free lists by size class over chunks from malloc. */
#include "vm/pool.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE ((size_t)32 << 10)

#if defined(__SANITIZE_ADDRESS__)
#define LARGEST ((size_t)0)
#else
#define LARGEST (EH_POOL_CLASS * EH_POOL_CLASSES)
#endif

struct eh_pool_chunk {
  struct eh_pool_chunk *next;
  alignas(max_align_t) char bytes[];
};

void eh_pool_init(struct eh_pool *pool) {
  memset(pool, 0, sizeof *pool);
}

void eh_pool_free(struct eh_pool *pool) {
  while (pool->chunks != NULL) {
    struct eh_pool_chunk *next = pool->chunks->next;
    free(pool->chunks);
    pool->chunks = next;
  }
  eh_pool_init(pool);
}

static size_t class_of(size_t size) {
  return (size + EH_POOL_CLASS - 1) / EH_POOL_CLASS;
}

/* What is left of the last chunk becomes a block of its own class. */
static void keep_rest(struct eh_pool *pool) {
  size_t class = pool->left / EH_POOL_CLASS;
  if (class == 0 || class > EH_POOL_CLASSES)
    return;
  *(void **)(void *)pool->next = pool->free[class];
  pool->free[class] = pool->next;
}

static void *carve(struct eh_pool *pool, size_t size) {
  void *block;
  if (pool->left < size) {
    struct eh_pool_chunk *chunk = malloc(sizeof *chunk + CHUNK_SIZE);
    if (chunk == NULL)
      return NULL;
    keep_rest(pool);
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    pool->next = chunk->bytes;
    pool->left = CHUNK_SIZE;
  }
  block = pool->next;
  pool->next += size;
  pool->left -= size;
  return block;
}

static void *take(struct eh_pool *pool, size_t size) {
  size_t class = class_of(size);
  void *block;
  if (size > LARGEST)
    return malloc(size);
  block = pool->free[class];
  if (block == NULL)
    return carve(pool, class * EH_POOL_CLASS);
  pool->free[class] = *(void **)block;
  return block;
}

void eh_pool_release(struct eh_pool *pool, void *ptr, size_t old) {
  if (ptr == NULL || old > LARGEST) {
    free(ptr);
    return;
  }
  *(void **)ptr = pool->free[class_of(old)];
  pool->free[class_of(old)] = ptr;
}

void *eh_pool_realloc(struct eh_pool *pool, void *ptr, size_t old,
                      size_t size) {
  void *moved;
  if (ptr == NULL)
    return take(pool, size);
  if (old > LARGEST && size > LARGEST)
    return realloc(ptr, size);
  if (old <= LARGEST && size <= LARGEST && class_of(old) == class_of(size))
    return ptr;
  moved = take(pool, size);
  if (moved == NULL)
    return size < old ? ptr : NULL; /* Lua relies on shrinking */
  memcpy(moved, ptr, old < size ? old : size);
  eh_pool_release(pool, ptr, old);
  return moved;
}
