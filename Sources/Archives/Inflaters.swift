import StoreCDeflate
import StoreModel

/// Inflates what is whole in memory, two to three times as fast as zlib.
final class WholeInflater {
    private let decompressor: OpaquePointer?

    init() { decompressor = libdeflate_alloc_decompressor() }

    deinit { libdeflate_free_decompressor(decompressor) }

    /// Inflates the stream at the start of `packed`.
    ///
    /// - Returns: how many bytes the stream has; `nil` where it does not fill `plain`, or would not fit.
    func inflate(
        _ packed: UnsafeRawBufferPointer, filling plain: UnsafeMutableRawBufferPointer, of path: String
    ) throws(Flaw) -> Int? {
        guard let decompressor else { throw noMemory(path) }
        var (used, filled) = (0, 0)
        let result = libdeflate_deflate_decompress_ex(
            decompressor, packed.baseAddress, packed.count, plain.baseAddress, plain.count, &used, &filled)
        switch result {
        case LIBDEFLATE_SUCCESS: return filled == plain.count ? used : nil
        case LIBDEFLATE_INSUFFICIENT_SPACE, LIBDEFLATE_SHORT_OUTPUT: return nil
        default: throw badData(path)
        }
    }
}

/// Inflates what comes in pieces.
final class StreamInflater {
    /// On the heap, because zlib keeps a pointer back to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let isReady: Bool

    init() {
        stream.initialize(to: z_stream())
        isReady = cdeflate_stream_start(stream) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
    }

    func start(_ path: String) throws(Flaw) {
        guard isReady, inflateReset(stream) == Z_OK else { throw noMemory(path) }
    }

    /// Inflates the next piece of a stream, and gives what comes out of it to `take`.
    ///
    /// - Parameter room: for what comes out.
    /// - Returns: how many bytes of the piece come after the stream's end; `nil` where it has not ended.
    func inflate(
        _ piece: UnsafeMutableRawBufferPointer, through room: UnsafeMutableRawBufferPointer, of path: String,
        _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int? {
        stream.pointee.next_in = piece.baseAddress!.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(piece.count)
        repeat {
            stream.pointee.next_out = room.baseAddress!.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(room.count)
            let result = StoreCDeflate.inflate(stream, Z_NO_FLUSH)
            guard result == Z_OK || result == Z_BUF_ERROR || result == Z_STREAM_END else { throw badData(path) }
            let count = room.count - Int(stream.pointee.avail_out)
            if count > 0 { try take(UnsafeRawBufferPointer(rebasing: room[..<count])) }
            if result == Z_STREAM_END { return Int(stream.pointee.avail_in) }
            // A full room may hide more that is to come out of the same piece.
        } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
        return nil
    }
}

private func noMemory(_ path: String) -> Flaw {
    Flaw(.archiveFailed, "'\(path)' could not be read (no memory)")
}
