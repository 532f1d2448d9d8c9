import Archives
import Files
import FoundationEssentials
import Library
import StoreModel
import Transfers

/// The three operations of a task: download, unzip, save. Each may be cancelled through its Swift task, and leaves
/// nothing behind that ``clear(_:)`` does not take away.
struct DownloadSteps: Sendable {
    let library: Library
    let transfers: TransferEngine
    let unpacking: any Unpacking
    /// Where archives come together: `OPERATION.part` for a whole one, `OPERATION.parts` for parts of one.
    let partial: Directory
    let work = BlockingWork(label: "downloads.unpack", concurrent: true)

    init(library: Library, transfers: TransferEngine, unpacking: any Unpacking, partial: Directory) {
        self.library = library
        self.transfers = transfers
        self.unpacking = unpacking
        self.partial = partial
    }

    /// What is needed of an archive is here, and is what it must be.
    struct Downloaded: Sendable {
        enum Content: Sendable {
            case whole(OpenFile)
            case parts(OpenFile, FetchPlan)
        }
        let content: Content
        let archive: Receipt.Archive
        /// Bytes that were to come over the network.
        let size: Int
    }

    /// How far the first step has come, for the attempt after one that failed.
    enum Transfer: Sendable {
        /// It is not known yet what has to come.
        case undecided
        case parts(PartialArchive)
        case whole(PartialFile)
    }

    /// A pack that is ready to take its place.
    struct Unpacked: Sendable {
        let staged: StagedPack
        let files: [Receipt.File]
        let permissions: Set<Permission>
    }

    // MARK: Download

    /// Brings what is missing of a version: some parts of its archive where the rest is here, else all of it.
    ///
    /// - Parameter transfer: begins ``Transfer/undecided``, and is handed on from attempt to attempt.
    func download(
        _ request: DownloadRequest, _ transfer: inout Transfer, settings: DownloadSettings,
        told: @escaping @Sendable (_ received: Int, _ expected: Int?) -> Void
    ) async throws -> Downloaded {
        if case .undecided = transfer {
            if let parts = try await planParts(of: request, settings: settings) {
                transfer = .parts(parts)
            } else {
                transfer = .whole(try await openPartial(request))
            }
        }
        if case .parts(let parts) = transfer {
            if let downloaded = try await fetch(parts, of: request, settings: settings, told: told) {
                return downloaded
            }
            transfer = .whole(try await openPartial(request))
        }
        guard case .whole(let file) = transfer else { throw CancellationError() }
        return try await download(request, into: file, settings: settings, told: told)
    }

    /// The file that an operation's archive comes together in, with what an earlier attempt left in it.
    private func openPartial(_ request: DownloadRequest) async throws -> PartialFile {
        let names = fileNames(request.operation)
        let (file, note) = try await work.run { [partial] in
            (try partial.openOrCreateFile(names.archive), try partial.openOrCreateFile(names.note))
        }
        // Without a hash nothing proves that what is there belongs to the file that the server has now.
        guard request.resource.sha256 == nil else { return try await PartialFile.resuming(file, note: note) }
        let fresh = PartialFile(file, note: note)
        try fresh.restart()
        return fresh
    }

    private func download(
        _ request: DownloadRequest, into file: PartialFile, settings: DownloadSettings,
        told: @escaping @Sendable (_ received: Int, _ expected: Int?) -> Void
    ) async throws -> Downloaded {
        if let size = request.resource.size {
            // The rest of the archive, and what comes out of it; what was compressed well is caught when it is written.
            // A store may say any size at all.
            let (twice, isTooLarge) = size.multipliedReportingOverflow(by: 2)
            try requireSpace(isTooLarge ? Int.max : twice - file.size, for: request)
        }
        let received = try await transfers.download(
            TransferRequest(request.resource.url, timeouts: settings.timeouts), into: file,
            expecting: ExpectedContent(size: request.resource.size, sha256: request.resource.sha256)
        ) { told($0.received, $0.expected) }
        return Downloaded(
            content: .whole(file.file),
            archive: Receipt.Archive(
                url: request.resource.url, size: received.size, sha256: received.sha256, etag: received.etag),
            size: received.size)
    }

