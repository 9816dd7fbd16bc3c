/* arena.h: many small allocations that are released together.
 *
 * Memory from an arena lives until eh_arena_free; nothing is released singly.
 * An arena never returns NULL (see alloc.h). */
#ifndef EH_BASE_ARENA_H
#define EH_BASE_ARENA_H

#include <stddef.h>

struct eh_arena_block;

struct eh_arena {
  struct eh_arena_block *blocks;
  char *next;
  size_t left;
};

void eh_arena_init(struct eh_arena *arena);
void eh_arena_free(struct eh_arena *arena);

/* size bytes aligned for any type; not cleared. */
void *eh_arena_alloc(struct eh_arena *arena, size_t size);

/* A terminated copy of len bytes. */
char *eh_arena_strndup(struct eh_arena *arena, const char *text, size_t len);

#endif
