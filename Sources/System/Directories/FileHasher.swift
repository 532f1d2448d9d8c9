public import StoreModel

/// Computes SHA-256 digests of files in chunks, through one buffer. Not to be shared between threads.
public final class FileHasher {
    private let buffer: UnsafeMutableRawBufferPointer

    /// - Parameter chunkSize: the bytes read at a time.
    public init(chunkSize: Int = 256 << 10) {
        buffer = .allocate(byteCount: chunkSize, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// Adds a part of a file to a digest that is being computed.
    ///
    /// - Parameters:
    ///   - range: the offsets of the first byte and behind the last one.
    ///   - isStopped: asked before each chunk; once it returns `true`, the rest is left out.
    /// - Returns: the number of bytes added, which is smaller than the range at the file's end and after a stop.
    @discardableResult
    public func update(
        _ hasher: inout SHA256Hasher, with file: OpenFile, in range: Range<Int>, until isStopped: () -> Bool = { false }
    ) throws(FileError) -> Int {
        var offset = range.lowerBound
        while offset < range.upperBound, !isStopped() {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(range.upperBound - offset))
            let count = try file.read(into: room, at: offset)
            if count == 0 { break }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
            offset += count
        }
        return offset - range.lowerBound
    }

    /// Returns the digest of a whole file and its size in bytes.
    ///
    /// - Parameter isStopped: asked before each chunk; once it returns `true`, the result is `nil`.
    public func digest(
        of file: OpenFile, until isStopped: () -> Bool
    ) throws(FileError) -> (sha256: SHA256Digest, size: Int)? {
        var hasher = SHA256Hasher()
        let size = try update(&hasher, with: file, in: 0..<Int.max, until: isStopped)
        return isStopped() ? nil : (hasher.finalize(), size)
    }

    /// Returns the digest of a whole file and its size in bytes.
    public func digest(of file: OpenFile) throws(FileError) -> (sha256: SHA256Digest, size: Int) {
        var hasher = SHA256Hasher()
        let size = try update(&hasher, with: file, in: 0..<Int.max)
        return (hasher.finalize(), size)
    }
}