    func requireSpace(_ needed: Int, for request: DownloadRequest) throws {
        let free = try min(library.freeSpace(), partial.freeSpace())
        guard free < needed else { return }
        throw FileError(
            .noSpace,
            "'\(request.product.productIdentifier)' needs about \(needed) bytes and only \(free) are free on the disk. "
                + "Free some and try again.")
    }

    // MARK: Unzip

    func unpack(
        _ downloaded: Downloaded, _ request: DownloadRequest, settings: DownloadSettings
    ) async throws -> Unpacked {
        let kind = request.product.kind
        let staged = try await library.stage(
            request.operation, productIdentifier: request.product.productIdentifier, kind: kind,
            keepingReplaced: request.action != .repair)
        let name = "The content of '\(request.product.productIdentifier)' (\(request.resource.url.absoluteString))"
        let report = try await fill(staged, from: downloaded.content, named: name, request, settings: settings)
        let permissions: Set<Permission>
        do {
            permissions = try await library.check(
                staged, of: request.product.productIdentifier, kind: kind, consent: request.consent)
        } catch let error as LibraryError where error.code.exitCode == .refused && error.permissions.isEmpty {
            throw LibraryError(error.code, "\(name) is refused. \(error.message)")
        }
        try await requireRoom(for: report.size, request, settings: settings)
        return Unpacked(staged: staged, files: report.files, permissions: permissions)
    }

    private func fill(
        _ staged: StagedPack, from content: Downloaded.Content, named name: String, _ request: DownloadRequest,
        settings: DownloadSettings
    ) async throws -> UnpackReport {
        if case .parts(_, let plan) = content {
            try await library.takeOver(
                plan.present.map { ($0.source, $0.file) }, of: request.product.productIdentifier, into: staged)
        }
        return try await work.run { [unpacking] in
            do {
                switch content {
                case .whole(let file):
                    return try unpacking.unpack(file, into: staged.directory, limits: settings.archives)
                case .parts(let file, let plan):
                    try unpacking.unpack(plan.parts, of: file, into: staged.directory)
                    return UnpackReport(files: plan.files)
                }
            } catch let error as ArchiveError {
                throw error.naming(name)
            }
        }
    }

    private func requireRoom(for size: Int, _ request: DownloadRequest, settings: DownloadSettings) async throws {
        guard let limit = settings.librarySize else { return }
        let others = try await library.all().filter { $0.productIdentifier != request.product.productIdentifier }
        let total = others.reduce(size) { $0 + $1.size }
        guard total > limit else { return }
        throw DownloadError(
            .libraryLimit,
            "With '\(request.product.productIdentifier)' the library would hold \(total) bytes, more than the "
                + "\(limit) that are allowed. Uninstall something, or raise library.maximumSize.")
    }

    // MARK: Save

    func save(
        _ unpacked: Unpacked, _ downloaded: Downloaded, _ request: DownloadRequest
    ) async throws -> LibraryPack {
        let product = request.product
        let receipt = Receipt(
            operation: request.operation, store: request.store, productIdentifier: product.productIdentifier,
            kind: product.kind, name: product.productName, version: product.version, price: product.productPrice,
            installedAt: Date(), dependencies: product.dependencies,
            permissions: unpacked.permissions.isEmpty ? nil : unpacked.permissions.sorted(),
            archive: downloaded.archive, files: unpacked.files)
        return try await library.commit(unpacked.staged, receipt: receipt)
    }

    // MARK: Clearing up

    /// Removes what an operation that ended has left in staging and among the partial downloads.
    func clear(_ operation: OperationID) async {
        await library.discard(operation)
        let names = [fileNames(operation).archive, fileNames(operation).note, partsName(operation)]
        try? await work.run { [partial] in for name in names { try partial.removeTree(name) } }
    }

    /// Removes partial downloads of operations that no longer run, and parts of archives, which are little and are begun
    /// again.
    func clear(keeping operations: Set<OperationID>) async {
        let kept = Set(operations.map(fileNames).flatMap { [$0.archive, $0.note] })
        try? await work.run { [partial] in
            for entry in try partial.entries() where !kept.contains(entry.name) { try partial.removeTree(entry.name) }
        }
    }

    /// What an archive comes together in, and what is noted of it while bytes are missing in between.
    private func fileNames(_ operation: OperationID) -> (archive: String, note: String) {
        (operation.rawValue + ".part", operation.rawValue + ".ranges")
    }

    func partsName(_ operation: OperationID) -> String { operation.rawValue + ".parts" }
}
