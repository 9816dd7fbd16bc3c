/* hash.h: SHA-256 (FIPS 180-4) for identity and fingerprints, FNV-1a for
 * tables. */
#ifndef EH_BASE_HASH_H
#define EH_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define EH_SHA256_SIZE 32
#define EH_SHA256_HEX  65 /* with the terminating NUL */

struct eh_sha256 {
  uint32_t state[8];
  uint64_t bytes;
  unsigned char block[64];
};

void eh_sha256_init(struct eh_sha256 *sha);
void eh_sha256_add(struct eh_sha256 *sha, const void *bytes, size_t len);
void eh_sha256_end(struct eh_sha256 *sha, unsigned char out[EH_SHA256_SIZE]);

/* The digest of one text, as 64 lower-case hex digits and a NUL. */
void eh_sha256_hex(const void *bytes, size_t len, char out[EH_SHA256_HEX]);

/* out needs 2 * len + 1 bytes. */
void eh_hex(const unsigned char *bytes, size_t len, char *out);

/* 64-bit FNV-1a; start with EH_FNV_START, chain by passing the result. */
#define EH_FNV_START UINT64_C(14695981039346656037)
uint64_t eh_fnv(uint64_t hash, const void *bytes, size_t len);

#endif
