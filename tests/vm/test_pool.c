/* test_pool.c: contents survive any sequence of sizes; nothing overlaps. */
#include "check_main.h"

#include "vm/pool.h"

#include <stdint.h>
#include <string.h>

#define BLOCKS 400

static unsigned seed = 7;

static size_t draw(size_t below) {
  seed = seed * 1103515245u + 12345u;
  return (seed >> 8) % below;
}

START_TEST(contents_survive) {
  static struct {
    unsigned char *ptr;
    size_t size;
    unsigned char mark;
  } blocks[BLOCKS];
  struct eh_pool pool;
  eh_pool_init(&pool);
  for (int round = 0; round < 4000; round++) {
    size_t i = draw(BLOCKS), size = 1 + draw(draw(4) == 0 ? 3000 : 600);
    for (size_t k = 0; k < blocks[i].size; k++)
      ck_assert_uint_eq(blocks[i].ptr[k], blocks[i].mark);
    if (draw(3) == 0) {
      eh_pool_release(&pool, blocks[i].ptr, blocks[i].size);
      blocks[i].ptr = NULL;
      blocks[i].size = 0;
      continue;
    }
    blocks[i].ptr = eh_pool_realloc(&pool, blocks[i].ptr, blocks[i].size, size);
    ck_assert_ptr_nonnull(blocks[i].ptr);
    ck_assert_uint_eq((uintptr_t)blocks[i].ptr % EH_POOL_CLASS, 0);
    for (size_t k = 0; k < blocks[i].size && k < size; k++)
      ck_assert_uint_eq(blocks[i].ptr[k], blocks[i].mark);
    blocks[i].size = size;
    blocks[i].mark = (unsigned char)round;
    memset(blocks[i].ptr, blocks[i].mark, size);
  }
  for (size_t i = 0; i < BLOCKS; i++)
    eh_pool_release(&pool, blocks[i].ptr, blocks[i].size);
  eh_pool_free(&pool);
}
END_TEST

START_TEST(a_freed_block_is_used_again) {
  struct eh_pool pool;
  void *first;
  eh_pool_init(&pool);
  first = eh_pool_realloc(&pool, NULL, 0, 40);
  eh_pool_release(&pool, first, 40);
#if !defined(__SANITIZE_ADDRESS__)
  ck_assert_ptr_eq(eh_pool_realloc(&pool, NULL, 0, 48), first);
  ck_assert_ptr_eq(eh_pool_realloc(&pool, first, 48, 33), first);
#endif
  eh_pool_free(&pool);
}
END_TEST

CHECK_MAIN(pool, contents_survive, a_freed_block_is_used_again)
