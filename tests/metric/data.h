/* data.h: reading the reference data in tests of kernels. (Usable outside of
 * a running test, where Check's macros are not.) */
#ifndef EH_TESTS_METRIC_DATA_H
#define EH_TESTS_METRIC_DATA_H

#include "base/arena.h"
#include "base/buf.h"
#include "json/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file below $EVALHOST_DATA (or the configured folder), or NULL. */
static inline FILE *data_open(const char *name) {
  const char *root = getenv("EVALHOST_DATA");
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", root != NULL ? root : EVALHOST_DATA,
           name);
  return fopen(path, "rb");
}

static inline struct eh_json data_parse(struct eh_arena *arena,
                                        const char *text, size_t len) {
  struct eh_json value;
  struct eh_err err;
  if (eh_json_parse(arena, text, len, NULL, &value, &err) != 0) {
    fprintf(stderr, "line %zu: %s\n", err.line, err.msg);
    exit(EXIT_FAILURE);
  }
  return value;
}

/* A whole JSON file; false if it is absent. */
static inline bool data_load(struct eh_arena *arena, const char *name,
                             struct eh_json *out) {
  FILE *file = data_open(name);
  struct eh_buf text;
  char piece[65536];
  size_t got;
  if (file == NULL)
    return false;
  eh_buf_init(&text, EH_MAX_LINE);
  while ((got = fread(piece, 1, sizeof piece, file)) > 0)
    if (eh_buf_add(&text, piece, got) != 0)
      exit(EXIT_FAILURE);
  fclose(file);
  *out = data_parse(arena, text.data, text.len);
  eh_buf_free(&text);
  return true;
}

static inline const struct eh_json *data_get(const struct eh_json *object,
                                             const char *key) {
  const struct eh_json *value = eh_json_get(object, key, strlen(key));
  if (value == NULL) {
    fprintf(stderr, "no %s in the data\n", key);
    exit(EXIT_FAILURE);
  }
  return value;
}

static inline double data_number(const struct eh_json *value) {
  return value->type == EH_JSON_INT ? (double)value->as.integer
                                    : value->as.real;
}

#endif
