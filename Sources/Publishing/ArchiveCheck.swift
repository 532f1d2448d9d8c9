import FoundationEssentials
public import StoreArchives
public import StoreLibrary
public import StoreModel
import StoreSystem

/// A check of ZIP archives of products by the same rules and code that clients apply.
public struct ArchiveCheck: Sendable {
    /// The result of checking one archive of a product.
    public struct Verdict: Sendable, Hashable, Codable {
        /// The decision of a check: whether clients accept the archive.
        public enum Decision: String, Sendable, Codable { case accepted, refused }
        /// The path of the checked archive as the caller passed it.
        public var file: String
        /// The decision whether clients accept the checked archive.
        public var verdict: Decision
        /// The code of the error in the checked archive, such as `archive.traversal`; `nil` if it is accepted.
        @OrNull public var code: String?
        /// The message of the error in the checked archive; `nil` if it is accepted.
        @OrNull public var message: String?
    }

    private let kind: (any ContentKind)?
    private let limits: ArchiveLimits

    /// Creates a check of products' archives.
    ///
    /// - Parameters:
    ///   - kind: the product kind whose rules the contents must satisfy; `nil` checks only the rules for archives.
    ///   - kinds: the known product kinds.
    ///   - limits: the limits of archives.
    /// - Throws: `publish.unknown-kind`.
    public init(kind: ProductKind? = nil, kinds: ContentKinds, limits: ArchiveLimits = ArchiveLimits()) throws {
        if let kind, kinds[kind] == nil {
            throw StoreError(.kindUnknown, ["kind": .untrusted(kind.rawValue), "known": .list(kinds.words)])
        }
        self.kind = kind.flatMap { kinds[$0] }
        self.limits = limits
    }

    /// Checks several archives of products in parallel and reports the results in the order of the files.
    ///
    /// Blocks until all are checked.
    ///
    /// - Parameters:
    ///   - files: the paths of the archives.
    ///   - report: receives each result as early as the order allows.
    public func verdicts(on files: [String], report: (Verdict) throws -> Void) throws {
        // In batches, so that early results are reported early.
        let batch = 64
        for start in stride(from: 0, to: files.count, by: batch) {
            let verdicts = try ParallelWork.map(
                min(batch, files.count - start), threads: ParallelWork.processors, begin: {},
                { _, number in verdict(on: files[start + number]) })
            try verdicts.forEach(report)
        }
    }

    /// Checks one archive of a product.
    ///
    /// An archive that can't be read is refused. Blocks.
    public func verdict(on file: String) -> Verdict {
        do {
            let open = try OpenFile.open(file)
            if let kind {
                try withTemporaryDirectory { directory in
                    _ = try Unpacker().unpack(open, into: directory, limits: limits)
                    try kind.check(directory)
                }
            } else {
                // Which names are content depends on what the archive is for.
                var limits = self.limits
                limits.hiddenEntries = .kept
                // The entry table is not used, but creating it reads and verifies every entry to its end.
                _ = try Archive(open, limits: limits).entryTable()
            }
            return Verdict(file: file, verdict: .accepted, code: nil, message: nil)
        } catch {
            let report = ErrorReport(error)
            return Verdict(file: file, verdict: .refused, code: report.code.rawValue, message: report.message)
        }
    }

    private func withTemporaryDirectory(_ body: (Directory) throws -> Void) throws {
        let parent = try Directory.open(FileManager.default.temporaryDirectory.path)
        let name = "storehouse-check-" + OperationID().rawValue
        try parent.makeDirectory(name)
        defer { try? parent.removeTree(name) }
        try body(parent.openDirectory(name))
    }
}
