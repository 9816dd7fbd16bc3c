/* hash.c: SHA-256 as in FIPS 180-4, and FNV-1a. */
#include "base/hash.h"

#include <string.h>

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotr(uint32_t x, int n) {
  return (x >> n) | (x << (32 - n));
}

static void compress(uint32_t state[8], const unsigned char *p) {
  uint32_t w[64], v[8];
  for (int i = 0; i < 16; i++, p += 4)
    w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
           p[3];
  for (int i = 16; i < 64; i++) {
    uint32_t s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    uint32_t s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  memcpy(v, state, sizeof v);
  for (int i = 0; i < 64; i++) {
    uint32_t s1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25);
    uint32_t choose = (v[4] & v[5]) ^ (~v[4] & v[6]);
    uint32_t t1 = v[7] + s1 + choose + round_constants[i] + w[i];
    uint32_t s0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
    uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    memmove(v + 1, v, 7 * sizeof v[0]);
    v[4] += t1;
    v[0] = t1 + s0 + majority;
  }
  for (int i = 0; i < 8; i++)
    state[i] += v[i];
}

void eh_sha256_init(struct eh_sha256 *sha) {
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                    0xa54ff53a, 0x510e527f, 0x9b05688c,
                                    0x1f83d9ab, 0x5be0cd19};
  memcpy(sha->state, start, sizeof start);
  sha->bytes = 0;
}

void eh_sha256_add(struct eh_sha256 *sha, const void *bytes, size_t len) {
  const unsigned char *p = bytes;
  size_t held = sha->bytes % 64;
  sha->bytes += len;
  if (held > 0) {
    size_t take = 64 - held < len ? 64 - held : len;
    memcpy(sha->block + held, p, take);
    p += take;
    len -= take;
    if (held + take < 64)
      return;
    compress(sha->state, sha->block);
  }
  for (; len >= 64; p += 64, len -= 64)
    compress(sha->state, p);
  if (len > 0)
    memcpy(sha->block, p, len);
}

void eh_sha256_end(struct eh_sha256 *sha, unsigned char out[EH_SHA256_SIZE]) {
  static const unsigned char pad[64] = {0x80};
  unsigned char length[8];
  uint64_t bits = sha->bytes * 8;
  for (int i = 0; i < 8; i++)
    length[i] = (unsigned char)(bits >> (56 - 8 * i));
  eh_sha256_add(sha, pad, 1 + (119 - sha->bytes % 64) % 64);
  eh_sha256_add(sha, length, sizeof length);
  for (int i = 0; i < 32; i++)
    out[i] = (unsigned char)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
}

void eh_hex(const unsigned char *bytes, size_t len, char *out) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < len; i++) {
    out[2 * i] = digits[bytes[i] >> 4];
    out[2 * i + 1] = digits[bytes[i] & 15];
  }
  out[2 * len] = '\0';
}

void eh_sha256_hex(const void *bytes, size_t len, char out[EH_SHA256_HEX]) {
  struct eh_sha256 sha;
  unsigned char digest[EH_SHA256_SIZE];
  eh_sha256_init(&sha);
  eh_sha256_add(&sha, bytes, len);
  eh_sha256_end(&sha, digest);
  eh_hex(digest, sizeof digest, out);
}

uint64_t eh_fnv(uint64_t hash, const void *bytes, size_t len) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i < len; i++)
    hash = (hash ^ p[i]) * UINT64_C(1099511628211);
  return hash;
}
