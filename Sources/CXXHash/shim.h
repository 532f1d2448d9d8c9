// The non-cryptographic checksum XXH3, with 64 bits, of libxxhash (doc/xxhash_spec.md in Cyan4973/xxHash).
//
// The header's own declaration has attributes and macros that differ between versions, so that Swift calls a wrapper.
#ifndef STORECTL_CXXHASH_H
#define STORECTL_CXXHASH_H

#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

// Returns the checksum of `count` bytes with the default seed and secret.
static inline uint64_t cxxhash_3(const void *bytes, size_t count) { return XXH3_64bits(bytes, count); }

#endif
