import StoreModel
import StoreSystem

/// A reader that inflates and verifies ZIP entries without the ZIP file's central directory.
///
/// It relies on the entry table alone, the list of files with offset, sizes and hash that the store publishes. The
/// archive file may contain only the bytes of these entries.
///
/// Not thread-safe: each thread uses its own.
final class SelectedEntryReader {
    private let stream = StreamInflater()
    private let cancellation: CancellationFlag
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

    /// Creates a reader of single entries of an archive file.
    ///
    /// - Parameter cancellation: checked before each entry and each chunk of one.
    init(cancellation: CancellationFlag) { self.cancellation = cancellation }

    deinit {
        input.deallocate()
        output.deallocate()
    }

    /// Passes the uncompressed contents of an entry to `body`, in chunks, after its bytes in the archive were verified.
    ///
    /// Nothing is inflated, and nothing is passed to `body`, unless the bytes in the archive have the table's hash of
    /// them; an entry without that hash is refused. `body` never receives more bytes than the table states. If no error
    /// is thrown, `body` received exactly the bytes with the table's hash.
    func read(
        _ entry: EntryTable.Entry, of archive: OpenFile, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try cancellation.check()
        try rejecting(archive) {
            try verify(entry, of: archive)
            var hasher = SHA256Hasher()
            var remaining = entry.size
            func pass(_ bytes: UnsafeRawBufferPointer) throws {
                try cancellation.check()
                guard bytes.count <= remaining else { throw wrongSize(entry) }
                remaining -= bytes.count
                hasher.update(bytes)
                try body(bytes)
            }
            switch entry.method {
            case .stored: try copy(entry, of: archive, pass)
            case .deflate: try inflate(entry, of: archive, pass)
            }
            guard remaining == 0 else { throw wrongSize(entry) }
            guard hasher.finalize() == entry.sha256 else {
                throw StoreError(.archiveWrongHash, ["entry": .untrusted(entry.path)])
            }
        }
    }

    /// Checks that the bytes of an entry, as they are in the archive, have the hash of the entry table.
    private func verify(_ entry: EntryTable.Entry, of archive: OpenFile) throws {
        var (hasher, offset) = (SHA256Hasher(), 0)
        while let chunk = try nextChunk(of: entry, in: archive, at: offset) {
            try cancellation.check()
            hasher.update(UnsafeRawBufferPointer(chunk))
            offset += chunk.count
        }
        guard hasher.finalize() == entry.compressedSHA256 else {
            throw StoreError(.archiveWrongCompressedHash, ["entry": .untrusted(entry.path)])
        }
    }

    private func copy(
        _ entry: EntryTable.Entry, of archive: OpenFile, _ pass: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var offset = 0
        while let chunk = try nextChunk(of: entry, in: archive, at: offset) {
            try pass(UnsafeRawBufferPointer(chunk))
            offset += chunk.count
        }
    }

    /// Reads the next bytes of a ZIP entry as they are in the archive; `nil` at the entry's end.
    private func nextChunk(
        of entry: EntryTable.Entry, in archive: OpenFile, at offset: Int
    ) throws -> UnsafeMutableRawBufferPointer? {
        guard offset < entry.compressedSize else { return nil }
        let target = UnsafeMutableRawBufferPointer(rebasing: input.prefix(entry.compressedSize - offset))
        let count = try archive.read(into: target, at: entry.offset + offset)
        guard count > 0 else { throw wrongSize(entry) }
        return UnsafeMutableRawBufferPointer(rebasing: target.prefix(count))
    }

    private func inflate(
        _ entry: EntryTable.Entry, of archive: OpenFile, _ pass: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try stream.start(entry.path)
        var offset = 0
        while let chunk = try nextChunk(of: entry, in: archive, at: offset) {
            offset += chunk.count
            guard let rest = try stream.inflate(chunk, through: output, of: entry.path, pass) else {
                // Without contents, because the blocks of a deflate stream may be empty, `pass` was not called.
                try cancellation.check()
                continue
            }
            // Bytes after the stream's end would belong to no entry.
            guard rest == 0, offset == entry.compressedSize else { throw wrongSize(entry) }
            return
        }
        throw wrongSize(entry)
    }

    private func wrongSize(_ entry: EntryTable.Entry) -> StoreError {
        StoreError(.archiveWrongSize, ["entry": .untrusted(entry.path), "size": .bytes(entry.size)])
    }
}
