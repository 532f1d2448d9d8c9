import CZip
import Files

/// Finds where a deflate stream ends, by inflating it once more into nothing.
final class DeflateEnd {
    /// On the heap, because zlib keeps a pointer back to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let isReady: Bool
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 16)

    init() {
        stream.initialize(to: z_stream())
        isReady = czip_inflate_start(stream) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
        buffer.deallocate()
    }

    /// Bytes of the stream that begins at a place of the file; `nil` if it does not end within `count` bytes.
    func length(in file: OpenFile, from start: Int, count: Int) throws -> Int? {
        guard isReady, inflateReset(stream) == Z_OK else {
            throw ArchiveError(.archiveFailed, "'\(file.path)' could not be read: no memory. Try again.")
        }
        let (input, output) = (buffer.prefix(64 << 10), buffer.dropFirst(64 << 10))
        var read = 0
        while read < count {
            let piece = UnsafeMutableRawBufferPointer(rebasing: input.prefix(count - read))
            let got = try file.read(into: piece, at: start + read)
            guard got > 0 else { return nil }
            stream.pointee.next_in = piece.baseAddress!.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_in = UInt32(got)
            repeat {
                let place = UnsafeMutableRawBufferPointer(rebasing: output)
                stream.pointee.next_out = place.baseAddress!.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = UInt32(place.count)
                switch inflate(stream, Z_NO_FLUSH) {
                case Z_STREAM_END: return read + got - Int(stream.pointee.avail_in)
                case Z_OK, Z_BUF_ERROR: break
                default: return nil
                }
                // A full output may hide more that is to come out of the same input.
            } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
            read += got
        }
        return nil
    }
}
