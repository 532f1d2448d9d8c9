import StoreCDeflate
import StoreModel
import StoreSystem

/// A reader that inflates and verifies the contents of a ZIP archive's entries.
///
/// Not thread-safe: each thread uses its own.
///
/// The positions of the contents are those that ``ArchiveReader`` validated. A small entry is read, inflated and
/// verified as a whole before any of it is passed on. A large entry is passed on in chunks and verified at its end.
final class EntryReader {
    /// The maximum size in bytes, compressed and uncompressed, of a ZIP entry that is read and verified as a whole.
    static let smallEntrySize = 1 << 20

    private let archive: Archive
    private let smallEntrySize: Int
    private let cancellation: CancellationFlag
    private let input: UnsafeMutableRawBufferPointer
    private let output: UnsafeMutableRawBufferPointer
    // Lazy, because not every reader meets a small compressed entry.
    private lazy var bufferInflater = BufferInflater()
    private lazy var streamInflater = StreamInflater()

    /// Creates a reader of the contents of an archive's entries.
    ///
    /// - Parameter cancellation: checked before each chunk of a large entry.
    init(
        _ archive: Archive, smallEntrySize: Int = EntryReader.smallEntrySize,
        cancellation: CancellationFlag = CancellationFlag()
    ) {
        self.archive = archive
        self.cancellation = cancellation
        self.smallEntrySize = smallEntrySize
        // Not more than the archive needs: the C library maps and unmaps a large buffer for each reader.
        let sizes = archive.entries.lazy.map { max($0.size, $0.compressedSize) }
        let largest = sizes.max() ?? 0
        let size = largest > smallEntrySize ? max(smallEntrySize, 256 << 10) : max(largest, 1)
        input = .allocate(byteCount: size, alignment: 64)
        output = .allocate(byteCount: size, alignment: 64)
    }

    deinit {
        input.deallocate()
        output.deallocate()
    }

    /// Reads the archive's entry at an index and passes its uncompressed contents to `body` in chunks.
    ///
    /// `body` never receives more bytes than the entry's size. If no error is thrown, `body` received exactly that
    /// many, with the right checksum.
    ///
    /// - Returns: the SHA-256 of the contents.
    func read(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> SHA256Digest {
        var hasher = SHA256Hasher()
        try readUnhashed(index) { bytes in
            hasher.update(bytes)
            try body(bytes)
        }
        return hasher.finalize()
    }

    /// Reads the archive's entry at an index as ``read(_:_:)`` does, without hashing its contents.
    func readUnhashed(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let entry = archive.entries[index]
        try rejecting(archive.file) {
            try max(entry.size, entry.compressedSize) <= smallEntrySize
                ? readAtOnce(entry, body) : readInChunks(entry, body)
        }
    }

    private func readAtOnce(_ entry: Archive.Entry, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        var filled = 0
        while filled < entry.compressedSize {
            filled += try read(entry, into: input[filled..<entry.compressedSize], at: filled)
        }
        var bytes = UnsafeRawBufferPointer(rebasing: input[..<filled])
        if entry.method == .deflate {
            let target = UnsafeMutableRawBufferPointer(rebasing: output[..<entry.size])
            guard let used = try bufferInflater.inflate(bytes, filling: target, of: entry.path) else {
                throw wrongSize(entry)
            }
            guard used == filled else { throw dataAfter(entry) }
            bytes = UnsafeRawBufferPointer(target)
        }
        guard checksum(0, bytes) == entry.crc32 else { throw wrongChecksum(entry) }
        try body(bytes)
    }

    private func readInChunks(_ entry: Archive.Entry, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        var (sum, passed) = (UInt32(0), 0)
        func pass(_ bytes: UnsafeRawBufferPointer) throws {
            try cancellation.check()
            guard bytes.count <= entry.size - passed else { throw wrongSize(entry) }
            (sum, passed) = (checksum(sum, bytes), passed + bytes.count)
            try body(bytes)
        }
        if entry.method == .deflate { try streamInflater.start(entry.path) }
        var (offset, hasEnded) = (0, entry.method == .stored)
        while offset < entry.compressedSize {
            let target = input.prefix(min(input.count, entry.compressedSize - offset))
            let count = try read(entry, into: target, at: offset)
            let chunk = UnsafeMutableRawBufferPointer(rebasing: input[..<count])
            offset += count
            guard entry.method == .deflate else {
                try pass(UnsafeRawBufferPointer(chunk))
                continue
            }
            let rest = try streamInflater.inflate(chunk, through: output, of: entry.path, pass)
            hasEnded = rest != nil
            // Without contents, because the blocks of a deflate stream may be empty, `pass` was not called.
            if !hasEnded { try cancellation.check() }
            // A deflate stream has an end of its own, at which a streaming reader continues: bytes after it within the
            // entry could be another entry.
            if let rest, rest > 0 || offset < entry.compressedSize {
                throw passed == entry.size ? dataAfter(entry) : wrongSize(entry)
            }
        }
        guard hasEnded else { throw StoreError(.archiveBadData, ["entry": .untrusted(entry.path)]) }
        guard passed == entry.size else { throw wrongSize(entry) }
        guard sum == entry.crc32 else { throw wrongChecksum(entry) }
    }

    /// Reads at least one byte of a ZIP entry's compressed contents, from an offset of the contents on.
    private func read(_ entry: Archive.Entry, into target: UnsafeMutableRawBufferPointer.SubSequence, at offset: Int)
        throws -> Int
    {
        let count = try archive.bytes.read(
            into: UnsafeMutableRawBufferPointer(rebasing: target), at: entry.offset + offset)
        guard count > 0 else { throw StoreError(.archiveEntryShrank, ["entry": .untrusted(entry.path)]) }
        return count
    }

    private func checksum(_ previous: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        libdeflate_crc32(previous, bytes.baseAddress, bytes.count)
    }

    // MARK: Errors

    private func wrongSize(_ entry: Archive.Entry) -> StoreError {
        StoreError(.archiveWrongSize, ["entry": .untrusted(entry.path), "size": .bytes(entry.size)])
    }

    private func dataAfter(_ entry: Archive.Entry) -> StoreError {
        StoreError(.archiveDataAfterEntry, ["entry": .untrusted(entry.path)])
    }

    private func wrongChecksum(_ entry: Archive.Entry) -> StoreError {
        StoreError(.archiveWrongChecksum, ["entry": .untrusted(entry.path)])
    }
}
