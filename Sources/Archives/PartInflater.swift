import CZip
import Files
import StoreModel

/// The plain bytes of single files of an archive whose directory is not here, by what the entry table says of them. For
/// one thread.
final class PartInflater {
    /// On the heap, because zlib keeps a pointer back to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let isReady: Bool
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

    init() {
        stream.initialize(to: z_stream())
        isReady = czip_inflate_start(stream) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
        input.deallocate()
        output.deallocate()
    }

    /// Gives the plain bytes to `take` piece by piece: never more than the table says, and without a throw exactly those
    /// of the table's hash.
    func read(
        _ entry: EntryTable.Entry, of archive: OpenFile, _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var hasher = SHA256Hasher()
        var remaining = entry.size
        func pass(_ bytes: UnsafeRawBufferPointer) throws {
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
        guard isReady, inflateReset(stream) == Z_OK else {
            throw ArchiveError(.archiveFailed, "'\(archive.path)' could not be read: no memory. Try again.")
        }
        var done = 0
        while let piece = try nextInput(entry, of: archive, at: done) {
            stream.pointee.next_in = piece.baseAddress!.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_in = UInt32(piece.count)
            done += piece.count
            repeat {
                stream.pointee.next_out = output.baseAddress!.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = UInt32(output.count)
                let result = CZip.inflate(stream, Z_NO_FLUSH)
                try pass(UnsafeRawBufferPointer(rebasing: output.prefix(output.count - Int(stream.pointee.avail_out))))
                switch result {
                case Z_STREAM_END:
                    // What follows the stream within the entry would belong to nothing.
                    guard done == entry.compressedSize, stream.pointee.avail_in == 0 else {
                        throw wrongSize(entry, archive)
                    }
                    return
                case Z_OK, Z_BUF_ERROR: break
                default: throw flaw(.badData, "'\(entry.path)' can't be inflated", archive)
                }
                // A full output may hide more that is to come out of the same input.
            } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
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
