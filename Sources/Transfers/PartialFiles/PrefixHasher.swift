import StoreModel
import StoreSystem

/// The SHA-256 of a file's first bytes, which advances as bytes are written in any order.
///
/// Bytes that follow the hashed prefix immediately are hashed from memory. Bytes further ahead are remembered as ranges
/// and read again from the file when the prefix reaches them.
struct PrefixHasher {
    private(set) var hasher = SHA256Hasher()
    /// The end of the hashed prefix.
    private(set) var end = 0
    /// Ranges behind the prefix that are in the file.
    private var ahead = ByteRanges()

    /// Whether no bytes wait behind a gap to be read again.
    var isContiguous: Bool { ahead.ranges.isEmpty }

    /// Records that bytes were written at an offset, and hashes as far as the prefix has no gap.
    mutating func wrote(_ bytes: [UInt8], at offset: Int, to file: OpenFile) throws(StoreError) {
        guard offset == end else {
            ahead.insert(offset..<offset + bytes.count)
            return
        }
        hasher.update(bytes)
        end += bytes.count
        try read(upTo: ahead.end(ofRunAt: end), of: file)
    }

    /// Hashes bytes from the file up to an offset, as far as the file has them.
    mutating func read(upTo limit: Int, of file: OpenFile) throws(StoreError) {
        guard limit > end else { return }
        let chunks = FileHasher(chunkSize: Self.chunkSize)
        while try readChunk(upTo: limit, of: file, with: chunks) {}
    }

    /// The bytes that are read at a time.
    static let chunkSize = 1 << 20

    /// Hashes the next bytes of the file, at most one chunk; returns `false` at the limit and at the end of the file.
    mutating func readChunk(upTo limit: Int, of file: OpenFile, with chunks: FileHasher) throws(StoreError) -> Bool {
        guard end < limit else { return false }
        let count = try chunks.update(&hasher, with: file, in: end..<min(limit, end + Self.chunkSize))
        end += count
        return count > 0
    }

    /// Returns the same hash with the ranges of a file that lie behind the prefix.
    func with(_ present: ByteRanges) -> Self {
        var hasher = self
        for range in present.ranges where range.lowerBound > end { hasher.ahead.insert(range) }
        return hasher
    }

    /// Forgets the ranges behind the prefix.
    mutating func forgetAhead() { ahead = ByteRanges() }
}
