/* alloc.h: memory for the whole program.
 *
 * These never return NULL: running out of memory ends the program in one
 * place, eh_oom, with exit code 5. (Lua states have their own capped
 * allocator in src/vm, whose failures are Lua errors of one case.) */
#ifndef EH_BASE_ALLOC_H
#define EH_BASE_ALLOC_H

#include <stddef.h>

void *eh_malloc(size_t size);
void *eh_calloc(size_t count, size_t size);
void *eh_realloc(void *ptr, size_t size);
char *eh_strdup(const char *text);
char *eh_strndup(const char *text, size_t len);
void eh_free(void *ptr);

/* Says so on stderr and exits with 5. */
_Noreturn void eh_oom(size_t wanted);

#endif
