/* value.h: a JSON value tree.
 *
 * Trees are immutable data in an arena: whoever owns the arena owns every
 * value, key and string in it. Integers that fit int64_t are exact; larger
 * ones keep their digits (EH_JSON_BIG). Objects keep the order of their
 * text; keys are unique unless the reader was told otherwise. */
#ifndef EH_JSON_VALUE_H
#define EH_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum eh_json_type {
  EH_JSON_NULL,
  EH_JSON_BOOL,
  EH_JSON_INT,
  EH_JSON_REAL,
  EH_JSON_BIG, /* an integer outside int64_t, as its decimal text */
  EH_JSON_STRING,
  EH_JSON_ARRAY,
  EH_JSON_OBJECT
};

struct eh_json_member;

struct eh_json {
  enum eh_json_type type;
  union {
    bool boolean;
    int64_t integer;
    double real;
    struct {
      const char *ptr; /* UTF-8, terminated, may hold NUL inside */
      size_t len;
    } text; /* STRING and BIG */
    struct {
      const struct eh_json *items;
      size_t count;
    } array;
    struct {
      const struct eh_json_member *members;
      size_t count;
    } object;
  } as;
};

struct eh_json_member {
  const char *key; /* UTF-8, terminated */
  size_t key_len;
  struct eh_json value;
};

/* The member's value, or NULL if object is no object or has no such key. */
const struct eh_json *eh_json_get(const struct eh_json *object, const char *key,
                                  size_t key_len);

/* "null", "boolean", "number", "string", "array" or "object". */
const char *eh_json_type_name(const struct eh_json *value);

#endif
