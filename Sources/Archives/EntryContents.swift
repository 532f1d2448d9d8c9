import StoreCDeflate
import StoreModel
import StoreSystem

/// The plain bytes of an archive's entries, from the places that our own reader has proved to be theirs. For one
/// thread; another takes another one.
///
/// A small entry is read, inflated and checked whole before anybody gets to see it. A big one goes through in pieces,
/// and its checksum shows at its end.
final class EntryContents {
    /// Bytes, packed and plain, up to which an entry is small.
    static let wholeSize = 1 << 20

    private let archive: Archive
    private let wholeSize: Int
    private let cancellation: CancellationFlag
    private let packed: UnsafeMutableRawBufferPointer
    private let plain: UnsafeMutableRawBufferPointer
    /// Made when the first entry asks for it.
    private lazy var whole = WholeInflater()
    private lazy var stream = StreamInflater()

    /// - Parameter cancellation: checked before each piece of an entry that is not small.
    init(
        _ archive: Archive, wholeSize: Int = EntryContents.wholeSize,
        cancellation: CancellationFlag = CancellationFlag()
    ) {
        self.archive = archive
        self.cancellation = cancellation
        self.wholeSize = wholeSize
        // Memory that is never touched costs nothing.
        packed = .allocate(byteCount: max(wholeSize, 256 << 10), alignment: 64)
        plain = .allocate(byteCount: max(wholeSize, 256 << 10), alignment: 64)
    }

    deinit {
        packed.deallocate()
        plain.deallocate()
    }

    /// Reads the entry at `index` of the archive's entries, and gives its bytes to `take`, in one piece or several:
    /// never more than its size, and without a throw exactly that many, with the right checksum.
    ///
    /// - Returns: the hash of the bytes.
    func read(_ index: Int, _ take: (UnsafeRawBufferPointer) throws -> Void) throws -> SHA256Digest {
        let entry = archive.entries[index]
        do {
            return try max(entry.size, entry.compressedSize) <= wholeSize
                ? readWhole(entry, take) : readInPieces(entry, take)
        } catch let flaw as Flaw {
            throw ArchiveError(flaw, in: archive.file.path)
        }
    }

    private func readWhole(
        _ entry: Archive.Entry, _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> SHA256Digest {
        var filled = 0
        while filled < entry.compressedSize {
            filled += try read(entry, into: packed[filled..<entry.compressedSize], at: filled)
        }
        var bytes = UnsafeRawBufferPointer(rebasing: packed[..<filled])
        if entry.method == .deflate {
            let target = UnsafeMutableRawBufferPointer(rebasing: plain[..<entry.size])
            guard let used = try whole.inflate(bytes, filling: target, of: entry.path) else { throw wrongSize(entry) }
            guard used == filled else { throw bytesAfterEnd(entry) }
            bytes = UnsafeRawBufferPointer(target)
        }
        guard checksum(0, bytes) == entry.crc32 else { throw wrongChecksum(entry) }
        try take(bytes)
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        return hasher.finalize()
    }

    private func readInPieces(
        _ entry: Archive.Entry, _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> SHA256Digest {
        var hasher = SHA256Hasher()
        var (sum, given) = (UInt32(0), 0)
        func give(_ bytes: UnsafeRawBufferPointer) throws {
            try cancellation.check()
            guard bytes.count <= entry.size - given else { throw wrongSize(entry) }
            (sum, given) = (checksum(sum, bytes), given + bytes.count)
            hasher.update(bytes)
            try take(bytes)
        }
        if entry.method == .deflate { try stream.start(entry.path) }
        var (place, hasEnded) = (0, entry.method == .stored)
        while place < entry.compressedSize {
            let room = packed.prefix(min(packed.count, entry.compressedSize - place))
            let count = try read(entry, into: room, at: place)
            let piece = UnsafeMutableRawBufferPointer(rebasing: packed[..<count])
            place += count
            guard entry.method == .deflate else {
                try give(UnsafeRawBufferPointer(piece))
                continue
            }
            let rest = try stream.inflate(piece, through: plain, of: entry.path, give)
            hasEnded = rest != nil
            // A deflate stream has an end of its own, and a reader of a stream goes on from there: what follows it
            // within the entry could be another entry.
            if let rest, rest > 0 || place < entry.compressedSize {
                throw given == entry.size ? bytesAfterEnd(entry) : wrongSize(entry)
            }
        }
        guard hasEnded else { throw badData(entry.path) }
        guard given == entry.size else { throw wrongSize(entry) }
        guard sum == entry.crc32 else { throw wrongChecksum(entry) }
        return hasher.finalize()
    }

    /// Reads at a place of the entry's packed bytes; at least one of them.
    private func read(_ entry: Archive.Entry, into room: UnsafeMutableRawBufferPointer.SubSequence, at place: Int)
        throws -> Int
    {
        let count = try archive.file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: room), at: entry.offset + place)
        guard count > 0 else { throw Flaw(.wrongSize, "'\(entry.path)' ends too early: it shrank while it was read") }
        return count
    }

    private func checksum(_ before: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        libdeflate_crc32(before, bytes.baseAddress, bytes.count)
    }

    // MARK: What can be wrong

    private func wrongSize(_ entry: Archive.Entry) -> Flaw {
        Flaw(.wrongSize, "'\(entry.path)' does not unpack to the \(entry.size) bytes it should")
    }

    private func bytesAfterEnd(_ entry: Archive.Entry) -> Flaw {
        Flaw(.dataBetween, "bytes after the end of '\(entry.path)' belong to no entry")
    }

    private func wrongChecksum(_ entry: Archive.Entry) -> Flaw {
        Flaw(.wrongChecksum, "'\(entry.path)' has not the checksum it should")
    }
}

func badData(_ path: String) -> Flaw { Flaw(.badData, "'\(path)' can't be inflated") }
