public import StoreArchives
import StoreModel
public import StoreSystem

/// An unpacker of ZIP archives that has confined processes read them, and validates the files that these wrote.
///
/// If no process can be confined, it unpacks in this process, or throws `worker.unavailable` if
/// ``WorkerService/Settings/isRequired`` is set. Other errors of the processes are `worker.crashed`, `worker.timeout`,
/// `worker.memory` and `worker.bad-output`. Cancellation ends the process within a twentieth of a second.
public struct ConfinedUnpacker: Unpacking {
    private let service: WorkerService

    /// Creates an unpacker whose processes a service runs.
    public init(_ service: WorkerService) { self.service = service }

    public var sharesProcesses: Bool { (try? service.usesWorker()) == true }

    public func unpack(
        _ archive: OpenFile, into directory: Directory, limits: ArchiveLimits, cancellation: CancellationFlag
    ) throws -> UnpackReport {
        guard try service.usesWorker() else {
            return try Unpacker().unpack(archive, into: directory, limits: limits, cancellation: cancellation)
        }
        try service.run(.unpack(limits), WorkerFiles(directories: [directory], archives: [archive]), cancellation)
            .requireDone(archive)
        return try UnpackedFiles(limits: limits).read(directory, cancellation: cancellation)
    }

    public func unpackInMemory(
        _ archives: [OpenFile], limits: ArchiveLimits, cancellation: CancellationFlag
    ) throws -> UnpackedPacks {
        guard try service.usesWorker() else {
            return try Unpacker().unpackInMemory(archives, limits: limits, cancellation: cancellation)
        }
        let file = try OpenFile.inMemory()
        try service.run(.unpackInMemory(limits), WorkerFiles(archives: archives, output: file), cancellation)
            .requireDone(archives.first)
        return try UnpackedPacks(file, count: archives.count, limits: limits, cancellation: cancellation)
    }

    /// Unpacks entries of an archive; with a directory, which must be empty, what is in it afterwards has the hashes of
    /// the entry table.
    public func unpack(
        _ entries: [SelectedEntry], of archive: OpenFile, into directory: Directory?, cancellation: CancellationFlag
    ) throws {
        guard try service.usesWorker() else {
            return try Unpacker().unpack(entries, of: archive, into: directory, cancellation: cancellation)
        }
        // Without a directory the report is not more than advice: the files are hashed when they are unpacked.
        let task = WorkerTask.unpackEntries(entries, writesFiles: directory != nil)
        try service.run(task, WorkerFiles(directories: directory.map { [$0] } ?? [], archives: [archive]), cancellation)
            .requireDone(archive)
        guard let directory else { return }
        let found = try UnpackedFiles(limits: ArchiveLimits(of: entries)).read(directory, cancellation: cancellation)
        try found.requireExactly(
            entries.map { Receipt.File(path: $0.path, size: $0.entry.size, sha256: $0.entry.sha256) })
    }
}

extension WorkerService {
    /// Has a worker read what an archive says of the pack in it.
    ///
    /// The caller must validate the contents of the result: the worker may have been under the control of the archive.
    ///
    /// - Returns: `nil` if the archive has to be read in this process.
    /// - Throws: an error of the archive or of a file in it; `worker.crashed`, `worker.timeout`, `worker.memory`;
    ///   `worker.unavailable`.
    public func describe(_ archive: OpenFile, limits: ArchiveLimits) throws -> ArchiveDescription? {
        guard try usesWorker() else { return nil }
        let report = try run(.describe(limits), WorkerFiles(archives: [archive]), CancellationFlag())
        guard case .described(let description) = report else {
            try report.requireDone(archive)
            throw StoreError(.workerCrashed, ["reason": "its report is malformed"])
        }
        guard 0...limits.unpackedSize ~= description.size else {
            throw StoreError(.workerCrashed, ["reason": "its report is malformed"])
        }
        return description
    }

    /// Has a worker check the files of a pack by the rules of its kind.
    ///
    /// - Returns: `false` if no process can be confined, so that the caller has to check the pack in its own process.
    /// - Throws: the error that the worker reports; `worker.crashed`, `worker.timeout`, `worker.memory`;
    ///   `worker.unavailable`; `CancellationError`.
    public func check(
        _ pack: Directory, by rules: ContentRules, cancellation: CancellationFlag
    ) throws -> Bool {
        try check(.check(rules), WorkerFiles(directories: [pack]), cancellation)
    }

    /// Has a worker check the files of packs of one kind, which are in memory, by its rules.
    ///
    /// - Returns: `false` if no process can be confined, so that the caller has to check the packs in its own process.
    /// - Throws: as ``check(_:by:cancellation:)-(Directory,_,_)``.
    public func check(
        _ packs: SharedFileTrees, by rules: ContentRules, cancellation: CancellationFlag
    ) throws -> Bool {
        try check(.checkInMemory(rules), WorkerFiles(archives: [packs.file]), cancellation)
    }

    private func check(_ task: WorkerTask, _ files: WorkerFiles, _ cancellation: CancellationFlag) throws -> Bool {
        guard try usesWorker() else { return false }
        try run(task, files, cancellation).requireDone(nil)
        return true
    }
}

extension WorkerReport {
    /// Throws the error that a worker reports.
    ///
    /// Its texts are cut, and of its code only the length, the characters and the exit status are checked. It has no
    /// permissions, so that the user is not asked for any.
    func requireDone(_ archive: OpenFile?) throws {
        switch self {
        case .done: return
        case .archiveRejected(let report):
            throw StoreError(
                .archiveRejected, ["archive": .path(archive?.path ?? "")], cause: .report(try report.checked()))
        case .failed(let report): throw StoreError(.workerReport, cause: .report(try report.checked()))
        case .confinement, .described, .imported, .fontRead:
            throw StoreError(.workerCrashed, ["reason": "its report is malformed"])
        }
    }
}

extension ErrorReport {
    /// The maximum length of a text of a worker in bytes.
    private static let textLimit = 2000

    /// Returns the report with its texts cut and without control characters, if its code is well-formed.
    ///
    /// It must not ask the user for consent, which only the daemon does.
    func checked() throws(StoreError) -> ErrorReport {
        let known = [ExitCode.refused, .notFound, .space, .failed].first { $0 == code.exitCode }
        guard let known, code.rawValue != ErrorCode.consentNeeded.rawValue, code.rawValue.utf8.count <= 80,
            code.rawValue.utf8.allSatisfy({
                $0 >= 0x61 && $0 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2D || $0 == 0x2E
            })
        else { throw StoreError(.workerCrashed, ["reason": "its report is malformed"]) }
        return ErrorReport(
            code: ErrorCode(code.rawValue, known), message: Self.displayable(message), hint: hint.map(Self.displayable))
    }

    private static func displayable(_ text: String) -> String {
        String(decoding: text.utf8.prefix(textLimit), as: UTF8.self).displayable
    }
}

extension ArchiveLimits {
    /// The limits that follow from entries of a verified entry table; what a worker writes beyond them was not requested.
    fileprivate init(of entries: [SelectedEntry]) {
        self.init()
        // Every component of a path may be a directory of its own.
        self.entries = entries.reduce(0) { $0 + $1.path.utf8.count { $0 == UInt8(ascii: "/") } + 1 }
        unpackedSize = entries.reduce(0) { $0 + $1.entry.size }
        (depth, pathLength) = (Int.max, Int.max)
    }
}
