// The non-cryptographic checksum XXH64 of libxxhash (doc/xxhash_spec.md in Cyan4973/xxHash).
//
// The header's own declaration has attributes and macros that differ between versions, so that Swift calls a wrapper.
#ifndef STORECTL_CXXHASH_H
#define STORECTL_CXXHASH_H

#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

// Returns the checksum of `count` bytes with the seed 0.
static inline uint64_t cxxhash_64(const void *bytes, size_t count) { return XXH64(bytes, count, 0); }

#endif
