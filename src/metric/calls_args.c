/* calls_args.c: the arguments of a call as an object, whatever they came as. */
#include "metric/calls.h"
#include "json/reader.h"

#include <stddef.h>

void eh_call_set_args(struct eh_arena *arena, struct eh_call *call,
                      const struct eh_json *raw) {
  static const struct eh_json none = {.type = EH_JSON_OBJECT};
  call->flags &= ~(EH_ARGS_UNPARSEABLE | EH_ARGS_DOUBLE_ENCODED);
  for (int decoded = 0; decoded < 2; decoded++) {
    struct eh_json *value;
    if (raw == NULL || raw->type != EH_JSON_STRING)
      break;
    value = eh_arena_alloc(arena, sizeof *value);
    if (eh_json_parse(arena, raw->as.text.ptr, raw->as.text.len, NULL, value,
                      NULL) != 0)
      break;
    raw = value;
    if (decoded == 1)
      call->flags |= EH_ARGS_DOUBLE_ENCODED;
  }
  call->args = NULL;
  if (raw == NULL || raw->type == EH_JSON_NULL)
    return;
  if (raw->type == EH_JSON_OBJECT)
    call->args = raw;
  else if (raw->type == EH_JSON_ARRAY && raw->as.array.count == 0)
    call->args = &none;
  else
    call->flags |= EH_ARGS_UNPARSEABLE;
}
