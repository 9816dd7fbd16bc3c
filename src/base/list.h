/* list.h: an intrusive doubly linked ring. A member is embedded in the struct
 * that it links; the head is a member of its own. Nothing is allocated. */
#ifndef EH_BASE_LIST_H
#define EH_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct eh_list {
  struct eh_list *prev;
  struct eh_list *next;
};

/* The struct of type that holds the member at ptr. */
#define EH_CONTAINER(ptr, type, member)                                        \
  ((type *)(void *)((char *)(ptr)-offsetof(type, member)))

static inline void eh_list_init(struct eh_list *list) {
  list->prev = list->next = list;
}

static inline bool eh_list_empty(const struct eh_list *list) {
  return list->next == list;
}

static inline void eh_list_add(struct eh_list *head, struct eh_list *item) {
  item->prev = head->prev;
  item->next = head;
  head->prev->next = item;
  head->prev = item;
}

/* Removing an item twice, or one that was only initialised, is harmless. */
static inline void eh_list_remove(struct eh_list *item) {
  item->prev->next = item->next;
  item->next->prev = item->prev;
  eh_list_init(item);
}

#endif
