import FoundationEssentials
import StoreModel
public import StoreSystem
import Synchronization

/// A small file beside a partly downloaded file that records which of its bytes a later process can use.
///
/// Where a hash verifies the complete file, it has the ranges that are present while some are missing in between. Where none
/// does, it has the origin of the bytes (URL and entity tag), and the SHA-256 of the file's first bytes at several sizes:
/// neither file is synced, so after a power cut the record may name bytes that are not on the disk. Most downloads need
/// neither, so the record is created only when there is something to record.
public final class PartialFileRecord: Sendable {
    private let directory: Directory
    private let name: String
    private let willCreate: @Sendable () -> Void
    private let file = Mutex<OpenFile?>(nil)

    /// Creates the record of a partly downloaded file, and reads or writes nothing yet.
    ///
    /// - Parameters:
    ///   - directory: the directory of the record.
    ///   - name: the record's file name in the directory; the file need not exist.
    ///   - willCreate: called before the file is opened for writing, which creates it if it is missing.
    public init(in directory: Directory, _ name: String, willCreate: @escaping @Sendable () -> Void = {}) {
        self.directory = directory
        self.name = name
        self.willCreate = willCreate
    }

    /// The maximum size in bytes of the record of a partly downloaded file.
    ///
    /// A record holds two numbers for each of some thousand ranges, or the hashes of a few dozen prefixes.
    private static let limit = 1 << 20

    /// The content of a record.
    enum Content: Equatable, Sendable {
        /// The partial file has no gaps, so that its length says which bytes are present.
        case contiguous
        /// These ranges are present; the hash of the complete file will verify them.
        case ranges(ByteRanges)
        /// The bytes came from one URL, and as many of them are present as have the recorded SHA-256.
        case origin(ContentOrigin, PrefixDigests)
    }

    /// Returns what an earlier process recorded for the partly downloaded file: its ranges, or its origin with prefixes.
    ///
    /// Where there is no record, or an empty one, no byte is missing in between. A record that is cut off counts as one
    /// without any range, because it does not tell which bytes are missing.
    ///
    /// - Throws: ``StoreError`` where the record can't be read.
    func read() throws(StoreError) -> Content {
        let text: String
        do {
            text = String(decoding: try directory.read(name, limit: Self.limit), as: UTF8.self)
        } catch {
            guard error.isMissing else { throw error }
            return .contiguous
        }
        // A truncated record tells that bytes are missing, but not which.
        return Content(text: text) ?? .ranges(ByteRanges())
    }

    func write(_ content: Content) throws(StoreError) {
        if content == .contiguous { return try clear() }
        let file = try open()
        // One write suffices: the final dot separates the record from the rest of a longer one before it.
        try file.write(Array(content.text.utf8), at: 0)
    }

    /// Removes the record of the partly downloaded file, or empties it where it is open.
    func clear() throws(StoreError) {
        if let file = file.withLock({ $0 }) { return try file.truncate(to: 0) }
        do { try directory.remove(name) } catch { if !error.isMissing { throw error } }
    }

    private func open() throws(StoreError) -> OpenFile {
        if let file = file.withLock({ $0 }) { return file }
        willCreate()
        let opened = try directory.openOrCreateFile(name)
        file.withLock { $0 = opened }
        return opened
    }
}

// The format: the ranges and a dot, `0-1048576 4194304-5242880 .`; or the SHA-256 of the URL, the entity tag, prefixes and
// a dot, `9f86… "one" 1048576:6e1f… .`. The dot marks the end. A record without text is one of a file without gaps.

extension PartialFileRecord.Content {
    var text: String {
        switch self {
        case .contiguous: ""
        case .ranges(let ranges): ranges.text
        case .origin(let origin, let digests): "\(origin.urlDigest.hex) \(origin.tag) \(digests.text)"
        }
    }

    /// Parses the text of the record of a partly downloaded file; `nil` where it is not valid or not complete.
    init?(text: String) {
        guard !text.isEmpty else {
            self = .contiguous
            return
        }
        if let ranges = ByteRanges(text: text) {
            self = .ranges(ranges)
            return
        }
        // A tag has no spaces inside, and no quotation marks other than those at its ends.
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let urlDigest = SHA256Digest(hex: String(parts[0])),
            let origin = ContentOrigin(urlDigest: urlDigest, tag: String(parts[1])),
            let digests = PrefixDigests(text: parts[2])
        else { return nil }
        self = .origin(origin, digests)
    }
}
