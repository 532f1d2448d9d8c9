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
        /// The files in the accepted archive, in its order; `nil` if they were not requested.
        public var files: [File]?
    }

    /// A file in an archive that was checked.
    public struct File: Sendable, Hashable, Codable {
        /// The path of the file in the checked archive, with `/` between the components.
        public var path: String
        /// The size of the file's uncompressed contents, in bytes.
        public var size: Int
        /// The SHA-256 of the file's uncompressed contents.
        public var sha256: SHA256Digest
    }

    private let kind: (any ContentKind)?
    private let limits: ArchiveLimits
    private let listsFiles: Bool

    /// Creates a check of products' archives.
    ///
    /// - Parameters:
    ///   - kind: the product kind whose rules the contents must satisfy; `nil` checks only the rules for archives.
    ///   - kinds: the known product kinds.
    ///   - limits: the limits of archives.
    ///   - listsFiles: whether the verdicts on accepted archives list the files in them, also hidden ones and litter,
    ///     which then do not reject an archive; not together with `kind`.
    /// - Throws: `publish.unknown-kind`.
    public init(
        kind: ProductKind? = nil, kinds: ContentKinds, limits: ArchiveLimits = ArchiveLimits(), listsFiles: Bool = false
    ) throws {
        if let kind, kinds[kind] == nil {
            throw StoreError(.kindUnknown, ["kind": .untrusted(kind.rawValue), "known": .list(kinds.words)])
        }
        self.kind = kind.flatMap { kinds[$0] }
        self.limits = limits
        self.listsFiles = listsFiles
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
            guard try open.status().kind != .folder else { throw StoreError(.checkedFileIsDirectory) }
            var files: [File]?
            if let kind {
                try withTemporaryDirectory { directory in
                    _ = try Unpacker().unpack(open, into: directory, limits: limits)
                    try kind.check(directory)
                }
            } else {
                var limits = self.limits
                // A list has all that is in the archive, also what is never part of a pack.
                if listsFiles { limits.hiddenEntries = .kept }
                let archive = try Archive(open, limits: limits)
                if listsFiles {
                    // The hashes are those of an entry table, for which every entry is read and verified to its end.
                    let table = try archive.entryTable()
                    files = table.entries.map { File(path: $0.path, size: $0.size, sha256: $0.sha256) }
                } else {
                    try archive.verifyContents()
                }
            }
            return Verdict(file: file, verdict: .accepted, code: nil, message: nil, files: files)
        } catch {
            let report = ErrorReport(Self.clarify(error, about: file), formatter: .publisher)
            return Verdict(file: file, verdict: .refused, code: report.code.rawValue, message: report.message)
        }
    }

    /// Returns an error that names the type of a file that is no ZIP file; other errors are returned unchanged.
    private static func clarify(_ error: any Error, about file: String) -> any Error {
        guard let error = error as? StoreError, let open = try? OpenFile.open(file) else { return error }
        return error.namingContent(of: open) ?? error
    }

    private func withTemporaryDirectory(_ body: (Directory) throws -> Void) throws {
        let parent = try Directory.open(FileManager.default.temporaryDirectory.path)
        let name = "storehouse-check-" + OperationID().rawValue
        try parent.makeDirectory(name)
        defer { try? parent.removeTree(name) }
        try body(parent.openDirectory(name))
    }
}
