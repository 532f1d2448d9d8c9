// The door to libzip. Its functions are called as they are; below is only what Swift can't see of its macros.
#ifndef STORECTL_CZIP_H
#define STORECTL_CZIP_H

#include <stdint.h>
#include <zip.h>

// Each command is cast to a 64-bit shift in a macro, which Swift does not import.
static inline int64_t czip_seekable_commands(void) { return ZIP_SOURCE_SUPPORTS_SEEKABLE; }
static inline int64_t czip_writable_commands(void) { return ZIP_SOURCE_SUPPORTS_WRITABLE; }

#endif
