import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTransfers
import Synchronization

/// A directory of partially fetched archives, with a few files for each operation.
///
/// An operation's whole archive is `OPERATION.part`, beside `OPERATION.ranges` while bytes in the middle are missing;
/// parts of an archive are in `OPERATION.parts`. The whole archive of a download that failed is kept under the SHA-256
/// that it will have, `SHA256.part` and `SHA256.ranges`, so that the next download of the same archive resumes it.
struct PartialDirectory: Sendable {
    let directory: Directory
    private let blockingWork = BlockingWork(label: "downloads.partial", concurrent: true)
    /// The queue for copying files of this machine, which may be on slow disks that downloads must not wait for.
    private let copying = BlockingWork(label: "downloads.partial.copying", concurrent: true)
    /// The queue for renaming and removing kept archives, which is done for one after another.
    private let keeping = BlockingWork(label: "downloads.partial.keeping")
    private let files = OperationFiles()

    /// Remembers which files an operation can have, so that cleaning up takes no system calls for names that can't exist.
    ///
    /// Most operations have only an archive, which then moves to the cache.
    private final class OperationFiles: Sendable {
        enum Files {
            case nothing
            case archiveOnly
            case unknown
        }
        private let known = Mutex<[OperationID: Files]>([:])

        /// Records that an operation may have any files from now on.
        func setUnknown(_ operation: OperationID) { known.withLock { $0[operation] = .unknown } }

        /// Records that the archive of an operation was created.
        func addArchive(of operation: OperationID) {
            known.withLock { if $0[operation] != .unknown { $0[operation] = .archiveOnly } }
        }

        /// Records that the archive of an operation was moved away.
        func removeArchive(of operation: OperationID) {
            known.withLock { if $0[operation] == .archiveOnly { $0[operation] = .nothing } }
        }

        /// Removes and returns what is known of an operation; `unknown` for one of an earlier process.
        func remove(_ operation: OperationID) -> Files {
            known.withLock { $0.removeValue(forKey: operation) ?? .unknown }
        }
    }

    init(_ directory: Directory) { self.directory = directory }

    /// Returns the name of the file for an operation's whole archive, complete or not.
    static func archiveName(_ operation: OperationID) -> String { operation.rawValue + ".part" }

    private static func rangesName(_ operation: OperationID) -> String { operation.rawValue + ".ranges" }

    private static func partsName(_ operation: OperationID) -> String { operation.rawValue + ".parts" }

    /// Returns the names of the files of a kept archive: those of its bytes and of its record.
    private static func keptNames(_ sha256: SHA256Digest) -> (archive: String, ranges: String) {
        (sha256.hex + ".part", sha256.hex + ".ranges")
    }

    /// Opens the file for an operation's whole archive, with the bytes of earlier attempts if they can be verified.
    ///
    /// Earlier attempts are those of the operation itself, or else of a failed download of the same archive. The file is
    /// created if it is missing. Without a hash nothing shows that the bytes on disk belong to the file that the server
    /// has now, and they are discarded.
    ///
    /// - Parameter sha256: the archive's hash; `nil` if it is unknown.
    /// - Returns: the file, and whether the operation's own attempts have left bytes in it.
    /// - Throws: `StoreError` if the disk refuses; `CancellationError`.
    func openArchive(
        _ operation: OperationID, sha256: SHA256Digest?
    ) async throws -> (file: PartialFile, isContinued: Bool) {
        var isAdopted = false
        // Most often no archive is kept, which one look tells.
        if let sha256, (try? directory.status(of: Self.keptNames(sha256).archive)) != nil {
            isAdopted = (try? await keeping.run { try adopt(sha256, for: operation) }) ?? false
        }
        let name = Self.archiveName(operation)
        let partial = try await blockingWork.runCancellable { [directory, files] cancellation in
            let record = PartialFileRecord(in: directory, Self.rangesName(operation)) { files.setUnknown(operation) }
            if let file = try directory.createFileIfFree(name, mode: 0o600) {
                let partial = try PartialFile.created(file, record: record)
                files.addArchive(of: operation)
                return partial
            }
            let file = try directory.openOrCreateFile(name)
            if sha256 != nil { return try PartialFile.resuming(file, record: record, cancellation: cancellation) }
            let fresh = PartialFile(file, record: record)
            try fresh.restart()
            return fresh
        }
        return (partial, !isAdopted && partial.size > 0)
    }

    /// Copies a file of this machine as an operation's whole archive, and syncs the copy to the disk.
    ///
    /// - Returns: the copy.
    /// - Throws: `StoreError` if the disk refuses; `CancellationError`.
    func copyArchive(_ file: OpenFile, for operation: OperationID, size: Int) async throws -> OpenFile {
        try await copying.runCancellable { [directory] cancellation in
            let archive = try directory.createFile(Self.archiveName(operation), mode: 0o600)
            try archive.copy(from: file, upTo: size, cancellation: cancellation)
            try archive.sync()
            return archive
        }
    }

    /// Returns how many bytes of each operation's whole archive are on disk, by the operation.
    ///
    /// The bytes are not verified. Operations without a file, or whose file can't be read, are left out.
    func bytesOnDisk() async -> [OperationID: Int] {
        let counts = try? await blockingWork.run { [directory] in
            try directory.entries().compactMap { entry -> (OperationID, Int)? in
                guard let operation = Self.operation(ofArchive: entry.name) else { return nil }
                return (try? Self.bytesPresent(of: operation, in: directory)).map { (operation, $0) }
            }
        }
        return Dictionary(counts ?? []) { first, _ in first }
    }

    /// Returns how many bytes of an operation's whole archive are on disk, unverified; 0 if the file can't be read.
    func bytesOnDisk(of operation: OperationID) async -> Int {
        (try? await blockingWork.run { [directory] in try Self.bytesPresent(of: operation, in: directory) }) ?? 0
    }

