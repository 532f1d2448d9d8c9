import FoundationEssentials
import StoreArchives
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTransfers

/// The three operations of a task: download, unzip, save. Each may be cancelled through its Swift task, and leaves
/// nothing behind that ``clear(_:)`` does not take away.
struct DownloadSteps: Sendable {
    let library: Library
    let transfers: any Transferring
    let unpacking: any Unpacking
    /// Where archives come together: `OPERATION.part` for a whole one, `OPERATION.parts` for parts of one.
    let partial: Directory
    let archives: ArchiveCache
    /// What to send to an address so that a store knows who asks.
    let authorization: @Sendable (_ store: String, URL) -> String?
    private let clock: TimeSource
    let work = BlockingWork(label: "downloads.unpack", concurrent: true)
    /// As many may come over the network at once as its latency calls for; to unpack more than there are processors gains
    /// nothing.
    private let unpackers = PrioritySemaphore(limit: max(2, ParallelWork.processors))

    init(
        library: Library, transfers: any Transferring, unpacking: any Unpacking, partial: Directory,
        archives: ArchiveCache, clock: TimeSource,
        authorization: @escaping @Sendable (_ store: String, URL) -> String?
    ) {
        self.library = library
        self.transfers = transfers
        self.unpacking = unpacking
        self.partial = partial
        self.archives = archives
        self.clock = clock
        self.authorization = authorization
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
        case parts(PartialArchive, SourceList)
        case whole(PartialFile, SourceList)

        /// The addresses that, in the attempt made last, answered or refused to.
        var reached: [URL] {
            switch self {
            case .undecided: []
            case .parts(_, let sources), .whole(_, let sources): sources.reached
            }
        }
    }

    /// Is told how many bytes are here, of how many, and where they come from.
    typealias Told = @Sendable (_ received: Int, _ expected: Int?, _ source: URL) -> Void

    /// How a transfer is to behave.
    struct Manner: Sendable {
        let settings: DownloadSettings
        let rate: TransferRate
    }

    /// A pack that is ready to take its place.
    struct Unpacked: Sendable {
        let staged: StagedPack
        let files: [Receipt.File]
        let permissions: Set<Permission>
    }

    // MARK: Download

    /// Brings what is missing of a version: nothing where the archive is kept, some parts of it where the rest is here,
    /// else all of it.
    ///
    /// - Parameter transfer: begins ``Transfer/undecided``, and is handed on from attempt to attempt.
    func download(
        _ request: DownloadRequest, _ transfer: inout Transfer, _ manner: Manner,
        told: @escaping Told
    ) async throws -> Downloaded {
        if case .undecided = transfer {
            let kept = try await keptArchive(of: request)
            if let parts = try await planParts(of: request, manner, mayFetch: kept == nil) {
                transfer = .parts(parts, sources(of: request))
            } else if let kept {
                return kept
            } else {
                transfer = try await beginWhole(request)
            }
        }
        if case .parts(let parts, var sources) = transfer {
            let downloaded: Downloaded?
            do {
                // What was learned of the sources is of use to the next attempt.
                defer { transfer = .parts(parts, sources) }
                downloaded = try await fetch(parts, of: request, from: &sources, manner, told: told)
            }
            if let downloaded { return downloaded }
            transfer = try await beginWhole(request)
        }
        guard case .whole(let file, var sources) = transfer else { throw CancellationError() }
        defer { transfer = .whole(file, sources) }
        return try await download(request, into: file, from: &sources, manner, told: told)
    }

    private func keptArchive(of request: DownloadRequest) async throws -> Downloaded? {
        guard let sha256 = request.resource.sha256,
            let kept = try await archives.open(sha256, size: request.resource.size)
        else { return nil }
        try await requireSpace(kept.size, for: request)
        return Downloaded(
            content: .whole(kept.file),
            archive: Receipt.Archive(url: request.resource.url, size: kept.size, sha256: sha256, etag: nil),
            size: kept.size)
    }

    private func beginWhole(_ request: DownloadRequest) async throws -> Transfer {
        .whole(try await openPartial(request), sources(of: request))
    }

    private func sources(of request: DownloadRequest) -> SourceList {
        SourceList(request.resource.url, mirrors: request.product.mirrors(of: request.resource))
    }

    /// The file that an operation's archive comes together in, with what an earlier attempt left in it.
    private func openPartial(_ request: DownloadRequest) async throws -> PartialFile {
        let names = fileNames(request.operation)
        let file = try await work.run { [partial] in try partial.openOrCreateFile(names.archive) }
        let note = PartialNote(in: partial, names.note)
        // Without a hash nothing proves that what is there belongs to the file that the server has now.
        guard request.resource.sha256 == nil else { return try await PartialFile.resuming(file, note: note) }
        let fresh = PartialFile(file, note: note)
        try fresh.restart()
        return fresh
    }

