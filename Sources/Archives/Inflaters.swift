import StoreCDeflate
import StoreModel

/// A decompressor of deflate streams that are complete in memory.
///
/// It uses libdeflate, which is two to three times as fast as zlib.
final class BufferInflater {
    private let decompressor: OpaquePointer?

    init() { decompressor = libdeflate_alloc_decompressor() }

    deinit { libdeflate_free_decompressor(decompressor) }

    /// Inflates the deflate stream at the start of `input` and fills `output` with the result.
    ///
    /// - Parameter path: the path of the ZIP entry, for errors.
    /// - Returns: the length of the stream in bytes; `nil` if its contents are shorter or longer than `output`.
    func inflate(
        _ input: UnsafeRawBufferPointer, filling output: UnsafeMutableRawBufferPointer, of path: String
    ) throws(StoreError) -> Int? {
        guard let decompressor else { throw StoreError(.archiveOutOfMemory, ["entry": .untrusted(path)]) }
        var (used, filled) = (0, 0)
        let result = libdeflate_deflate_decompress_ex(
            decompressor, input.baseAddress, input.count, output.baseAddress, output.count, &used, &filled)
        switch result {
        case LIBDEFLATE_SUCCESS: return filled == output.count ? used : nil
        case LIBDEFLATE_INSUFFICIENT_SPACE, LIBDEFLATE_SHORT_OUTPUT: return nil
        default: throw StoreError(.archiveBadData, ["entry": .untrusted(path)])
        }
    }
}

/// A decompressor of deflate streams that receives a stream chunk by chunk, with zlib.
final class StreamInflater {
    /// The state of zlib's decompressor, on the heap because zlib stores a pointer to it.
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

    /// Prepares the decompressor for a new deflate stream.
    ///
    /// - Parameter path: the path of the ZIP entry, for errors.
    func start(_ path: String) throws(StoreError) {
        guard isReady, inflateReset(stream) == Z_OK else {
            throw StoreError(.archiveOutOfMemory, ["entry": .untrusted(path)])
        }
    }

    /// Inflates the next chunk of a deflate stream and passes the uncompressed bytes to `body`.
    ///
    /// - Parameters:
    ///   - output: a buffer for the uncompressed bytes.
    ///   - path: the path of the ZIP entry, for errors.
    /// - Returns: the number of bytes of the chunk after the stream's end; `nil` if the stream has not ended.
    func inflate(
        _ chunk: UnsafeMutableRawBufferPointer, through output: UnsafeMutableRawBufferPointer, of path: String,
        _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int? {
        stream.pointee.next_in = chunk.baseAddress!.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(chunk.count)
        repeat {
            stream.pointee.next_out = output.baseAddress!.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(output.count)
            let result = StoreCDeflate.inflate(stream, Z_NO_FLUSH)
            guard result == Z_OK || result == Z_BUF_ERROR || result == Z_STREAM_END else {
                throw StoreError(.archiveBadData, ["entry": .untrusted(path)])
            }
            let count = output.count - Int(stream.pointee.avail_out)
            if count > 0 { try body(UnsafeRawBufferPointer(rebasing: output[..<count])) }
            if result == Z_STREAM_END { return Int(stream.pointee.avail_in) }
            // If the output buffer is full, more may follow from the same chunk.
        } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
        return nil
    }
}