    private static func bytesPresent(of operation: OperationID, in directory: Directory) throws(StoreError) -> Int {
        let record = PartialFileRecord(in: directory, rangesName(operation))
        return try PartialFile.bytesPresent(in: directory.openFile(archiveName(operation)), record: record)
    }

    private static func operation(ofArchive name: String) -> OperationID? {
        let suffix = archiveName(OperationID(rawValue: ""))
        return name.hasSuffix(suffix) ? OperationID(rawValue: String(name.dropLast(suffix.count))) : nil
    }

    /// Creates an empty file for parts of the archive that an operation fetches, in place of an existing one.
    func createPartsFile(_ operation: OperationID) async throws -> OpenFile {
        let name = Self.partsName(operation)
        files.setUnknown(operation)
        return try await blockingWork.run { [directory] in
            try directory.removeTree(name)
            return try directory.createFile(name, mode: 0o600)
        }
    }

    /// Moves the whole archive of an operation into a cache; does nothing if there is none, or the disk refuses.
    ///
    /// - Parameters:
    ///   - sha256: the hash of the archive.
    ///   - size: the size of the archive in bytes.
    func moveArchive(of operation: OperationID, to cache: ArchiveCache, as sha256: SHA256Digest, size: Int) async {
        if await cache.insert(Self.archiveName(operation), in: directory, as: sha256, size: size) {
            files.removeArchive(of: operation)
        }
    }

    /// Removes the partially fetched archive of an operation; does nothing if there is none, or the disk refuses.
    func remove(_ operation: OperationID) async {
        let names =
            switch files.remove(operation) {
            case .nothing: [String]()
            case .archiveOnly: [Self.archiveName(operation)]
            case .unknown: [Self.archiveName(operation), Self.rangesName(operation), Self.partsName(operation)]
            }
        if names.isEmpty { return }
        try? await blockingWork.run { [directory] in for name in names { try directory.removeTree(name) } }
    }

    /// Removes all partially fetched archives except the whole archives of some operations, and those kept of failed
    /// downloads.
    ///
    /// Parts of archives are small and are fetched again.
    func removeAll(except operations: Set<OperationID>) async {
        let kept = Set(operations.flatMap { [Self.archiveName($0), Self.rangesName($0)] })
        try? await blockingWork.run { [directory] in
            for entry in try directory.entries() where !kept.contains(entry.name) && !Self.isKept(entry.name) {
                try directory.removeTree(entry.name)
            }
        }
    }

    // MARK: Archives of failed downloads

    /// Returns whether a file belongs to a kept archive, whose name begins with a SHA-256.
    private static func isKept(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, ["part", "ranges"].contains(parts[1]) else { return false }
        return SHA256Digest(hex: parts[0])?.hex == parts[0]
    }

    /// Renames an operation's whole archive, so that it remains when the files of the operation are removed.
    ///
    /// Does nothing if it has no bytes, or the disk refuses. Then removes kept archives beyond the limits.
    func keep(_ operation: OperationID, as sha256: SHA256Digest, within limits: PartialFileLimits, now: Date) async {
        let kept = Self.keptNames(sha256)
        try? await keeping.run {
            guard let status = try directory.status(of: Self.archiveName(operation)), status.size > 0 else { return }
            // Frees the space that was reserved for missing bytes. Only where there is some: truncating changes the modification
            // time, which is otherwise that of the last byte received.
            if status.space > status.size + 64 << 10 {
                try? directory.openOrCreateFile(Self.archiveName(operation)).giveBack()
            }
            // The record is renamed last. If the process is killed before that, the operation is resumed, gets the
            // archive back (``adopt(_:for:)``), and finds the record under its own name.
            try directory.rename(Self.archiveName(operation), to: directory, as: kept.archive, replacing: true)
            try directory.removeTree(kept.ranges)
            try? directory.rename(Self.rangesName(operation), to: directory, as: kept.ranges, replacing: true)
        }
        await prune(to: limits, now: now)
    }

    /// Renames the kept archive with a hash to that of an operation, which resumes it.
    ///
    /// - Returns: whether there was one; `false` also if the operation has an archive of its own.
    private func adopt(_ sha256: SHA256Digest, for operation: OperationID) throws -> Bool {
        let (kept, name) = (Self.keptNames(sha256), Self.archiveName(operation))
        guard try directory.status(of: name) == nil, try directory.status(of: kept.archive) != nil else { return false }
        // The record is renamed first. If the process is killed then, the operation still finds the archive by hash.
        if try directory.status(of: kept.ranges) != nil {
            try directory.rename(kept.ranges, to: directory, as: Self.rangesName(operation), replacing: true)
        }
        try directory.rename(kept.archive, to: directory, as: name, replacing: false)
        return true
    }

    /// Removes the kept archives that are too old, or that, from the newest on, do not fit the limit for all together.
    func prune(to limits: PartialFileLimits, now: Date) async {
        try? await keeping.run {
            var archives: [(name: String, size: Int, date: Date)] = []
            for entry in try directory.entries() where Self.isKept(entry.name) && entry.name.hasSuffix(".part") {
                guard let status = try directory.status(of: entry.name) else { continue }
                archives.append((entry.name, status.space, status.modifiedAt))
            }
            var total = 0
            for archive in archives.sorted(by: { $0.date > $1.date }) {
                let age = now.timeIntervalSince(archive.date)
                if age < limits.age.seconds, total + archive.size <= limits.size {
                    total += archive.size
                    continue
                }
                try directory.removeTree(archive.name)
                try directory.removeTree(archive.name.dropLast("part".count) + "ranges")
            }
        }
    }
}
