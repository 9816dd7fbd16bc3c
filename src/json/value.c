/* value.c: looking into a value tree. */
#include "json/value.h"

#include <string.h>

const struct eh_json *eh_json_get(const struct eh_json *object, const char *key,
                                  size_t key_len) {
  if (object == NULL || object->type != EH_JSON_OBJECT)
    return NULL;
  for (size_t i = 0; i < object->as.object.count; i++) {
    const struct eh_json_member *member = &object->as.object.members[i];
    if (member->key_len == key_len && memcmp(member->key, key, key_len) == 0)
      return &member->value;
  }
  return NULL;
}

const char *eh_json_type_name(const struct eh_json *value) {
  switch (value->type) {
  case EH_JSON_NULL:
    return "null";
  case EH_JSON_BOOL:
    return "boolean";
  case EH_JSON_INT:
  case EH_JSON_REAL:
  case EH_JSON_BIG:
    return "number";
  case EH_JSON_STRING:
    return "string";
  case EH_JSON_ARRAY:
    return "array";
  case EH_JSON_OBJECT:
    return "object";
  }
  return "null";
}
