/* test_random.c: the generator's published values. */
#include "base/random.h"
#include "check_main.h"

/* The first outputs of the authors' C code for the state 1, 2, 3, 4. */
START_TEST(test_random_vectors) {
  struct eh_random rng = {{1, 2, 3, 4}}, other;
  ck_assert_uint_eq(eh_random_next(&rng), 11520);
  ck_assert_uint_eq(eh_random_next(&rng), 0);
  ck_assert_uint_eq(eh_random_next(&rng), 1509978240);
  ck_assert_uint_eq(eh_random_next(&rng), UINT64_C(1215971899390074240));
  eh_random_seed(&rng, 0); /* splitmix64 from 0 */
  ck_assert_uint_eq(rng.s[0], UINT64_C(0xe220a8397b1dcdaf));
  ck_assert_uint_eq(rng.s[1], UINT64_C(0x6e789e6aa1b965f4));
  eh_random_seed_text(&rng, "run:a", 5);
  eh_random_seed_text(&other, "run:b", 5);
  ck_assert_uint_ne(eh_random_next(&rng), eh_random_next(&other));
}
END_TEST

CHECK_MAIN(random, test_random_vectors)
