/* json_order.c: members in the order of their keys. */
#include "bind/json_order.h"

#include "base/alloc.h"
#include "base/err.h"

#include <endian.h>
#include <stdlib.h>

#define FEW 24 /* so many are sorted by insertion */

void eh_json_order_init(struct eh_json_order *order) {
  *order = (struct eh_json_order){0};
  eh_buf_init(&order->moved, EH_MAX_JSON_TEXT);
}

void eh_json_order_free(struct eh_json_order *order) {
  eh_free(order->slots);
  eh_buf_free(&order->moved);
  eh_json_order_init(order);
}

struct eh_json_slot *eh_json_order_add(struct eh_json_order *order, size_t n) {
  struct eh_json_slot *slots;
  if (order->cap - order->count < n) {
    order->cap = order->cap * 2 + n + 32;
    order->slots =
        eh_realloc(order->slots, order->cap * sizeof order->slots[0]);
  }
  slots = &order->slots[order->count];
  for (size_t i = 0; i < n; i++)
    slots[i].len = 0;
  order->count += n;
  return slots;
}

void eh_json_order_set(struct eh_json_order *order, size_t i, const char *key,
                       size_t key_len, size_t start, size_t end) {
  struct eh_json_slot *slot = &order->slots[i];
  slot->key = key;
  slot->key_len = key_len;
  slot->start = start;
  slot->len = end - start;
}

/* The first eight bytes, so that numbers compare as the keys do. */
static uint64_t prefix(const char *key, size_t len) {
  uint64_t word = 0;
  uint32_t first = 0;
  if (len >= 8) {
    memcpy(&word, key, 8);
    return be64toh(word);
  }
  if (len >= 4) {
    memcpy(&first, key, 4);
    word = (uint64_t)be32toh(first) << 32;
  }
  for (size_t i = len & 4; i < len; i++)
    word |= (uint64_t)(unsigned char)key[i] << (56 - 8 * i);
  return word;
}

static int compare(const struct eh_json_slot *a, const struct eh_json_slot *b) {
  size_t len = a->key_len < b->key_len ? a->key_len : b->key_len;
  int order;
  if (a->prefix != b->prefix)
    return a->prefix < b->prefix ? -1 : 1;
  order = memcmp(a->key, b->key, len);
  return order != 0 ? order
                    : (a->key_len > b->key_len) - (a->key_len < b->key_len);
}

/* Equal keys (there may be some after a repair) stay as they come. */
static int by_key(const void *left, const void *right) {
  const struct eh_json_slot *a = left, *b = right;
  int order = compare(a, b);
  return order != 0 ? order : (a->start > b->start) - (a->start < b->start);
}

static void sort(struct eh_json_slot *slots, size_t n) {
  for (size_t i = 0; i < n; i++)
    slots[i].prefix = prefix(slots[i].key, slots[i].key_len);
  if (n > FEW) {
    qsort(slots, n, sizeof slots[0], by_key);
    return;
  }
  for (size_t i = 1; i < n; i++) {
    struct eh_json_slot slot = slots[i];
    size_t j = i;
    for (; j > 0 && compare(&slots[j - 1], &slot) > 0; j--)
      slots[j] = slots[j - 1];
    if (j < i)
      slots[j] = slot;
  }
}

/* Texts that are in place at both ends stay; those between are moved. */
static int arrange(struct eh_buf *moved, const struct eh_json_slot *slots,
                   size_t n, struct eh_buf *buf, size_t start) {
  size_t end = buf->len;
  for (; n > 0 && slots->start == start; slots++, n--)
    start += slots->len;
  for (; n > 0 && slots[n - 1].start + slots[n - 1].len == end; n--)
    end -= slots[n - 1].len;
  eh_buf_clear(moved);
  if (eh_buf_reserve(moved, end - start) != 0)
    return EH_ELIMIT;
  for (size_t i = 0; i < n; i++)
    eh_buf_add(moved, buf->data + slots[i].start, slots[i].len);
  memcpy(buf->data + start, moved->data, moved->len);
  return 0;
}

int eh_json_order_apply(struct eh_json_order *order, size_t first, size_t fixed,
                        struct eh_buf *buf, size_t start) {
  struct eh_json_slot *slots = &order->slots[first];
  size_t n = order->count - first;
  order->count = first;
  if (n < 2)
    return 0;
  sort(slots + fixed, n - fixed);
  return arrange(&order->moved, slots, n, buf, start);
}
