import StoreModel
import StoreSystem

/// The plain bytes of single files of an archive whose directory is not here, by what the entry table says of them. For
/// one thread.
final class PartInflater {
    private let stream = StreamInflater()
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private let cancellation: CancellationFlag
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

    /// - Parameter cancellation: checked before each file and each piece of one.
    init(cancellation: CancellationFlag) { self.cancellation = cancellation }

    deinit {
        input.deallocate()
        output.deallocate()
    }

    /// Gives the plain bytes to `take` piece by piece: never more than the table says, and without a throw exactly those
    /// of the table's hash.
    func read(
        _ entry: EntryTable.Entry, of archive: OpenFile, _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try cancellation.check()
        var hasher = SHA256Hasher()
        var remaining = entry.size
        func pass(_ bytes: UnsafeRawBufferPointer) throws {
            try cancellation.check()
            guard bytes.count <= remaining else { throw wrongSize(entry, archive) }
            remaining -= bytes.count
            hasher.update(bytes)
            try take(bytes)
        }
        switch entry.method {
        case .stored: try copy(entry, of: archive, pass)
        case .deflate: try inflate(entry, of: archive, pass)
        }
        guard remaining == 0 else { throw wrongSize(entry, archive) }
        guard hasher.finalize() == entry.sha256 else {
            throw flaw(.wrongChecksum, "'\(entry.path)' has not the SHA-256 that the entry table gives", archive)
        }
    }

    private func copy(
        _ entry: EntryTable.Entry, of archive: OpenFile, _ pass: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var done = 0
        while let piece = try nextInput(entry, of: archive, at: done) {
            try pass(UnsafeRawBufferPointer(piece))
            done += piece.count
        }
    }

    /// The next bytes of the entry as they lie in the archive; `nil` at its end.
    private func nextInput(
        _ entry: EntryTable.Entry, of archive: OpenFile, at done: Int
    ) throws -> UnsafeMutableRawBufferPointer? {
        guard done < entry.compressedSize else { return nil }
        let room = UnsafeMutableRawBufferPointer(rebasing: input.prefix(entry.compressedSize - done))
        let got = try archive.read(into: room, at: entry.offset + done)
        guard got > 0 else { throw wrongSize(entry, archive) }
        return UnsafeMutableRawBufferPointer(rebasing: room.prefix(got))
    }

    private func inflate(
        _ entry: EntryTable.Entry, of archive: OpenFile, _ pass: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        do {
            try stream.start(entry.path)
            var done = 0
            while let piece = try nextInput(entry, of: archive, at: done) {
                done += piece.count
                guard let rest = try stream.inflate(piece, through: output, of: entry.path, pass) else { continue }
                // What follows the stream within the entry would belong to nothing.
                guard rest == 0, done == entry.compressedSize else { throw wrongSize(entry, archive) }
                return
            }
        } catch let flaw as Flaw {
            throw ArchiveError(flaw, in: archive.path)
        }
        throw wrongSize(entry, archive)
    }

    private func wrongSize(_ entry: EntryTable.Entry, _ archive: OpenFile) -> ArchiveError {
        flaw(.wrongSize, "'\(entry.path)' does not unpack to the \(entry.size) bytes it should", archive)
    }

    private func flaw(_ code: ErrorCode, _ reason: String, _ archive: OpenFile) -> ArchiveError {
        ArchiveError(Flaw(code, reason), in: archive.path)
    }
}
