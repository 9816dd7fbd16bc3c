/* test_hash.c: the published vectors of SHA-256 and FNV-1a. */
#include "base/hash.h"

#include "check_main.h"

#include <string.h>

static void check_sha(const char *text, size_t len, const char *want) {
  char hex[EH_SHA256_HEX];
  eh_sha256_hex(text, len, hex);
  ck_assert_str_eq(hex, want);
}

/* FIPS 180-4 and its example values. */
START_TEST(fips_vectors) {
  check_sha("", 0,
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  check_sha("abc", 3,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  check_sha("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  check_sha("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
            "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            112,
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}
END_TEST

/* Around the block and the padding boundaries: as many letters 'a'. */
START_TEST(lengths_at_the_edges) {
  static const struct {
    size_t len;
    const char *want;
  } rows[] = {
      {1, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
      {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
      {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
      {57, "f13b2d724659eb3bf47f2dd6af1accc87b81f09f59f2b75e5c0bed6589dfe8c6"},
      {63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
      {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
      {65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
      {119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
      {120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
      {127, "c57e9278af78fa3cab38667bef4ce29d783787a2f731d4e12200270f0c32320a"},
      {128, "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e"},
  };
  char text[128];
  memset(text, 'a', sizeof text);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    check_sha(text, rows[i].len, rows[i].want);
}
END_TEST

START_TEST(a_million_in_odd_pieces) {
  struct eh_sha256 sha;
  unsigned char digest[EH_SHA256_SIZE];
  char hex[EH_SHA256_HEX], piece[201];
  size_t left = 1000000;
  memset(piece, 'a', sizeof piece);
  eh_sha256_init(&sha);
  for (size_t size = 0; left > 0; size = (size + 7) % 202) {
    size_t take = size < left ? size : left;
    eh_sha256_add(&sha, piece, take);
    left -= take;
  }
  eh_sha256_end(&sha, digest);
  eh_hex(digest, sizeof digest, hex);
  ck_assert_str_eq(
      hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
END_TEST

START_TEST(hex_of_all_bytes) {
  unsigned char bytes[] = {0x00, 0x09, 0x0a, 0x7f, 0x80, 0xff};
  char hex[13];
  eh_hex(bytes, sizeof bytes, hex);
  ck_assert_str_eq(hex, "00090a7f80ff");
}
END_TEST

START_TEST(fnv_vectors) {
  ck_assert_uint_eq(eh_fnv(EH_FNV_START, "", 0), EH_FNV_START);
  ck_assert_uint_eq(eh_fnv(EH_FNV_START, "a", 1), 0xaf63dc4c8601ec8c);
  ck_assert_uint_eq(eh_fnv(EH_FNV_START, "foobar", 6), 0x85944171f73967e8);
  ck_assert_uint_eq(eh_fnv(eh_fnv(EH_FNV_START, "foo", 3), "bar", 3),
                    0x85944171f73967e8);
}
END_TEST

CHECK_MAIN(hash, fips_vectors, lengths_at_the_edges, a_million_in_odd_pieces,
           hex_of_all_bytes, fnv_vectors)
