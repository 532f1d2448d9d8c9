// The door to libzip, and to zlib, which libzip-dev brings along: libzip does not tell where a deflate stream ends.
// Their functions are called as they are; below is only what Swift can't see of their macros.
#ifndef STORECTL_CZIP_H
#define STORECTL_CZIP_H

#include <stdint.h>
#include <zip.h>
#include <zlib.h>

// Each command is cast to a 64-bit shift in a macro, which Swift does not import.
static inline int64_t czip_seekable_commands(void) { return ZIP_SOURCE_SUPPORTS_SEEKABLE; }
static inline int64_t czip_writable_commands(void) { return ZIP_SOURCE_SUPPORTS_WRITABLE; }

// A macro that adds the version. Negative window bits mean a bare stream, without the header of zlib.
static inline int czip_inflate_start(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }

#endif
