import FoundationEssentials
public import StoreArchives
public import StoreLibrary
public import StoreModel
import StoreSystem

/// Says whether clients would take an archive, by the same rules and code as they.
public struct ArchiveCheck: Sendable {
    /// What is said of one archive.
    public struct Verdict: Sendable, Hashable, Codable {
        public enum Word: String, Sendable, Codable { case accepted, refused }
        /// As it was named.
        public var file: String
        public var verdict: Word
        /// The stable word of the reason; `nil` where it is accepted.
        @OrNull public var code: String?
        @OrNull public var message: String?
    }

    private let kind: (any ContentKind)?
    private let limits: ArchiveLimits

    /// - Parameters:
    ///   - kind: also holds the contents to the rules of this kind; `nil` checks only those for archives.
    /// - Throws: `publish.unknown-kind`.
    public init(kind: ProductKind? = nil, kinds: ContentKinds, limits: ArchiveLimits = ArchiveLimits()) throws {
        if let kind, kinds[kind] == nil {
            throw PublishingError(
                .unknownKind,
                "'\(kind)' is no kind that storehouse knows. It knows: \(kinds.words.joined(separator: ", ")).")
        }
        self.kind = kind.flatMap { kinds[$0] }
        self.limits = limits
    }

    /// Checks many, several at once, and tells each verdict in the order of the files as soon as that allows. Waits for
    /// the disk.
    public func verdicts(on files: [String], tell: (Verdict) throws -> Void) throws {
        // In pieces, so that what is found early is told early.
        let piece = 64
        for start in stride(from: 0, to: files.count, by: piece) {
            let verdicts = try ParallelWork.map(
                min(piece, files.count - start), threads: ParallelWork.processors, begin: {},
                { _, number in verdict(on: files[start + number]) })
            try verdicts.forEach(tell)
        }
    }

    /// Waits for the disk. Anything that stands in the way of reading the archive refuses it.
    public func verdict(on file: String) -> Verdict {
        do {
            let open = try OpenFile.open(file)
            if let kind {
                try withTemporaryFolder { folder in
                    _ = try Unpacker().unpack(open, into: folder, limits: limits)
                    try kind.check(folder)
                }
            } else {
                // The table is not wanted, but making it reads every entry to its end.
                _ = try Archive(open, limits: limits).entryTable()
            }
            return Verdict(file: file, verdict: .accepted, code: nil, message: nil)
        } catch {
            let report = ErrorReport(error)
            return Verdict(file: file, verdict: .refused, code: report.code.word, message: report.message)
        }
    }

    private func withTemporaryFolder(_ body: (Directory) throws -> Void) throws {
        let parent = try Directory.open(FileManager.default.temporaryDirectory.path)
        let name = "storehouse-check-" + OperationID().rawValue
        try parent.makeDirectory(name)
        defer { try? parent.removeTree(name) }
        try body(parent.openDirectory(name))
    }
}
