/* alloc.c: checked allocation; the one place where running out ends. */
#include "base/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void eh_oom(size_t wanted) {
  fprintf(stderr, "evalhost: out of memory (wanted %zu bytes)\n", wanted);
  _Exit(5);
}

void *eh_malloc(size_t size) {
  void *ptr = malloc(size > 0 ? size : 1);
  if (ptr == NULL)
    eh_oom(size);
  return ptr;
}

void *eh_calloc(size_t count, size_t size) {
  void *ptr = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
  if (ptr == NULL)
    eh_oom(size > 0 && count > SIZE_MAX / size ? SIZE_MAX : count * size);
  return ptr;
}

void *eh_realloc(void *ptr, size_t size) {
  void *grown = realloc(ptr, size > 0 ? size : 1);
  if (grown == NULL)
    eh_oom(size);
  return grown;
}

char *eh_strndup(const char *text, size_t len) {
  char *copy = eh_malloc(len + 1);
  memcpy(copy, text, len);
  copy[len] = '\0';
  return copy;
}

char *eh_strdup(const char *text) {
  return eh_strndup(text, strlen(text));
}

void eh_free(void *ptr) {
  free(ptr);
}
