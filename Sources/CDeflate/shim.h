// The functions that inflate deflate streams: libdeflate for streams that are complete in memory, zlib for streams
// that are read in chunks. Swift calls them directly; below is a function for a macro that Swift can't import.
#ifndef STORECTL_CDEFLATE_H
#define STORECTL_CDEFLATE_H

#include <libdeflate.h>
#include <zlib.h>

// Begins to inflate a stream. inflateInit2 is a macro that adds zlib's version. Negative window bits mean a raw
// deflate stream, without the header of zlib.
static inline int cdeflate_stream_start(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }

#endif
