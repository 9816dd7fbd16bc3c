/* test_list.c: the intrusive ring keeps order and survives removals. */
#include "base/list.h"

#include "check_main.h"

struct item {
  int number;
  struct eh_list link;
};

/* The numbers in the ring as one decimal number, in order. */
static int order(const struct eh_list *head) {
  int digits = 0;
  for (struct eh_list *at = head->next; at != head; at = at->next)
    digits = digits * 10 + EH_CONTAINER(at, struct item, link)->number;
  return digits;
}

static void fill(struct eh_list *head, struct item *items, int count) {
  eh_list_init(head);
  for (int i = 0; i < count; i++) {
    items[i].number = i + 1;
    eh_list_add(head, &items[i].link);
  }
}

START_TEST(first_in_first_out) {
  struct eh_list head;
  struct item items[3];
  eh_list_init(&head);
  ck_assert(eh_list_empty(&head));
  fill(&head, items, 3);
  ck_assert(!eh_list_empty(&head));
  ck_assert_int_eq(order(&head), 123);
  ck_assert_ptr_eq(head.prev, &items[2].link);
}
END_TEST

START_TEST(removal_anywhere) {
  struct eh_list head;
  struct item items[4];
  fill(&head, items, 4);
  eh_list_remove(&items[1].link);
  ck_assert_int_eq(order(&head), 134);
  eh_list_remove(&items[0].link);
  eh_list_remove(&items[3].link);
  ck_assert_int_eq(order(&head), 3);
  eh_list_remove(&items[2].link);
  ck_assert(eh_list_empty(&head));
}
END_TEST

START_TEST(removing_twice_is_harmless) {
  struct eh_list head;
  struct item items[2], alone;
  fill(&head, items, 2);
  eh_list_remove(&items[0].link);
  eh_list_remove(&items[0].link);
  ck_assert_int_eq(order(&head), 2);
  eh_list_init(&alone.link);
  eh_list_remove(&alone.link);
  ck_assert(eh_list_empty(&alone.link));
}
END_TEST

START_TEST(removed_items_can_come_back) {
  struct eh_list head;
  struct item items[3];
  fill(&head, items, 3);
  eh_list_remove(&items[0].link);
  eh_list_add(&head, &items[0].link);
  ck_assert_int_eq(order(&head), 231);
}
END_TEST

CHECK_MAIN(list, first_in_first_out, removal_anywhere,
           removing_twice_is_harmless, removed_items_can_come_back)
