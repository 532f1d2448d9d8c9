import StoreModel
import StoreSystem

/// The SHA-256 of a file's first bytes, which advances as bytes are written in any order.
///
/// Bytes that follow the hashed prefix are hashed while they are still in memory. Those ahead of it are remembered as ranges, and
/// read from the file once the prefix reaches them.
struct PrefixHasher {
    private(set) var hasher = SHA256Hasher()
    /// The number of the file's first bytes that are hashed.
    private(set) var end = 0
    /// The ranges beyond the hashed prefix that are in the file already.
    private var ahead = ByteRanges()

    /// Whether no bytes of the file wait beyond a gap to be read again for hashing.
    var isContiguous: Bool { ahead.ranges.isEmpty }

    /// Records that bytes were written to the file, and hashes as far as the prefix has no gap.
    ///
    /// - Throws: `transfer.part-changed` where the file has become shorter since; an error of the disk.
    mutating func wrote(_ bytes: [UInt8], at offset: Int, to file: OpenFile) throws(StoreError) {
        guard offset == end else {
            ahead.insert(offset..<offset + bytes.count)
            return
        }
        hasher.update(bytes)
        end += bytes.count
        let limit = ahead.end(ofRunAt: end)
        guard limit > end else { return }
        // Small, so that the bytes stay in the processor's cache, and malloc takes the buffer from memory in use.
        let chunks = FileHasher(chunkSize: 64 << 10)
        while try readChunk(upTo: limit, of: file, with: chunks) {}
        guard end == limit else { throw StoreError(.partialFileChanged, ["path": .path(file.path)]) }
    }

    /// The number of bytes that are read from the file at a time for hashing.
    static let chunkSize = 1 << 20

    /// Hashes the next bytes of the file, at most one chunk; returns `false` where it hashed none.
    ///
    /// That is so when the prefix has reached `limit` or the end of the file.
    mutating func readChunk(upTo limit: Int, of file: OpenFile, with chunks: FileHasher) throws(StoreError) -> Bool {
        guard end < limit else { return false }
        let count = try chunks.update(&hasher, with: file, in: end..<min(limit, end + Self.chunkSize))
        end += count
        return count > 0
    }

    /// Returns a copy of the hasher that also knows which ranges of the file are present beyond the hashed prefix.
    ///
    /// - Parameter present: the ranges that are in the file.
    func with(_ present: ByteRanges) -> Self {
        var hasher = self
        for range in present.ranges where range.lowerBound > end { hasher.ahead.insert(range) }
        return hasher
    }

    /// Forgets the ranges of the file beyond the hashed prefix, which have to be downloaded again.
    mutating func forgetAhead() { ahead = ByteRanges() }
}
