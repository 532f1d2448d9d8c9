// The functions of libzip, which Swift calls directly, and functions for the macros that Swift can't import.
#ifndef STORECTL_CZIP_H
#define STORECTL_CZIP_H

#include <stdint.h>
#include <zip.h>

// The sets of commands that a source supports. The macros contain casts and 64-bit shifts, which Swift does not
// import.
static inline int64_t czip_seekable_commands(void) { return ZIP_SOURCE_SUPPORTS_SEEKABLE; }
static inline int64_t czip_writable_commands(void) { return ZIP_SOURCE_SUPPORTS_WRITABLE; }

#endif
