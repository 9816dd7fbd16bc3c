/* parse.h: what the tests of the reader share: parse a text, look at value or
 * err. */
#ifndef EH_TESTS_JSON_PARSE_H
#define EH_TESTS_JSON_PARSE_H

#include "base/alloc.h"
#include "json/reader.h"

#include <string.h>

static struct eh_arena arena;
static struct eh_json value;
static struct eh_err err;

static int parse_n(const char *text, size_t len,
                   const struct eh_json_opts *opts) {
  /* An exact copy, so that a sanitizer sees a read past the end. */
  char *copy = eh_malloc(len);
  int rc;
  memcpy(copy, text, len);
  eh_arena_free(&arena);
  memset(&value, 0, sizeof value);
  memset(&err, 0, sizeof err);
  rc = eh_json_parse(&arena, copy, len, opts, &value, &err);
  eh_free(copy);
  return rc;
}

static inline int parse(const char *text) {
  return parse_n(text, strlen(text), NULL);
}

#endif
