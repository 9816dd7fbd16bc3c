/* arena.c: blocks of memory that grow and are released together. */
#include "base/arena.h"

#include "base/alloc.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#define FIRST_BLOCK 1024
#define BIG_BLOCK   65536

struct eh_arena_block {
  struct eh_arena_block *next;
  size_t size;
  alignas(max_align_t) char bytes[];
};

void eh_arena_init(struct eh_arena *arena) {
  memset(arena, 0, sizeof *arena);
}

void eh_arena_free(struct eh_arena *arena) {
  struct eh_arena_block *block = arena->blocks;
  while (block != NULL) {
    struct eh_arena_block *next = block->next;
    eh_free(block);
    block = next;
  }
  eh_arena_init(arena);
}

static void grow(struct eh_arena *arena, size_t need) {
  size_t size = FIRST_BLOCK;
  struct eh_arena_block *block;
  if (arena->blocks != NULL)
    size =
        arena->blocks->size < BIG_BLOCK ? arena->blocks->size * 2 : BIG_BLOCK;
  if (size < need)
    size = need;
  if (size > SIZE_MAX - sizeof *block)
    eh_oom(size);
  block = eh_malloc(sizeof *block + size);
  block->next = arena->blocks;
  block->size = size;
  arena->blocks = block;
  arena->next = block->bytes;
  arena->left = size;
}

void *eh_arena_alloc(struct eh_arena *arena, size_t size) {
  const size_t align = alignof(max_align_t);
  void *ptr;
  if (size > SIZE_MAX - align)
    eh_oom(size);
  if (size == 0)
    size = 1;
  size = (size + align - 1) / align * align;
  if (size > arena->left)
    grow(arena, size);
  ptr = arena->next;
  arena->next += size;
  arena->left -= size;
  return ptr;
}

char *eh_arena_strndup(struct eh_arena *arena, const char *text, size_t len) {
  char *copy = eh_arena_alloc(arena, len + 1);
  memcpy(copy, text, len);
  copy[len] = '\0';
  return copy;
}
