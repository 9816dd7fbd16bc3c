/* test_idset.c: membership, growth, and texts with NUL bytes. */
#include "check_main.h"

#include "base/idset.h"

#include <stdio.h>

START_TEST(adds_once) {
  struct eh_idset set;
  eh_idset_init(&set);
  ck_assert(eh_idset_add(&set, "a", 1));
  ck_assert(!eh_idset_add(&set, "a", 1));
  ck_assert(eh_idset_add(&set, "", 0));
  ck_assert(!eh_idset_add(&set, "", 0));
  ck_assert(eh_idset_add(&set, "a\0b", 3));
  ck_assert(eh_idset_add(&set, "a\0c", 3));
  ck_assert_uint_eq(set.count, 4);
  eh_idset_free(&set);
}
END_TEST

START_TEST(grows) {
  struct eh_idset set;
  char text[32];
  eh_idset_init(&set);
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 100000; i++) {
      size_t len = (size_t)snprintf(text, sizeof text, "case-%d", i);
      ck_assert(eh_idset_add(&set, text, len) == (round == 0));
    }
  ck_assert_uint_eq(set.count, 100000);
  ck_assert_uint_le(set.cap * sizeof *set.slots, (size_t)4 << 20);
  eh_idset_free(&set);
}
END_TEST

CHECK_MAIN(idset, adds_once, grows)
