/* json_encode.h: Lua values as JSON text, without a tree between. */
#ifndef EH_BIND_JSON_ENCODE_H
#define EH_BIND_JSON_ENCODE_H

#include "base/arena.h"
#include "bind/json.h"
#include "bind/json_order.h"

/* What the encoder works with. The owner may keep it from call to call. */
struct eh_json_encoder {
  struct eh_buf text;
  struct eh_json_order order;
  struct eh_arena keys; /* repaired ones */
};

void eh_json_encoder_init(struct eh_json_encoder *encoder);
void eh_json_encoder_free(struct eh_json_encoder *encoder);

/* Forgets the last text, and its memory if that was more than keep bytes. */
void eh_json_encoder_trim(struct eh_json_encoder *encoder, size_t keep);

/* Makes encoder->text what eh_json_take and eh_json_write with these flags
 * give: the same bytes, the same errors (where one object has several faults,
 * it may be another of them). Never raises; no Lua code runs. */
int eh_json_encode(lua_State *L, int idx, struct eh_json_encoder *encoder,
                   const struct eh_json_take *how, unsigned flags,
                   struct eh_err *err);

#endif
