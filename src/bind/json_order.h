/* json_order.h: the members of an object that are written as they come, put
 * in order afterwards. Members of the objects around it wait below, so this
 * is a stack. */
#ifndef EH_BIND_JSON_ORDER_H
#define EH_BIND_JSON_ORDER_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

struct eh_json_slot {
  uint64_t prefix; /* the key's first bytes, set when it is sorted */
  const char *key; /* borrowed; UTF-8 */
  size_t key_len;
  size_t start, len; /* the member's text in the buffer; len 0: absent */
};

struct eh_json_order {
  struct eh_json_slot *slots;
  size_t count, cap;
  struct eh_buf moved;
};

void eh_json_order_init(struct eh_json_order *order);
void eh_json_order_free(struct eh_json_order *order);

/* Adds n slots that are absent; returns the first, until more are added. */
struct eh_json_slot *eh_json_order_add(struct eh_json_order *order, size_t n);

/* Fills a slot (by its number) with a member whose text ends the buffer. */
void eh_json_order_set(struct eh_json_order *order, size_t i, const char *key,
                       size_t key_len, size_t start, size_t end);

/* Drops the slots from first on, whose texts are all that stands in buf from
 * start on, and brings these into order: the first `fixed` as the slots are,
 * the others by the bytes of their keys. 0 or EH_ELIMIT. */
int eh_json_order_apply(struct eh_json_order *order, size_t first, size_t fixed,
                        struct eh_buf *buf, size_t start);

#endif
