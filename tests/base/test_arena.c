/* test_arena.c: alignment, growth and independence of arena memory. */
#include "base/arena.h"

#include "check_main.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

START_TEST(memory_is_aligned) {
  struct eh_arena arena;
  eh_arena_init(&arena);
  for (size_t size = 0; size < 300; size++) {
    void *ptr = eh_arena_alloc(&arena, size);
    ck_assert_ptr_nonnull(ptr);
    ck_assert_uint_eq((uintptr_t)ptr % alignof(max_align_t), 0);
    memset(ptr, 0xAA, size);
  }
  eh_arena_free(&arena);
}
END_TEST

START_TEST(pieces_do_not_overlap) {
  struct eh_arena arena;
  unsigned char *pieces[500];
  eh_arena_init(&arena);
  for (size_t i = 0; i < 500; i++) {
    pieces[i] = eh_arena_alloc(&arena, i + 1);
    memset(pieces[i], (int)(i % 251), i + 1);
  }
  for (size_t i = 0; i < 500; i++)
    for (size_t k = 0; k <= i; k++)
      ck_assert_uint_eq(pieces[i][k], i % 251);
  eh_arena_free(&arena);
}
END_TEST

START_TEST(big_pieces_fit) {
  struct eh_arena arena;
  char *big;
  eh_arena_init(&arena);
  big = eh_arena_alloc(&arena, (size_t)3 << 20);
  memset(big, 'x', (size_t)3 << 20);
  memset(eh_arena_alloc(&arena, 10), 'y', 10);
  ck_assert_int_eq(big[((size_t)3 << 20) - 1], 'x');
  eh_arena_free(&arena);
}
END_TEST

START_TEST(copies_are_terminated) {
  struct eh_arena arena;
  char text[] = "hello";
  char *copy;
  eh_arena_init(&arena);
  copy = eh_arena_strndup(&arena, text, 4);
  text[0] = 'J';
  ck_assert_str_eq(copy, "hell");
  ck_assert_str_eq(eh_arena_strndup(&arena, "", 0), "");
  eh_arena_free(&arena);
}
END_TEST

START_TEST(free_leaves_it_usable) {
  struct eh_arena arena;
  eh_arena_init(&arena);
  eh_arena_free(&arena);
  eh_arena_strndup(&arena, "a", 1);
  eh_arena_free(&arena);
  ck_assert_str_eq(eh_arena_strndup(&arena, "b", 1), "b");
  eh_arena_free(&arena);
  eh_arena_free(&arena);
}
END_TEST

CHECK_MAIN(arena, memory_is_aligned, pieces_do_not_overlap, big_pieces_fit,
           copies_are_terminated, free_leaves_it_usable)
