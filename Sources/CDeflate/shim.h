// The door to what undoes deflate: libdeflate for streams that are whole in memory, zlib for those that come in
// pieces. Their functions are called as they are; below is only what Swift can't see of their macros.
#ifndef STORECTL_CDEFLATE_H
#define STORECTL_CDEFLATE_H

#include <libdeflate.h>
#include <zlib.h>

// A macro that adds the version. Negative window bits mean a bare stream, without the header of zlib.
static inline int cdeflate_stream_start(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }

#endif
