public import StoreModel

/// Computes SHA-256 digests of files, which it reads in chunks into one reused buffer.
///
/// Not to be shared between threads.
public final class FileHasher {
    private let chunkSize: Int
    /// Allocated when the first byte is read: of a file that a download has just created there is none.
    private var allocated: UnsafeMutableRawBufferPointer?

    /// Creates an object that computes SHA-256 digests of files.
    ///
    /// - Parameter chunkSize: the number of bytes read at a time, and the size of the buffer.
    public init(chunkSize: Int = 256 << 10) { self.chunkSize = chunkSize }

    deinit { allocated?.deallocate() }

    private var buffer: UnsafeMutableRawBufferPointer {
        if let allocated { return allocated }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)
        allocated = buffer
        return buffer
    }

    /// Adds a part of a file to the input of a SHA-256 digest.
    ///
    /// - Parameter range: the offsets of the first byte and of the byte after the last one.
    /// - Returns: the number of bytes added, which is smaller than the range only at the file's end.
    @discardableResult
    public func update(
        _ hasher: inout SHA256Hasher, with file: OpenFile, in range: Range<Int>
    ) throws(StoreError) -> Int {
        if range.isEmpty { return 0 }
        let buffer = buffer
        var offset = range.lowerBound
        while offset < range.upperBound {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(range.upperBound - offset))
            let count = try file.read(into: room, at: offset)
            if count == 0 { break }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
            offset += count
        }
        return offset - range.lowerBound
    }

    /// Returns the SHA-256 digest of a file, and the number of bytes that were hashed.
    ///
    /// - Parameters:
    ///   - end: the most bytes to hash; the file's size, if it is known, saves a read.
    ///   - cancellation: checked before each chunk.
    /// - Throws: ``StoreError``, `CancellationError`.
    public func digest(
        of file: OpenFile, upTo end: Int = .max, cancellation: CancellationFlag = CancellationFlag()
    ) throws -> (sha256: SHA256Digest, size: Int) {
        var (hasher, size) = (SHA256Hasher(), 0)
        while true {
            try cancellation.check()
            let wanted = min(chunkSize, end - size)
            let count = try update(&hasher, with: file, in: size..<size + wanted)
            size += count
            if count < wanted || size == end { return (hasher.finalize(), size) }
        }
    }
}