    private func download(
        _ request: DownloadRequest, into file: PartialFile, from sources: inout SourceList, _ manner: Manner,
        told: @escaping Told
    ) async throws -> Downloaded {
        if let size = request.resource.size {
            if let limit = manner.settings.archiveSize, size > limit { throw tooLarge(request, limit) }
            // The rest of the archive, and what comes out of it; what was compressed well is caught when it is written.
            // A store may say any size at all.
            let (twice, isTooLarge) = size.multipliedReportingOverflow(by: 2)
            try await requireSpace(isTooLarge ? Int.max : twice - file.size, for: request)
        }
        do {
            let received = try await transfers.download(
                from: &sources, into: file,
                expecting: ExpectedContent(size: request.resource.size, sha256: request.resource.sha256),
                request: { transferRequest($0, for: request, manner) }, progress: { told($1.received, $1.expected, $0) }
            )
            return Downloaded(
                content: .whole(file.file),
                archive: Receipt.Archive(
                    url: request.resource.url, size: received.size, sha256: received.sha256, etag: received.etag),
                size: received.size)
        } catch let error as TransferError {
            guard error.code == .transferTooLong, let limit = manner.settings.archiveSize else { throw error }
            throw tooLarge(request, limit)
        }
    }

    private func tooLarge(_ request: DownloadRequest, _ limit: Int) -> DownloadError {
        DownloadError(
            .archiveLimit,
            "The archive of '\(request.product.productIdentifier)' has more than the \(limit) bytes that are allowed. "
                + "Raise downloads.maximumSize if you trust the store.")
    }

    /// What to ask an address of a product for.
    func transferRequest(_ url: URL, for request: DownloadRequest, _ manner: Manner) -> TransferRequest {
        var transfer = TransferRequest(
            url, sizeLimit: manner.settings.archiveSize, timeouts: manner.settings.timeouts, rate: manner.rate,
            bandwidthClass: request.product.kind.rawValue)
        transfer.headers["Authorization"] = authorization(request.store, url)
        return transfer
    }

    /// - Throws: `space.disk-full`, where not even all kept archives together make enough room.
    func requireSpace(_ needed: Int, for request: DownloadRequest) async throws {
        if try freeSpace() < needed { await archives.free(needed - (try freeSpace())) }
        let free = try freeSpace()
        guard free < needed else { return }
        throw FileError(
            .noSpace,
            "'\(request.product.productIdentifier)' needs about \(needed) bytes and only \(free) are free on the disk. "
                + "Free some and try again.")
    }

    private func freeSpace() throws -> Int { try min(library.freeSpace(), partial.freeSpace()) }

    // MARK: Unzip

    /// - Parameter place: among those whose bytes are here.
    func unpack(
        _ downloaded: Downloaded, _ request: DownloadRequest, _ place: Place, settings: DownloadSettings
    ) async throws -> Unpacked {
        try await unpackers.enter(place)
        defer { unpackers.leave() }
        let kind = request.product.kind
        let staged = try await library.stage(
            request.operation, productIdentifier: request.product.productIdentifier, kind: kind,
            keepingReplaced: request.action != .repair)
        let name = "the content of '\(request.product.productIdentifier)' (\(request.resource.url.absoluteString))"
        let report = try await fill(staged, from: downloaded.content, named: name, request, settings: settings)
        let permissions: Set<Permission>
        do {
            permissions = try await library.check(
                staged, of: request.product.productIdentifier, kind: kind, consent: request.consent)
        } catch let error as StoreError where error.code.exitCode == .refused && error.permissions.isEmpty {
            throw StoreError(.contentRefused, ["content": name], cause: error)
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
        return try await work.runCancellable { [unpacking] cancellation in
            do {
                switch content {
                case .whole(let file):
                    return try unpacking.unpack(
                        file, into: staged.directory, limits: settings.archives, cancellation: cancellation)
                case .parts(let file, let plan):
                    try unpacking.unpack(plan.parts, of: file, into: staged.directory, cancellation: cancellation)
                    return UnpackReport(files: plan.files)
                }
            } catch let error as StoreError where error.isArchiveRejection {
                throw error.replacing("archive", with: request.resource.url)
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
            installedAt: clock.date(), dependencies: product.dependencies,
            permissions: unpacked.permissions.isEmpty ? nil : unpacked.permissions.sorted(),
            archive: downloaded.archive, files: unpacked.files)
        return try await library.commit(unpacked.staged, receipt: receipt)
    }

    // MARK: Clearing up

    /// Keeps the archive of a pack that took its place, where it came over the network and can be known again.
    func keep(_ downloaded: Downloaded, of request: DownloadRequest) async {
        guard request.resource.sha256 != nil, !request.resource.url.isFileURL, case .whole = downloaded.content else {
            return
        }
        await archives.keep(
            fileNames(request.operation).archive, in: partial, as: downloaded.archive.sha256,
            size: downloaded.archive.size)
    }

    /// Removes what an operation that ended has left in staging and among the partial downloads.
    func clear(_ operation: OperationID) async {
        await library.discard(operation)
        let names = [fileNames(operation).archive, fileNames(operation).note, partsName(operation)]
        try? await work.run { [partial] in for name in names { try partial.removeTree(name) } }
    }

    /// Removes what a suspended operation has left in staging. The archive stays: the next start unpacks it anew.
    func clearStaging(_ operation: OperationID) async { await library.discard(operation, emptiesTrash: false) }

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
