import StoreModel
import StoreSystem

/// The bytes of an archive's file: those of a small file are read at once, which takes one system call instead of several
/// for each entry.
struct ArchiveBytes: Sendable {
    /// The maximum size in bytes of a file that is read at once.
    private static let smallFileSize = 256 << 10

    let file: OpenFile
    /// The size of the file in bytes.
    let size: Int
    /// All bytes of a small file; `nil` for a larger one.
    private let content: [UInt8]?

    /// Reads the size of a file, and all bytes of a small one.
    init(_ file: OpenFile) throws(StoreError) {
        self.file = file
        size = try file.status().size
        content = size <= Self.smallFileSize ? try file.read(count: size, at: 0) : nil
    }

    /// Reads `count` bytes at an offset; returns fewer only at the end of the file.
    func read(count: Int, at offset: Int) throws(StoreError) -> [UInt8] {
        guard let content else { return try file.read(count: count, at: offset) }
        return Array(content.dropFirst(offset).prefix(count))
    }

    /// Reads up to `buffer.count` bytes at an offset; returns their number, 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError) -> Int {
        guard let content else { return try file.read(into: buffer, at: offset) }
        let bytes = content.dropFirst(offset).prefix(buffer.count)
        buffer.copyBytes(from: bytes)
        return bytes.count
    }
}
